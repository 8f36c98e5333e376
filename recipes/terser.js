'use strict';

// terser 5: JavaScript, minified.

/** @type {import('../lib/types').ShippedRecipe} */
module.exports = {
  package: 'terser',
  versions: ['5'],
  files: ['./main.js'],
  evidence: [
    'Read in lib/minify.js and for the variables of all files of lib: what a call leaves behind (a counter of symbols, the frequencies of letters, raw template strings) is set anew by the next or is only ever compared, and never shows in the code that comes out;',
    'a call waits at one point only, for a source map, when it is done with those variables, so calls do not mix.',
    'Not called pure because it changes what it is given: nameCache, which is there for that, and defaults in parse, compress, mangle and format.',
    'With `parse` among its options it leaves its syntax tree there, which cannot be sent back, so such a call comes home, and minify stays there from then on; a program without nameCache says',
    "{ functions: { minify: { args: 'copy' } } }.",
    'minify gives a promise, but computes all the time: it blocks as minify_sync does. A call with functions in its options (format.comments) runs at home. `timings` are those of the replica.',
  ].join(' '),
  threads: true,
  mutates: ['minify', 'minify_sync'].map((name) => ({
    function: name,
    argument: 1,
    what: 'nameCache gets the names that were mangled; parse, compress, mangle and format get defaults, and parse the syntax tree',
  })),
  pays: [
    { function: 'minify', input: '2 kB', bytes: 1942, ms: 9.44, homeMs: 0.304, breakEven: 'always' },
    { function: 'minify_sync', input: '2 kB', bytes: 1942, ms: 11.4, homeMs: 1.15, breakEven: 'always' },
  ],
  recipe: {
    state: 'none',
    functions: {
      minify: { idempotent: true },
      minify_sync: { idempotent: true },
    },
  },
};
