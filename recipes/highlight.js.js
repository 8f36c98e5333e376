'use strict';

// highlight.js 11: source code to highlighted HTML.

/** @type {import('../lib/types').ShippedRecipe} */
module.exports = {
  package: 'highlight.js',
  versions: ['11'],
  evidence: [
    'highlight and highlightAuto are not listed, because their results cannot be sent: they also hold the emitter (`_emitter`) and the compiled language (`_top`), which contain functions.',
    'A file of your own that returns the text alone is pure: a call reads the registered languages, and has its own state.',
    'Read in lib/core.js.',
  ].join(' '),
  threads: true,
  ownFile: [
    "const hljs = require('highlight.js');",
    '',
    'exports.highlight = (code, language) => hljs.highlight(code, { language, ignoreIllegals: true }).value;',
    '',
    'exports.highlightAuto = (code, languages) => {',
    '  const { language, value, relevance } = hljs.highlightAuto(code, languages);',
    '  return { language, value, relevance };',
    '};',
    '',
  ].join('\n'),
  keeps: ['Each language, compiled when it is first used, with the same result everywhere.'],
  pays: [
    { function: 'highlight (own file)', input: '16 kB', bytes: 16732, ms: 11.5, homeMs: 0.63, breakEven: 'always' },
    { function: 'highlightAuto (own file)', input: '4 kB', bytes: 4247, ms: 3.08, homeMs: 0.448, breakEven: 'always' },
  ],
  recipe: {},
};
