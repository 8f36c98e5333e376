'use strict';

// uri-js 2.1.1: URI parsing and validation. Its parser needs hundreds of milliseconds on some inputs.

/** @type {import('../lib/types').ShippedRecipe} */
module.exports = {
  package: 'uri-js',
  versions: ['2.1.1'],
  evidence: [
    'Read in src/uri.ts and src/schemes/*.ts, and observed:',
    'parse, resolve, and normalize and equal of strings return the same for the same arguments, in any order.',
    'parse of a URN enters its namespace in SCHEMES; only serialize of a hand-made object with such a scheme sees that, so each replica may keep its own.',
    'serialize, normalize, equal and resolveComponents change an object of components that they are given, so none of them is called pure.',
  ].join(' '),
  threads: true,
  pays: [
    { function: 'escapeComponent', input: '3000 characters', bytes: 3010, ms: 0.126, homeMs: 0.0295, breakEven: '300 characters' },
    { function: 'unescapeComponent', input: '21000 characters', bytes: 21011, ms: 0.705, homeMs: 0.108, breakEven: '2100 characters' },
    { function: 'pctDecChars', input: '27000 characters', bytes: 27011, ms: 0.382, homeMs: 0.0996, breakEven: '2700 characters' },
  ],
  recipe: {
    state: 'private',
    idempotent: true,
    functions: {
      escapeComponent: { pure: true },
      unescapeComponent: { pure: true },
      pctEncChar: { pure: true },
      pctDecChars: { pure: true },
      removeDotSegments: { pure: true },
    },
  },
};
