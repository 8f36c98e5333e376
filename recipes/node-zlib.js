'use strict';

// zlib: compression. Its asynchronous functions already run in parallel on libuv's threads,
// UV_THREADPOOL_SIZE of them; replicas pay beyond that, or for the synchronous forms.

const names = ['deflate', 'inflate', 'gzip', 'gunzip', 'deflateRaw', 'inflateRaw', 'unzip', 'brotliCompress', 'brotliDecompress'];

/** @type {import('../lib/types').ShippedRecipe} */
module.exports = {
  package: 'node:zlib',
  versions: [],
  evidence: "Each call compresses its own input with its own options, and the module has no settings, as Node's documentation says.",
  threads: true,
  pays: [
    { function: 'deflateSync', input: '32 kB of text', bytes: 32780, ms: 0.999, homeMs: 0.389, breakEven: '32 kB of text' },
    { function: 'inflateSync', input: '32 kB of text', bytes: 19049, ms: 0.167, homeMs: 0.112, breakEven: '32 kB of text' },
    { function: 'gzipSync', input: '32 kB of text', bytes: 32780, ms: 0.965, homeMs: 0.274, breakEven: '8 kB of text' },
    { function: 'gunzipSync', input: '32 kB of text', bytes: 19061, ms: 0.166, homeMs: 0.0747, breakEven: '32 kB of text' },
    { function: 'brotliCompressSync', input: '32 kB of text', bytes: 32780, ms: 22.2, homeMs: 0.896, breakEven: 'always' },
    { function: 'brotliDecompressSync', input: '32 kB of text', bytes: 17100, ms: 0.315, homeMs: 0.103, breakEven: 'always' },
  ],
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
