'use strict';

const part = `
h2= title
each row in rows
  p(class=row.odd ? 'odd' : 'even' id='a')
    | #{row.name}:
    b!= row.html
`;

/** @param {number} rows */
const data = (rows) => ({
  title: 'A <page>',
  rows: Array.from({ length: rows }, (_, i) => ({ name: `row ${i} & more`, html: `<i>${i}</i>`, odd: i % 2 === 1 })),
});

/** @type {import('../cases').Cases} */
module.exports = {
  functions: {
    render: [1, 50, 1000].map((rows) => ({ input: `${rows} rows`, args: () => [part, data(rows)] })),
    compileClient: [1, 4, 10].map((parts) => ({ input: `${parts * 6} lines`, args: () => [part.repeat(parts), { name: 'page' }] })),
  },
  wrong: [{ function: 'render', args: () => ['p(', {}] }],
  setup: {
    filters: {
      write(pug) {
        pug.filters.twice = (/** @type {string} */ text) => text + text;
      },
      shows: { function: 'render', args: () => [':twice() text'] },
      staysHome: true,
    },
  },
};
