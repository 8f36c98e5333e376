'use strict';
/*
 * What can happen to a block on its way, or be sent by somebody who means harm. In: random numbers, blocks, frames. Out: other blocks and
 * frames.
 */
const { HEAD_BYTES } = require('../../lib/wire/block');

/** @typedef {import('../helpers/random').Random} Random */
/** @typedef {(random: Random, bytes: Buffer) => Buffer} Harm */

/** @param {Random} random @param {Buffer} bytes @returns {[number, number]} from and to of some part of it */
function part(random, bytes) {
  const from = random.below(bytes.length);
  return [from, Math.min(bytes.length, from + 1 + random.below(random.pick([4, 64, 1000])))];
}

/** @param {Random} random @param {Buffer} bytes @param {number} most how far into it @param {(copy: Buffer, at: number) => void} change */
function changed(random, bytes, most, change) {
  if (bytes.length < HEAD_BYTES) return bytes;
  const copy = Buffer.from(bytes);
  change(copy, random.below(Math.min(copy.length, most)));
  return copy;
}

/** Marks of lengths, extensions and the like, by which a decoder takes memory or turns elsewhere. */
const MARKS = [
  0xc1, 0xc4, 0xc5, 0xc6, 0xc7, 0xc8, 0xc9, 0xcf, 0xd3, 0xd4, 0xd5, 0xd8, 0xd9, 0xdb, 0xdc, 0xdd, 0xde, 0xdf, 0x80, 0x90, 0x9f, 0xff,
];

/** @type {Record<string, Harm>} */
const HARMS = {
  'flipped bits': (random, bytes) => {
    const copy = Buffer.from(bytes);
    for (let i = 1 + random.below(4); i > 0; i--) copy[random.below(copy.length)] ^= 1 << random.below(8);
    return copy;
  },
  'other bytes': (random, bytes) => {
    const copy = Buffer.from(bytes);
    for (let i = 1 + random.below(4); i > 0; i--) copy[random.below(Math.min(copy.length, 400))] = random.below(256);
    return copy;
  },
  cut: (random, bytes) => bytes.subarray(0, random.below(bytes.length)),
  'a part taken out': (random, bytes) => {
    const [from, to] = part(random, bytes);
    return Buffer.concat([bytes.subarray(0, from), bytes.subarray(to)]);
  },
  'bytes put in': (random, bytes) => {
    const at = random.below(bytes.length);
    return Buffer.concat([bytes.subarray(0, at), random.bytes(1 + random.below(9)), bytes.subarray(at)]);
  },
  'a part twice': (random, bytes) => {
    const [from, to] = part(random, bytes);
    return Buffer.concat([bytes.subarray(0, to), bytes.subarray(from)]);
  },
  'parts swapped': (random, bytes) => {
    const [a, b, c] = [random.below(bytes.length), random.below(bytes.length), random.below(bytes.length)].sort((x, y) => x - y);
    return Buffer.concat([bytes.subarray(0, a), bytes.subarray(b, c), bytes.subarray(a, b), bytes.subarray(c)]);
  },
  'another length in the head': (random, bytes) =>
    changed(random, bytes, 1, (copy) =>
      copy.writeUInt32LE(random.pick([0, 1, 0x7fffffff, 0xffffffff, bytes.length, random.below(4096)]), random.pick([4, 8])),
    ),
  'another version or mark': (random, bytes) => changed(random, bytes, 4, (copy, at) => (copy[at] = random.below(256))),
  'another mark in the body': (random, bytes) =>
    changed(random, bytes, 4000, (copy, at) => (copy[Math.max(at, Math.min(HEAD_BYTES, copy.length - 1))] = random.pick(MARKS))),
  'a huge length in the body': (random, bytes) =>
    changed(random, bytes, 4000, (copy, at) => {
      const from = Math.min(Math.max(at, HEAD_BYTES), Math.max(0, copy.length - 5));
      copy[from] = random.pick([0xc6, 0xc9, 0xdb, 0xdd, 0xdf]);
      if (from + 5 <= copy.length) copy.writeUInt32BE(random.pick([0xffffffff, 0x7fffffff, 0x01000000, copy.length]), from + 1);
    }),
};

const HARM_NAMES = Object.keys(HARMS);

exports.HARMS = HARMS;
exports.HARM_NAMES = HARM_NAMES;
