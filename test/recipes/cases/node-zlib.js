'use strict';

const zlib = require('node:zlib');
const { words } = require('../texts');

const PAIRS = [
  ['deflate', 'inflate'],
  ['gzip', 'gunzip'],
  ['deflateRaw', 'inflateRaw'],
  ['gzip', 'unzip'],
  ['brotliCompress', 'brotliDecompress'],
];
const KBS = [1, 8, 32];

/** @param {(kB: number) => Buffer} toInput */
const sizes = (toInput) => KBS.map((kB) => ({ input: `${kB} kB of text`, args: () => [toInput(kB)] }));

/** @param {number} kB */
const text = (kB) => Buffer.from(words(kB));

/** @type {Record<string, import('../cases').Size[]>} */
const functions = {};
for (const [pack, unpack] of PAIRS) {
  const packed = /** @type {any} */ (zlib)[`${pack}Sync`];
  for (const [name, made] of /** @type {const} */ ([
    [pack, sizes(text)],
    [unpack, sizes((kB) => packed(text(kB)))],
  ])) {
    functions[`${name}Sync`] = made;
    functions[name] = made.map((size) => ({ ...size, callback: true }));
  }
}

/** @type {import('../cases').Cases} */
module.exports = {
  functions,
  wrong: [
    { function: 'gunzipSync', args: () => [Buffer.from('this was never packed')] },
    { function: 'deflateSync', args: () => [42] },
  ],
};
