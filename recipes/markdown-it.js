'use strict';

// markdown-it 15: Markdown to HTML, by an object that the program makes and sets up.

/** @type {import('../lib/types').ShippedRecipe} */
module.exports = {
  package: 'markdown-it',
  versions: ['15'],
  evidence: [
    'Read in dist/markdown-it.cjs.js: the export is a class, called with or without `new`, and has no static functions.',
    'Its usual use, `md.render(text)`, is through an object that holds functions (rules, plugins, highlight), so it stays at home, and its calls with it.',
    'What moves is a file that holds the object: render makes its own state and token list for each call, and `env` is the only argument that rules may write to.',
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
