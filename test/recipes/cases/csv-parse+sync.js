'use strict';

/** @param {number} rows */
const csv = (rows) =>
  `id,name,note,when\n${Array.from({ length: rows }, (_, id) => `${id},"name, ${id}","said ""${id}""",2026-01-02`).join('\n')}\n`;
const COUNTS = [10, 100, 1000];

/** @type {import('../cases').Cases} */
module.exports = {
  functions: {
    parse: [
      {
        input: 'bytes and options',
        args: () => [
          Buffer.from('\ufeffa;b\n# no\n1; x \n'),
          { bom: true, delimiter: ';', comment: '#', trim: true, cast: true, info: true },
        ],
      },
      { input: 'a list of columns', args: () => ['1,2\n3,4,5\n', { columns: ['a', 'b'], relax_column_count: true, objname: 'a' }] },
      ...COUNTS.map((rows) => ({ input: `${rows} rows of 40 bytes`, args: () => [csv(rows), { columns: true }] })),
    ],
  },
  wrong: [
    { function: 'parse', args: () => ['a,b\n1,2,3\n', { columns: true }] },
    { function: 'parse', args: () => ['a,"b\n'] },
    { function: 'parse', args: () => ['a', { delimiter: 5 }] },
  ],
};
