'use strict';

// sanitize-html 2: HTML from strangers made harmless.

/** @type {import('../lib/types').ShippedRecipe} */
module.exports = {
  package: 'sanitize-html',
  versions: ['2.17', '2.18'],
  evidence: [
    'A call makes its own parser and stack, copies its options, and also reads `defaults`.',
    'A call with functions in its options (transformTags, exclusiveFilter, textFilter, from 2.18 on logger) stays at home, because they cannot be sent.',
    'At home, a regular expression with the flag `g` among the options carries its position from one call to the next; in a replica it does not.',
    'Read in index.js.',
  ].join(' '),
  threads: true,
  setup: 'replicas get a value that replaces another (sanitizeHtml.defaults.allowedTags = [...]), but not a push into one of the lists.',
  pays: [{ function: '', input: '32 kB', bytes: 33272, ms: 6.05, homeMs: 0.508, breakEven: '8 kB' }],
  recipe: { state: 'none', setup: ['defaults'], functions: { '': { pure: true } } },
};
