'use strict';

// acorn 8: JavaScript to a syntax tree.

/** @type {import('../lib/types').ShippedRecipe} */
module.exports = {
  package: 'acorn',
  versions: ['8'],
  files: ['./dist/acorn.mjs'],
  evidence: [
    'Read in dist/acorn.js (getOptions, parse, and every variable of the module): a call makes its own parser; the module keeps expressions that it made of lists of words, and that it has warned of a missing ecmaVersion (each replica would warn once more).',
    'The tree is made of Node objects with methods, as many as there are words in the code, so it stays where it was made: a parse that is sent comes home, once, and parse stays there from then on.',
    'Sent as plain data a tree costs more than parsing does. onComment, onToken and onInsertedSemicolon may be lists, which a call fills.',
    'What moves is a function of your own that parses, looks at the tree, and gives what it found, in a file of its own.',
  ].join(' '),
  threads: true,
  ownFile: [
    "const { parse } = require('acorn');",
    '',
    '/** What a module imports, by name. */',
    'exports.importsOf = (code) =>',
    "  parse(code, { ecmaVersion: 'latest', sourceType: 'module' })",
    "    .body.filter((node) => node.type === 'ImportDeclaration')",
    '    .map((node) => node.source.value);',
    '',
  ].join('\n'),
  mutates: [{ function: 'parse', argument: 1, what: 'onComment and onToken get what is found, where they are lists' }],
  pays: [{ function: 'importsOf (own file)', input: '64 kB', bytes: 67846, ms: 8.38, homeMs: 0.784, breakEven: 'always' }],
  recipe: { state: 'none', idempotent: true },
};
