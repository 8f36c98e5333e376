'use strict';

const assert = require('node:assert/strict');
const { checkBody } = require('../../lib/wire/body-check');
const { makeCodec } = require('../../lib/wire/codec');

const hex = (/** @type {string} */ text) => Buffer.from(text.replaceAll(' ', ''), 'hex');

describe('checkBody', () => {
  it('lets pass whatever our codecs write', () => {
    const text = (/** @type {number} */ length) => 'x'.repeat(length);
    const frames = [
      [0, 127, 128, 255, 256, 65536, 2 ** 32, 2 ** 53, -1, -32, -33, -128, -129, -(2 ** 31), -(2 ** 40), 0.5, NaN, Infinity],
      [null, true, false, '', text(31), text(32), text(255), text(256), text(65536), 'ünï'],
      [Buffer.alloc(0), Buffer.alloc(255), Buffer.alloc(256), Buffer.alloc(65536)],
      [[], Array(15).fill(0), Array(16).fill([]), Array(65536).fill(null)],
      [{}, { a: { b: {} } }, Object.fromEntries(Array.from({ length: 70000 }, (_, i) => [`k${i}`, i]))],
    ];
    for (const name of ['msgpackr', 'msgpack-lite']) {
      const bytes = makeCodec(name).encode(frames);
      assert.equal(checkBody(bytes), bytes);
    }
  });

  const WRONG = {
    'a list longer than the body': 'dd 7f ff ff ff',
    'lists in lists that claim the same bytes': `${'dc 00 30 '.repeat(16)} ${'c0'.repeat(40)}`,
    'a map longer than the body': 'df 7f ff ff ff',
    'a text longer than the body': 'db 7f ff ff ff 61',
    'bytes longer than the body': 'c6 ff ff ff ff',
    'a number cut short': 'cb 00 00',
    'nothing at all': '',
    'bytes left over': '90 90',
    'an extension': 'd4 01 00',
    'an extension of any length': 'c7 01 05 00',
    'a mark that none has': 'c1',
    'a number for a key': '81 01 01',
    'a negative number for a key': '81 ff 01',
    'a list for a key': '81 90 01',
    'a list with a length of its own for a key': '81 dc 00 00 01',
    'a map for a key': '81 de 00 00 01',
    'bytes for a key': '81 c4 01 61 01',
    'a key that is taken for the prototype': '81 a9 5f 5f 70 72 6f 74 6f 5f 5f 80',
    'the same key, spelled at length': '81 da 00 09 5f 5f 70 72 6f 74 6f 5f 5f 80',
    'too many levels': `${'91'.repeat(300)} c0`,
  };
  for (const [title, bytes] of Object.entries(WRONG)) {
    it(`refuses ${title}`, () => assert.throws(() => checkBody(hex(bytes)), { code: 'IGNIS_BAD_FRAME' }));
  }

  it('lets such a key be a value', () => {
    checkBody(hex('91 a9 5f 5f 70 72 6f 74 6f 5f 5f'));
  });
});

describe('a codec given a small body that claims much', () => {
  for (const name of ['msgpackr', 'msgpack-lite']) {
    it(`takes little memory for it, and throws: ${name}`, () => {
      const { decode } = makeCodec(name);
      // Lists in lists, each as long as all that follows: 1 MiB of them would be many GiB.
      const body = Buffer.concat([...Array.from({ length: 4000 }, () => hex('dd 00 0f ff f0')), Buffer.alloc(1 << 20, 0xc0)]);
      const before = process.memoryUsage().rss;
      assert.throws(() => decode(body));
      assert.ok(process.memoryUsage().rss - before < 256 * 2 ** 20);
    });
  }
});
