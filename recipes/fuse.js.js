'use strict';

// fuse.js 7: fuzzy search.

/** @type {import('../lib/types').ShippedRecipe} */
module.exports = {
  package: 'fuse.js',
  versions: ['7'],
  files: ['./dist/fuse.mjs'],
  evidence: [
    'Read whole (dist/fuse.cjs): a Fuse holds its documents and their index, and searches them; it stays where it was made. Fuse.createIndex and parseIndex give objects that do as well.',
    'Fuse.use adds ways of searching for all later searches, so nothing is said of its state. Fuse.config is frozen.',
    'What moves is a module of your own that holds the documents: use is its set-up, which each replica repeats, so documents cross once for each and queries are small. See wrap.',
    'Found documents are sent back whole; give each an id, and only that as its key, where they are large.',
  ].join(' '),
  threads: true,
  pays: [],
  wrap: {
    lines: [
      "const fuse = new (require('fuse.js'))([], { keys: ['title', 'text'] });",
      'exports.use = (documents) => fuse.setCollection(documents);',
      'exports.search = (pattern, limit) => fuse.search(pattern, { limit });',
    ],
    recipe: { call: 'await', state: 'private', idempotent: true, setup: ['use'] },
    pays: [],
  },
  recipe: {},
};
