'use strict';

// fuse.js 7: fuzzy search.

/** @type {import('../lib/types').ShippedRecipe} */
module.exports = {
  package: 'fuse.js',
  versions: ['7'],
  files: ['./dist/fuse.mjs'],
  evidence: [
    'Read in dist/fuse.cjs (its statics, and every variable of the module): a Fuse holds its documents and their index, and searches them; it stays where it was made. Fuse.createIndex and parseIndex give objects that do as well.',
    'Fuse.use adds ways of searching for all later searches, so nothing is said of its state. Fuse.config is frozen.',
    "What moves is a function that is given the documents, in a file of its own. Where they stay the same, let that file keep them: a function that takes them, under setup, and state: 'private'; then each replica gets them once.",
    'Found documents are sent back whole; let the function answer with their ids where they are large.',
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
