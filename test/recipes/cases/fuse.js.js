'use strict';

const { prose } = require('../texts');

const words = prose(2).split(' ');
/** @param {number} i */
const documentOf = (i) => ({ id: i, title: `${words[i % words.length]} ${i}`, text: words.slice(i % 100, (i % 100) + 12).join(' ') });

/** @type {import('../cases').Cases} */
module.exports = {
  functions: {},
  ownFile: {
    search: [10, 100, 1000].map((count) => ({
      input: `${count} documents of 120 bytes`,
      args: () => [Array.from({ length: count }, (_, i) => documentOf(i)), 'runner gardens'],
    })),
  },
};
