'use strict';

const { code } = require('../texts');

const imports = "import first from 'one';\nimport * as second from './two.js';\n";

/** @type {import('../cases').Cases} */
module.exports = {
  functions: {},
  mutates: { parse: () => ['a // b', { ecmaVersion: 2022, onComment: [], onToken: [] }] },
  ownFile: { importsOf: [1, 8, 64].map((kB) => ({ input: `${kB} kB`, args: () => [imports + code(kB)] })) },
};
