'use strict';

// exceljs 4: spreadsheets. (xlsx is not in the book: the last version in the registry, 0.18.5, has known vulnerabilities that only later
// versions, published elsewhere, mend.)

/** @type {import('../lib/types').ShippedRecipe} */
module.exports = {
  package: 'exceljs',
  versions: ['4'],
  evidence: [
    "What can move is a function in a file of your own that takes bytes and returns rows, or the other way round. For one that writes, say { call: 'await', state: 'none', idempotent: true }.",
    'Reading gives the same rows for the same bytes. Writing does not give the same bytes: the workbook and each entry of the archive hold the time at which they were made.',
    'A Workbook stays where it was made: it is an object of sheets, rows and cells that refer to each other. xlsx.load, xlsx.writeBuffer and csv work on it there, mostly synchronously between awaits.',
    'The module exports classes and tables of names, and keeps no state.',
    'Read in lib/exceljs.nodejs.js, and for variables in lib/doc, lib/utils and lib/xlsx/xlsx.js.',
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
