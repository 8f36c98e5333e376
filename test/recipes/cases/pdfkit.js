'use strict';

const { prose } = require('../texts');

/** @param {number} count */
const paragraphs = (count) => Array.from({ length: count }, (_, i) => `${i}. ${prose(1)}`);

/** @type {import('../cases').Cases} */
module.exports = {
  functions: {},
  ownFile: { toPdf: [1, 4, 16].map((count) => ({ input: `${count} kB of text`, args: () => [paragraphs(count), new Date(0)] })) },
};
