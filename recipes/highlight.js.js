'use strict';

// highlight.js 11: source code to highlighted HTML.

/** @type {import('../lib/types').ShippedRecipe} */
module.exports = {
  package: 'highlight.js',
  versions: ['11'],
  evidence: [
    'Read in lib/core.js: highlight and highlightAuto give an object that also holds the emitter (`_emitter`) and the compiled language (`_top`), with functions in them;',
    'it cannot be sent, so neither function is listed. A file of your own that gives out the text alone is pure: a call reads the registered languages, and its state is its own.',
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
  keeps: ['A language is compiled when it is first used, with the same result for all.'],
  pays: [
    { function: 'highlight (own file)', input: '16 kB', bytes: 16732, ms: 11.5, homeMs: 0.63, breakEven: 'always' },
    { function: 'highlightAuto (own file)', input: '4 kB', bytes: 4247, ms: 3.08, homeMs: 0.448, breakEven: 'always' },
  ],
  recipe: {},
};
