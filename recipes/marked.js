'use strict';

// marked 18: Markdown to HTML.

/** @type {import('../lib/types').ShippedRecipe} */
module.exports = {
  package: 'marked',
  versions: ['18'],
  evidence: [
    'Observed: the same text and options give the same result, and neither is changed.',
    'Not called pure: use and setOptions change what later calls return, and a replica does not hear of a use at home.',
    "A program that never calls them can say so: { call: 'await', pure: true }.",
  ].join(' '),
  recipe: {
    functions: {
      marked: { idempotent: true },
      parse: { idempotent: true },
      parseInline: { idempotent: true },
      lexer: { idempotent: true },
    },
  },
};
