'use strict';

const { xml } = require('../texts');

const SIZES = [1, 8, 64];

/** @type {import('../cases').Cases} */
module.exports = {
  functions: {
    'XMLValidator.validate': [
      { input: 'a wrong one', args: () => ['<a>\n<b></a>'] },
      { input: 'an unpaired tag', args: () => ['<a><br></a>', { unpairedTags: ['br'] }] },
      ...SIZES.map((kB) => ({ input: `${kB} kB`, args: () => [xml(kB)] })),
    ],
  },
  wrong: [{ function: 'XMLValidator.validate', args: () => [undefined] }],
  ownFile: { parse: SIZES.map((kB) => ({ input: `${kB} kB`, args: () => [xml(kB)] })) },
};
