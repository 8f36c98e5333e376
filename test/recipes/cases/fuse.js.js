'use strict';

const { prose } = require('../texts');

const words = prose(2).split(' ');
/** @param {number} i */
const documentOf = (i) => ({ id: i, title: `${words[i % words.length]} ${i}`, text: words.slice(i % 100, (i % 100) + 12).join(' ') });

/** @type {import('../cases').Cases} */
module.exports = {
  functions: {},
  wrap: {
    begin: [{ function: 'use', args: () => [Array.from({ length: 1000 }, (_, i) => documentOf(i))] }],
    functions: {
      search: ['run', 'runner gardens', 'a longer pattern of words'].map((pattern) => ({
        input: `${pattern.length} characters, 1,000 documents`,
        args: () => [pattern, 5],
      })),
    },
  },
};
