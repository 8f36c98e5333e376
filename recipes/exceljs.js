'use strict';

// exceljs 4: spreadsheets. (xlsx is not in the book: the last version in the registry, 0.18.5, has known vulnerabilities that only later
// versions, published elsewhere, mend.)

/** @type {import('../lib/types').ShippedRecipe} */
module.exports = {
  package: 'exceljs',
  versions: ['4'],
  evidence: [
    'Read in lib/exceljs.nodejs.js and for variables in lib/doc, lib/utils and lib/xlsx/xlsx.js: the module exports classes and tables of names, and keeps no state.',
    'A Workbook is an object of sheets, rows and cells that refer to each other, and stays where it was made; xlsx.load, xlsx.writeBuffer and csv work on it there, most of the time synchronously between awaits.',
    'Reading gives the same for the same bytes. Writing does not: a file holds the times of its making, in the book and in each entry of the archive.',
    "What moves is a function of your own that takes bytes and gives rows, or the other way round, in a file of its own; for one that writes say { call: 'await', state: 'none', idempotent: true }.",
  ].join(' '),
  threads: true,
  ownFile: [
    "const { Workbook } = require('exceljs');",
    '',
    'exports.rowsOf = async (bytes) => {',
    '  const book = await new Workbook().xlsx.load(bytes);',
    '  return book.worksheets.map((sheet) => sheet.getSheetValues());',
    '};',
    '',
  ].join('\n'),
  pays: [{ function: 'rowsOf (own file)', input: '500 rows of 3', bytes: 66001, ms: 8.5, homeMs: 1.59, breakEven: 'always' }],
  recipe: { state: 'none' },
};
