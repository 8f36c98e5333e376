'use strict';

// crypto: its key derivations already run in parallel on libuv's threads, UV_THREADPOOL_SIZE of
// them; replicas pay beyond that, or for the synchronous forms.

const names = ['pbkdf2', 'scrypt', 'hkdf'];

/** @type {import('../lib/types').ShippedRecipe} */
module.exports = {
  package: 'node:crypto',
  versions: [],
  evidence:
    "A key derivation depends on its arguments alone, as Node's documentation says. Not listed: functions that draw random bytes, change a buffer that they are given, or return an object with state; and setEngine and setFips, which change the whole process.",
  threads: true,
  pays: [
    { function: 'pbkdf2Sync', input: '5000 rounds', bytes: 52, ms: 1.28, homeMs: 0.283, breakEven: '500 rounds' },
    { function: 'scryptSync', input: 'cost 2048', bytes: 50, ms: 4.92, homeMs: 0.559, breakEven: 'cost 256' },
    { function: 'hkdfSync', input: '8000 bytes', bytes: 51, ms: 0.083, homeMs: 0.0776, breakEven: 'never' },
  ],
  recipe: {
    functions: Object.fromEntries(
      names.flatMap((name) => [
        [name, { pure: true }],
        [`${name}Sync`, { pure: true }],
      ]),
    ),
  },
};
