'use strict';

// acorn 8: JavaScript to a syntax tree.

/** @type {import('../lib/types').ShippedRecipe} */
module.exports = {
  package: 'acorn',
  versions: ['8'],
  files: ['./dist/acorn.mjs'],
  evidence: [
    'parse stays at home, because a tree stays where it was made: it consists of Node objects with methods, as many as there are words in the code.',
    'The first parse that is sent comes home, and parse stays there from then on.',
    'Sending a tree as plain data costs more than parsing.',
    'What can move is a function in a file of your own that parses, looks at the tree, and returns what it found.',
    'A call makes its own parser. The module keeps regular expressions that it made from lists of words, and whether it has warned of a missing ecmaVersion: each replica would warn once more.',
    'onComment, onToken and onInsertedSemicolon may be lists, which a call fills.',
    'Read in dist/acorn.js: getOptions, parse, and every variable of the module.',
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
  mutates: [{ function: 'parse', argument: 1, what: 'onComment and onToken, if they are lists, get what is found' }],
  pays: [{ function: 'importsOf (own file)', input: '64 kB', bytes: 67846, ms: 8.38, homeMs: 0.784, breakEven: 'always' }],
  recipe: { state: 'none', idempotent: true },
};
