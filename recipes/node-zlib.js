'use strict';

// zlib: compression. Its asynchronous functions already run in parallel on libuv's threads,
// UV_THREADPOOL_SIZE of them; replicas pay beyond that, or for the synchronous forms.

const names = ['deflate', 'inflate', 'gzip', 'gunzip', 'deflateRaw', 'inflateRaw', 'unzip', 'brotliCompress', 'brotliDecompress'];

/** @type {import('../lib/types').ShippedRecipe} */
module.exports = {
  package: 'node:zlib',
  versions: [],
  evidence: "Node's documentation: each call compresses its own input with its own options; the module has no settings.",
  threads: true,
  pays: [],
  recipe: {
    state: 'none',
    functions: Object.fromEntries(
      names.flatMap((name) => [
        [name, { pure: true }],
        [`${name}Sync`, { pure: true }],
      ]),
    ),
  },
};
