'use strict';

// csv-parse 6 and 7, its main file: CSV as a stream. The synchronous one is csv-parse/sync, with a recipe of its own.

/** @type {import('../lib/types').ShippedRecipe} */
module.exports = {
  package: 'csv-parse',
  versions: ['6', '7'],
  files: ['./lib/index.js', './dist/cjs/stream.cjs', './lib/stream.js'],
  evidence: [
    'Read in dist/cjs/index.cjs (parse): it gives a Transform stream, also where it is given a callback, and what flows through that is cheap by the piece; sent away it would give nothing back.',
    'The stream yields between pieces, so it does not block for long. Whole texts are what csv-parse/sync is for.',
  ].join(' '),
  threads: true,
  pays: [],
  recipe: { cold: true },
};
