'use strict';

// pako 2 and 3: zlib in JavaScript.

/** @type {import('../lib/types').ShippedRecipe} */
module.exports = {
  package: 'pako',
  versions: ['2', '3'],
  files: ['./dist/pako.mjs'],
  evidence: [
    "If you can, use Node's zlib.deflate and the like instead: they do the same in the system's library, at least six times as fast, on a pool of threads without any replica. Distribute pako where another package contains it.",
    'Inflating is so quick that sending costs about as much.',
    'Each call makes its own Deflate or Inflate and copies its options. The module has only tables, some of them made at the first call.',
    'The result is new memory. Data and dictionary are neither changed nor kept, and a header for gzip (`header`) is only read.',
    'Not listed: Deflate and Inflate (objects that are given piece after piece), and the functions of ZStream (they change the stream that they are given).',
    'Read in 3, dist/pako.cjs.js: these functions, Deflate and Inflate, and every variable of the module. Observed with 2.2.0 and 3.0.3.',
  ].join(' '),
  threads: true,
  pays: [
    { function: 'deflate', input: '128 kB', bytes: 131928, ms: 1.69, homeMs: 0.437, breakEven: '128 kB' },
    { function: 'deflateRaw', input: '128 kB', bytes: 131928, ms: 1.51, homeMs: 0.44, breakEven: 'always' },
    { function: 'gzip', input: '128 kB', bytes: 131928, ms: 1.68, homeMs: 0.38, breakEven: 'always' },
    { function: 'inflate', input: '128 kB', bytes: 1845, ms: 0.397, homeMs: 0.463, breakEven: 'never' },
    { function: 'inflateRaw', input: '128 kB', bytes: 1839, ms: 0.259, homeMs: 0.191, breakEven: '128 kB' },
    { function: 'ungzip', input: '128 kB', bytes: 1857, ms: 0.374, homeMs: 0.383, breakEven: 'never' },
  ],
  recipe: {
    state: 'none',
    functions: {
      deflate: { pure: true },
      deflateRaw: { pure: true },
      gzip: { pure: true },
      inflate: { pure: true },
      inflateRaw: { pure: true },
      ungzip: { pure: true },
    },
  },
};
