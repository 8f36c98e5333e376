'use strict';

const zlib = require('node:zlib');
const { prose } = require('../texts');

const SIZES = [1, 16, 128];
/** @param {number} kB */
const bytes = (kB) => new Uint8Array(Buffer.from(prose(kB)));
/** @param {(data: Uint8Array) => Buffer} pack @param {any} [options] */
const packed = (pack, ...options) => SIZES.map((kB) => ({ input: `${kB} kB`, args: () => [new Uint8Array(pack(bytes(kB))), ...options] }));
const plain = SIZES.map((kB) => ({ input: `${kB} kB`, args: () => [bytes(kB)] }));
const text = {
  input: 'a text, with options',
  args: () => ['some text, some text', { level: 9, dictionary: new TextEncoder().encode('some text') }],
};

/** @type {import('../cases').Cases} */
module.exports = {
  functions: {
    deflate: [text, ...plain],
    deflateRaw: plain,
    gzip: plain,
    inflate: packed(zlib.deflateSync),
    inflateRaw: packed(zlib.deflateRawSync),
    ungzip: [{ input: '1 kB, to text', args: () => [new Uint8Array(zlib.gzipSync(bytes(1))), { toText: true }] }, ...packed(zlib.gzipSync)],
  },
  wrong: [
    { function: 'inflate', args: () => [new Uint8Array([1, 2, 3])] },
    { function: 'inflate', args: () => [new Uint8Array(zlib.deflateSync(bytes(1))).subarray(0, 20)] },
    { function: 'deflate', args: () => [bytes(1), { level: 77 }] },
  ],
};
