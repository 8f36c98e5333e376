'use strict';

const template = `<h1>{{ title }}</h1>
{% for row in rows %}<p class="{{ 'odd' if row.odd else 'even' }}">{{ row.name | twice }}: {{ row.html | safe }}</p>
{% endfor %}`;

/** @param {number} rows */
const data = (rows) => ({
  title: 'A <page>',
  rows: Array.from({ length: rows }, (_, i) => ({ name: `row ${i} & more`, html: `<b>${i}</b>`, odd: i % 2 === 1 })),
});

/** @type {import('../cases').Cases} */
module.exports = {
  functions: {},
  mutates: { precompileString: () => ['a {{ b }}', { name: 'own' }] },
  ownFile: { render: [1, 50, 1000].map((rows) => ({ input: `${rows} rows`, args: () => [template, data(rows)] })) },
};
