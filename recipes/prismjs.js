'use strict';

// prismjs 1: source code to highlighted HTML.

/** @type {import('../lib/types').ShippedRecipe} */
module.exports = {
  package: 'prismjs',
  versions: ['1.30'],
  evidence: [
    'A file of your own that names the language is pure.',
    'highlight and tokenize are not called pure: they write to the grammar that they are given, and run the hooks that languages and plugins add.',
    'A grammar is also far larger than the code of most calls, and tokenize returns Token objects, which cannot be sent.',
    'Read in prism.js (components/prism-core.js).',
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
      what: 'greedy patterns of the grammar get a `g` flag, and its `rest` is merged into it',
    },
    { function: 'tokenize', argument: 1, what: 'the same as by highlight' },
  ],
  keeps: [
    'A counter that numbers objects (`__id`) when languages are cloned or extended, not when code is highlighted.',
    'The global variable Prism, which it sets.',
  ],
  pays: [{ function: 'highlight (own file)', input: '32 kB', bytes: 33525, ms: 15.3, homeMs: 1.67, breakEven: 'always' }],
  recipe: {},
};
