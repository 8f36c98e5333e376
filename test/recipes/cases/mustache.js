'use strict';

const template = `<h1>{{title}}</h1>
{{#rows}}<p>{{name}}: {{{html}}}{{#odd}} odd{{/odd}}{{^odd}} even{{/odd}} {{> part}}</p>
{{/rows}}`;

/** @param {number} rows */
const data = (rows) => ({
  title: 'A <page>',
  rows: Array.from({ length: rows }, (_, i) => ({ name: `row ${i} & more`, html: `<b>${i}</b>`, odd: i % 2 === 1 })),
});

const shows = { function: 'render', args: () => ['{{a}} <%a%>', { a: '<b>' }] };

/** @type {import('../cases').Cases} */
module.exports = {
  functions: {
    render: [1, 50, 1000].map((rows) => ({ input: `${rows} rows`, args: () => [template, data(rows), { part: '<i>{{name}}</i>' }] })),
    escape: [1, 8, 64].map((kB) => ({ input: `${kB} kB`, args: () => ['a <b> & "c" '.repeat(kB * 85)] })),
  },
  wrong: [
    { function: 'render', args: () => ['{{#open}}', {}] },
    { function: 'render', args: () => [42, {}] },
  ],
  setup: {
    tags: {
      write(mustache) {
        mustache.tags = ['<%', '%>'];
      },
      shows,
    },
    escape: {
      write(mustache) {
        mustache.escape = String;
      },
      shows,
      staysHome: true,
    },
  },
};
