'use strict';

const { code, sizes } = require('../texts');

const grammar = () => ({ word: { pattern: /\b[a-z]+\b/, greedy: true }, rest: { number: /\d+/ } });

/** @type {import('../cases').Cases} */
module.exports = {
  functions: {},
  mutates: { highlight: () => ['a 1', grammar(), 'own'], tokenize: () => ['a 1', grammar()] },
  ownFile: { highlight: sizes([1, 8, 32], code, (text) => [text, 'javascript']) },
};
