'use strict';

const { xml } = require('../texts');

const SIZES = [1, 8, 32];

/** @type {import('../cases').Cases} */
module.exports = {
  functions: {
    parseStringPromise: [
      { input: 'a small one, with options', args: () => ['<a x="1">t<b/></a>', { explicitArray: false, mergeAttrs: true, trim: true }] },
      ...SIZES.map((kB) => ({ input: `${kB} kB`, args: () => [xml(kB)] })),
    ],
  },
  wrong: [
    { function: 'parseStringPromise', args: () => ['<a><b></a>'] },
    { function: 'parseStringPromise', args: () => ['no xml'] },
  ],
  mutates: { parseStringPromise: () => ['<A/>', { normalizeTags: true, tagNameProcessors: [] }] },
};
