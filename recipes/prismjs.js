'use strict';

// prismjs 1: source code to highlighted HTML.

/** @type {import('../lib/types').ShippedRecipe} */
module.exports = {
  package: 'prismjs',
  versions: ['1.30'],
  evidence: [
    'Read in prism.js (components/prism-core.js): highlight and tokenize are given a grammar, write to it, and run the hooks that languages and plugins add,',
    'so neither is called pure; a grammar is also far larger than the code of most calls, and tokenize gives Token objects, which cannot be sent.',
    'A file of your own that names the language is pure.',
  ].join(' '),
  threads: true,
  ownFile: [
    "const Prism = require('prismjs');",
    '',
    "// require('prismjs/components/')(['python', 'bash']) brings more languages.",
    'exports.highlight = (code, language) => Prism.highlight(code, Prism.languages[language], language);',
    '',
  ].join('\n'),
  mutates: [
    {
      function: 'highlight',
      argument: 1,
      what: 'patterns of the grammar that are greedy get a `g` flag, and its `rest` is merged into it',
    },
    { function: 'tokenize', argument: 1, what: 'the same' },
  ],
  keeps: [
    'A counter numbers objects (`__id`) when languages are cloned or extended, not when code is highlighted.',
    'It sets the global variable Prism.',
  ],
  pays: [{ function: 'highlight (own file)', input: '32 kB', bytes: 33525, ms: 15.3, homeMs: 1.67, breakEven: 'always' }],
  recipe: {},
};
