'use strict';

const assert = require('node:assert/strict');
const { makeCodec, CODEC_NAMES } = require('../../lib/wire/codec');
const { Random } = require('../helpers/random');
const { withoutPackage } = require('../helpers/without-package');

/** What frames may hold. */
const VALUES = [
  null,
  true,
  false,
  0,
  1,
  -1,
  127,
  128,
  -32,
  -33,
  255,
  256,
  65535,
  65536,
  -32768,
  -32769,
  2 ** 31 - 1,
  2 ** 31,
  2 ** 32 - 1,
  2 ** 32,
  -(2 ** 31),
  -(2 ** 31) - 1,
  Number.MAX_SAFE_INTEGER,
  Number.MIN_SAFE_INTEGER,
  Number.MAX_VALUE,
  Number.MIN_VALUE,
  Infinity,
  -Infinity,
  NaN,
  0.1,
  -1.5,
  1e21,
  2 ** 53,
  2 ** 63,
  2 ** 64,
  -(2 ** 63),
  '',
  'a',
  'é',
  '日本',
  '😀',
  '\0',
  'x'.repeat(31),
  'x'.repeat(32),
  'é'.repeat(300),
  'y'.repeat(70000),
  '__proto__',
  'constructor',
  [],
  [[]],
  [null, [1, [2, [3]]]],
  Array(16).fill(0),
  Array(70000).fill(1),
  {},
  { a: 1 },
  { '': null },
  { a: { b: { c: [] } } },
  { length: 3 },
  { 0: 'a', 1: 'b' },
  { 'a b': 1, ü: 2 },
  { hasOwnProperty: 1, toString: 2, valueOf: 3 },
  Object.fromEntries(Array.from({ length: 40 }, (_, i) => [`name${i}`, i])),
];

for (const name of CODEC_NAMES) {
  describe(`codec ${name}`, () => {
    const codec = makeCodec(name);

    it('gives back each value that frames may hold', () => {
      for (const value of VALUES) assert.deepEqual(codec.decode(codec.encode([[6, 0, value, null]])), [[6, 0, value, null]]);
    });

    it('gives back byte arrays of any size, byte for byte', () => {
      for (const length of [0, 1, 31, 255, 256, 4095, 65536, 1 << 20]) {
        const bytes = new Random(length).bytes(Math.min(length, 4096));
        const whole = Buffer.alloc(length, bytes.length === 0 ? undefined : bytes);
        const [[seen]] = codec.decode(codec.encode([[whole]]));
        assert.ok(ArrayBuffer.isView(seen));
        assert.ok(whole.equals(seen));
      }
    });

    it('gives bytes that the next encoding does not overwrite', () => {
      const first = codec.encode([['a'.repeat(100)]]);
      const copy = Buffer.from(first);
      for (let i = 0; i < 200; i++) codec.encode([['b'.repeat(100 + i)]]);
      assert.ok(first.equals(copy));
    });

    it('leaves room before what it encodes, and reads from there to an end', () => {
      for (const length of [1, 100, 2000, 70000]) {
        const frames = [[6, 0, 'é'.repeat(length), null], [-1.5]];
        const bytes = codec.encode(frames, 12);
        assert.deepEqual(bytes.subarray(12), codec.encode(frames));
        bytes.fill(0xc1, 0, 12);
        assert.deepEqual(codec.decode(bytes, 12), frames);
        const amid = Buffer.concat([bytes, Buffer.alloc(20, 1)]);
        assert.deepEqual(codec.decode(amid, 12, bytes.length), frames);
        for (let cut = 1; cut < 20; cut++) assert.throws(() => assert.deepEqual(codec.decode(amid, 12, bytes.length - cut), frames));
      }
    });

    it('keeps nothing of the bytes that it read', () => {
      const frames = [['a'.repeat(100), Buffer.from('bytes'), 'b'.repeat(2000)]];
      const bytes = Buffer.from(codec.encode(frames));
      const seen = codec.decode(bytes);
      bytes.fill(0x21);
      assert.deepEqual([seen[0][0], Buffer.from(seen[0][1]), seen[0][2]], frames[0]);
    });

    it('reads what the others wrote, and they what it wrote', () => {
      for (const other of CODEC_NAMES) {
        const writer = makeCodec(other);
        for (const value of VALUES) assert.deepEqual(codec.decode(writer.encode([value])), [value], `written by ${other}`);
      }
    });

    it('does not let bytes reach a prototype', () => {
      const { decode } = makeCodec(name);
      // {"__proto__": {"isEvil": true}} as MessagePack; an encoder given a plain object would not write it
      const bytes = Buffer.concat([
        Buffer.from([0x91, 0x81, 0xa9]),
        Buffer.from('__proto__'),
        Buffer.from([0x81, 0xa6]),
        Buffer.from('isEvil'),
        Buffer.from([0xc3]),
      ]);
      let object = {};
      try {
        [object] = decode(bytes);
      } catch {
        // Refused whole.
      }
      assert.equal({}.isEvil, undefined);
      assert.equal(Object.keys(Object.prototype).length, 0);
      assert.equal(Object.getPrototypeOf(object), Object.prototype);
      assert.equal(object.isEvil, undefined);
    });
  });
}

describe('makeCodec', () => {
  it('says which package is missing, and how to install it', () => {
    withoutPackage('msgpack-lite', () =>
      assert.throws(() => makeCodec('msgpack-lite'), {
        code: 'IGNIS_BAD_OPTION',
        message: /codec 'msgpack-lite' needs the package msgpack-lite: npm install msgpack-lite$/,
      }),
    );
  });

  it("knows no other name, not even one of an object's own machinery", () => {
    for (const name of ['json', 'constructor', '__proto__', 'toString']) assert.throws(() => makeCodec(name), { code: 'IGNIS_BAD_OPTION' });
  });
});
