'use strict';

const { sizes } = require('../texts');

const part = '<h2>{{title}}</h2>{{#each rows}}<p>{{name}} {{upper kind}}{{#if odd}} odd{{else}} even{{/if}}</p>{{/each}}\n';
const template = (/** @type {number} */ kB) => part.repeat(Math.ceil((kB * 1024) / part.length));

/** @param {number} rows */
const data = (rows) => ({
  title: 'A <page>',
  rows: Array.from({ length: rows }, (_, i) => ({ name: `row ${i} & more`, kind: 'kind', odd: i % 2 === 1 })),
});

/** @type {import('../cases').Cases} */
module.exports = {
  functions: { precompile: sizes([0.1, 1, 4], template) },
  wrong: [{ function: 'precompile', args: () => ['{{#if a}}'] }],
  ownFile: { render: [1, 50, 1000].map((rows) => ({ input: `${rows} rows`, args: () => [part, data(rows)] })) },
};
