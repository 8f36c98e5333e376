'use strict';

// uri-js 2.1.1: URI parsing and validation. Its parser needs hundreds of milliseconds on some inputs.

/** @type {import('../lib/types').ShippedRecipe} */
module.exports = {
  package: 'uri-js',
  versions: ['2.1.1'],
  evidence: [
    'parse is what blocks: its regular expressions need hundreds of milliseconds on some links.',
    'parse may run twice, but is not called pure, because it enters the namespace of a URN in SCHEMES. Only serialize of a hand-made object with such a scheme sees that, so each replica may keep its own SCHEMES.',
    'serialize, normalize, equal and resolveComponents are not called pure, because they change an object of components that they are given.',
    'parse, resolve, and normalize and equal of strings return the same for the same arguments, in any order.',
    'Read in src/uri.ts and src/schemes/*.ts, and observed.',
  ].join(' '),
  threads: true,
  mutates: [
    { function: 'serialize', argument: 0, what: 'its components are normalized' },
    { function: 'resolveComponents', argument: 0, what: 'its components are normalized, as by serialize' },
  ],
  keeps: ['The namespace of each URN that parse was given, in SCHEMES, which serialize of such a scheme reads.'],
  pays: [
    {
      function: 'parse',
      input: 'a link with 16 wrong percent signs',
      bytes: 77,
      ms: 4.4,
      homeMs: 0.42,
      breakEven: 'a link with 12 wrong percent signs',
    },
    { function: 'escapeComponent', input: '3000 characters', bytes: 3010, ms: 0.13, homeMs: 0.0342, breakEven: '300 characters' },
    { function: 'unescapeComponent', input: '21000 characters', bytes: 21011, ms: 0.716, homeMs: 0.139, breakEven: '2100 characters' },
    { function: 'pctDecChars', input: '27000 characters', bytes: 27011, ms: 0.405, homeMs: 0.254, breakEven: '2700 characters' },
  ],
  recipe: {
    state: 'private',
    idempotent: true,
    functions: {
      parse: {},
      escapeComponent: { pure: true },
      unescapeComponent: { pure: true },
      pctEncChar: { pure: true },
      pctDecChars: { pure: true },
      removeDotSegments: { pure: true },
    },
  },
};
