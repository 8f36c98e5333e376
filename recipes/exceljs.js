'use strict';

// exceljs 4: spreadsheets. (xlsx is not in the book: the last version in the registry, 0.18.5, has known vulnerabilities that only later versions, published elsewhere, mend.)

/** @type {import('../lib/types').ShippedRecipe} */
module.exports = {
  package: 'exceljs',
  versions: ['4'],
  evidence: [
    'Read in lib/doc and lib/xlsx: the module exports classes and tables of names, and keeps no state.',
    'A Workbook is an object of sheets, rows and cells that refer to each other, and stays where it was made; xlsx.load, xlsx.writeBuffer and csv work on it there, most of the time synchronously between awaits.',
    'Reading gives the same for the same bytes. Writing does not: a file holds the times of its making, in the book and in each entry of the archive.',
    'What moves is a function of your own that takes bytes and gives rows, or the other way round, in a file with a recipe of its own: see wrap; for writing say idempotent instead of pure.',
  ].join(' '),
  threads: true,
  pays: [],
  wrap: {
    lines: [
      "const { Workbook } = require('exceljs');",
      'const read = (bytes) => new Workbook().xlsx.load(bytes);',
      'exports.rowsOf = async (bytes) => (await read(bytes)).worksheets.map((sheet) => sheet.getSheetValues());',
    ],
    recipe: { call: 'await', pure: true },
    pays: [],
  },
  recipe: { state: 'none' },
};
