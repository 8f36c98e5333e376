'use strict';

// markdown-it 15: Markdown to HTML, by an object that the program makes and sets up.

/** @type {import('../lib/types').ShippedRecipe} */
module.exports = {
  package: 'markdown-it',
  versions: ['15'],
  evidence: [
    'What can move is a file of your own that holds the object.',
    'Called directly, `md.render(text)` stays at home, because its object holds functions (rules, plugins, highlight).',
    'render makes its own state and token list for each call, and `env` is the only argument that rules may write to.',
    'The export is a class that can be called with or without `new`, and has no static functions.',
    'Read in dist/markdown-it.cjs.js.',
  ].join(' '),
  threads: true,
  ownFile: [
    "const MarkdownIt = require('markdown-it');",
    '',
    '// Options and plugins stand here, so that every replica has the same.',
    'const md = new MarkdownIt({ linkify: true, typographer: true });',
    '',
    'exports.render = (text) => md.render(text);',
    '',
  ].join('\n'),
  pays: [{ function: 'render (own file)', input: '32 kB', bytes: 33423, ms: 8.83, homeMs: 1.91, breakEven: 'always' }],
  recipe: {},
};
