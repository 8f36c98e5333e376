'use strict';

// csv-parse 6 and 7, its main file: CSV as a stream. The synchronous one is csv-parse/sync, with a recipe of its own.

/** @type {import('../lib/types').ShippedRecipe} */
module.exports = {
  package: 'csv-parse',
  versions: ['6', '7'],
  files: ['./lib/index.js', './dist/cjs/stream.cjs', './lib/stream.js'],
  evidence: [
    'parse returns a Transform stream, even if it is given a callback; a call that is sent would give nothing back.',
    'Each piece that flows through the stream costs little, and the stream yields between pieces, so it does not block for long. For whole texts, use csv-parse/sync.',
    'Read in dist/cjs/index.cjs (parse).',
  ].join(' '),
  threads: true,
  pays: [],
  recipe: { cold: true },
};
