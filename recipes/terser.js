'use strict';

// terser 5: JavaScript, minified.

/** @type {import('../lib/types').ShippedRecipe} */
module.exports = {
  package: 'terser',
  versions: ['5'],
  files: ['./main.js'],
  evidence: [
    'minify returns a promise, but computes all the time: it blocks as minify_sync does.',
    'Neither is called pure, because both change what they are given: nameCache, which is there for that, and defaults in parse, compress, mangle and format.',
    'A call with `parse` among its options comes home, and minify stays there from then on: the call leaves its syntax tree in that option, and the tree cannot be sent back.',
    "A program without nameCache can avoid this with { functions: { minify: { args: 'copy' } } }.",
    'A call with functions in its options (format.comments) runs at home. `timings` are those of the replica.',
    'What a call leaves in the module (a counter of symbols, the frequencies of letters, raw template strings) never shows in the resulting code: the next call sets it anew, or the module only ever compares it.',
    'Calls do not mix: a call waits only for a source map, when it is done with those variables.',
    'Read in lib/minify.js, and for the variables in all files of lib.',
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
