'use strict';

// crypto: its key derivations already run in parallel on libuv's threads, UV_THREADPOOL_SIZE of
// them; replicas pay beyond that, or for the synchronous forms.

const names = ['pbkdf2', 'scrypt', 'hkdf'];

/** @type {import('../lib/types').ShippedRecipe} */
module.exports = {
  package: 'node:crypto',
  versions: [],
  evidence:
    "Node's documentation: a key derivation depends on its arguments alone. Not listed: all that draws random bytes, changes a buffer it is given, or returns an object with state; setEngine and setFips change the whole process.",
  threads: true,
  pays: [],
  recipe: {
    functions: Object.fromEntries(
      names.flatMap((name) => [
        [name, { pure: true }],
        [`${name}Sync`, { pure: true }],
      ]),
    ),
  },
};
