'use strict';

const { code } = require('../texts');

const sizes = [
  {
    input: 'two files, with a map',
    args: () => [
      { 'a.js': code(0.3), 'b.js': 'const t = `a${1 + 1}`;' },
      { sourceMap: true, toplevel: true },
    ],
  },
  {
    input: 'no mangling, comments kept',
    args: () => [`/*! mine */ ${code(0.3)}`, { mangle: false, module: true, format: { comments: 'some' } }],
  },
  ...[0.5, 1, 2].map((kB) => ({ input: `${kB} kB`, args: () => [code(kB)] })),
];
/** Names that were mangled are remembered in it. */
const remembered = () => ['function first(second) { return second + 1 }', { toplevel: true, compress: {}, nameCache: {} }];

/** @type {import('../cases').Cases} */
module.exports = {
  functions: { minify: sizes, minify_sync: sizes },
  wrong: [
    { function: 'minify', args: () => ['let a; let a;'] },
    { function: 'minify', args: () => ['a', { nonsense: 1 }] },
    { function: 'minify_sync', args: () => ['if ('] },
  ],
  mutates: { minify: remembered, minify_sync: remembered },
};
