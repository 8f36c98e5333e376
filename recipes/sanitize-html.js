'use strict';

// sanitize-html 2: HTML from strangers made harmless.

/** @type {import('../lib/types').ShippedRecipe} */
module.exports = {
  package: 'sanitize-html',
  versions: ['2.17', '2.18'],
  evidence: [
    'Read in index.js: a call makes its own parser and stack, copies its options, and reads `defaults` besides.',
    'Options with functions (transformTags, exclusiveFilter, textFilter, from 2.18 on logger) cannot be sent, and stay at home with their call.',
    'A regular expression with the flag `g` among the options carries its position from one call to the next, at home; in a replica it does not.',
  ].join(' '),
  threads: true,
  setup:
    'replicas hear of values that are put in the place of others (sanitizeHtml.defaults.allowedTags = [...]), not of a push into one of its lists.',
  pays: [{ function: '', input: '32 kB', bytes: 33272, ms: 6.05, homeMs: 0.508, breakEven: '8 kB' }],
  recipe: { state: 'none', setup: ['defaults'], functions: { '': { pure: true } } },
};
