'use strict';

// fuse.js 7: fuzzy search.

/** @type {import('../lib/types').ShippedRecipe} */
module.exports = {
  package: 'fuse.js',
  versions: ['7'],
  files: ['./dist/fuse.mjs'],
  evidence: [
    'What can move is a function in a file of your own that is given the documents and searches them.',
    "If the documents stay the same, let that file keep them: write a function that takes them, name it under setup, and say state: 'private'. Then each replica gets them once.",
    'The result contains whole documents; if they are large, let the function return their ids.',
    'A Fuse holds its documents and their index, and stays where it was made. So do the objects that Fuse.createIndex and parseIndex return.',
    'Fuse.use adds ways of searching for all later searches, so the recipe says nothing of the state. Fuse.config is frozen.',
    'Read in dist/fuse.cjs: its statics, and every variable of the module.',
  ].join(' '),
  threads: true,
  ownFile: [
    "const Fuse = require('fuse.js');",
    '',
    "exports.search = (documents, pattern) => new Fuse(documents, { keys: ['title', 'text'] }).search(pattern, { limit: 10 });",
    '',
  ].join('\n'),
  pays: [
    { function: 'search (own file)', input: '1000 documents of 120 bytes', bytes: 124232, ms: 18.6, homeMs: 1.95, breakEven: 'always' },
  ],
  recipe: {},
};
