'use strict';

const { installed } = require('../installed');

const COUNTS = [10, 100, 1000];
/** @type {Map<number, Buffer>} */
const books = new Map();

/** Books to read, made once. */
async function before() {
  const { Workbook } = require(require.resolve('exceljs', { paths: [installed()] }));
  for (const count of COUNTS) {
    const book = new Workbook();
    const sheet = book.addWorksheet('some');
    for (let i = 0; i < count; i++) sheet.addRow([i, `name ${i}`, i % 2 === 0, new Date(86400000 * i), i / 4]);
    books.set(count, Buffer.from(await book.xlsx.writeBuffer()));
  }
}

/** @type {import('../cases').Cases} */
module.exports = {
  functions: {},
  wrap: {
    before,
    functions: {
      rowsOf: COUNTS.map((count) => ({ input: `${count} rows of 5`, args: () => [Buffer.from(/** @type {Buffer} */ (books.get(count)))] })),
    },
    wrong: [{ function: 'rowsOf', args: () => [Buffer.from('no archive')] }],
  },
};
