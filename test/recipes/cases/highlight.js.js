'use strict';

const { code, sizes } = require('../texts');

/** @type {import('../cases').Cases} */
module.exports = {
  functions: {},
  ownFile: {
    highlight: sizes([1, 4, 16], code, (text) => [text, 'javascript']),
    highlightAuto: sizes([1, 2, 4], code, (text) => [text, ['javascript', 'python', 'css']]),
  },
};
