'use strict';

const { prose } = require('../texts');

const words = prose(2).split(' ');
/** @param {number} i */
const documentOf = (i) => ({ id: i, title: `${words[i % words.length]} ${i}`, text: words.slice(i % 100, (i % 100) + 40).join(' ') });

/** @type {import('../cases').Cases} */
module.exports = {
  functions: {},
  ownFile: {
    build: [2, 20, 200].map((count) => ({
      input: `${count} documents of 290 bytes`,
      args: () => [['title', 'text'], Array.from({ length: count }, (_, i) => documentOf(i))],
    })),
  },
};
