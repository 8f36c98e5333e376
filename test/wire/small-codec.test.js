'use strict';

const assert = require('node:assert/strict');
const lite = require('msgpack-lite');
const { Packr } = require('msgpackr');
const { SmallDecoder, SmallEncoder } = require('../../lib/wire/small-codec');
const { Random } = require('../helpers/random');

const whole = new Packr({ useRecords: false, mapsAsObjects: true, moreTypes: false, variableMapSize: true });
const NUMBERS = [
  0,
  -0,
  1,
  127,
  128,
  255,
  256,
  65535,
  65536,
  2 ** 32 - 1,
  2 ** 32,
  -1,
  -32,
  -33,
  -(2 ** 31),
  -(2 ** 31) - 1,
  0.5,
  NaN,
  -Infinity,
];
const TEXTS = [
  '',
  'a',
  'x'.repeat(31),
  'x'.repeat(32),
  'x'.repeat(64),
  'x'.repeat(65),
  'x'.repeat(255),
  'é',
  'é'.repeat(40),
  '😀',
  '\0',
  'constructor',
];

/** @param {Random} random @param {number} depth */
function randomValue(random, depth) {
  const kind = random.below(depth > 0 ? 6 : 4);
  if (kind === 0) return NUMBERS[random.below(NUMBERS.length)];
  if (kind === 1) return TEXTS[random.below(TEXTS.length)];
  if (kind < 4) return [null, true, false, random.below(1000)][random.below(4)];
  const inner = Array.from({ length: random.below(5) }, () => randomValue(random, depth - 1));
  return kind === 4 ? inner : Object.fromEntries(inner.map((value, i) => [TEXTS[i + random.below(8)], value]));
}

describe('SmallEncoder', () => {
  it('writes what two other packages read as the same', () => {
    const encoder = new SmallEncoder();
    const decoder = new SmallDecoder();
    const random = new Random(11);
    let written = 0;
    for (let i = 0; i < 3000; i++) {
      const frames = [randomValue(random, 3), randomValue(random, 3)];
      const bytes = encoder.encode(frames);
      if (bytes === null) continue;
      written += 1;
      assert.deepEqual(lite.decode(bytes), frames);
      assert.deepEqual(whole.unpack(bytes), frames);
      const read = decoder.decode(bytes);
      if (read !== null) assert.deepEqual(read, frames);
    }
    assert.ok(written > 2000, `${written} of 3000 were small`);
  });

  it('never writes again to what it gave', () => {
    const encoder = new SmallEncoder();
    const given = Array.from({ length: 500 }, (_, i) => encoder.encode([i, 'text '.repeat(40)]));
    given.forEach((bytes, i) => assert.equal(lite.decode(bytes)[0], i));
  });

  it('leaves to the whole codec what is large, deep, long or of another kind', () => {
    const encoder = new SmallEncoder();
    let deep = /** @type {any} */ (1);
    for (let i = 0; i < 40; i++) deep = [deep];
    const others = [
      ['x'.repeat(400)],
      [['y'.repeat(200), 'y'.repeat(200), 'y'.repeat(200), 'y'.repeat(200), 'y'.repeat(200)]],
      [Array(16).fill(0)],
      [Object.fromEntries(Array.from({ length: 16 }, (_, i) => [`n${i}`, i]))],
      deep,
      [Buffer.alloc(256)],
      [new Uint8Array(5)],
      [new Map()],
      [undefined],
      [1n],
    ];
    for (const frames of others) assert.equal(encoder.encode(frames), null);
    assert.deepEqual(lite.decode(/** @type {Buffer} */ (encoder.encode([1]))), [1]);
  });

  it('stays within its slab whatever the lengths', () => {
    for (let first = 0; first < 340; first++) {
      const bytes = new SmallEncoder().encode([['z'.repeat(first)], 'z'.repeat(340 - first), 'z'.repeat(300), -1.5, 1.5, 2.5]);
      if (bytes !== null) assert.ok(bytes.length <= 1024);
    }
  });
});

describe('short byte arrays', () => {
  it('travel as the whole codec writes and reads them', () => {
    const decoder = new SmallDecoder();
    for (let length = 0; length < 256; length++) {
      const frames = [4, [Buffer.alloc(length, length)], 'after'];
      const bytes = /** @type {Buffer} */ (new SmallEncoder().encode(frames));
      assert.deepEqual(bytes, Buffer.from(whole.pack(frames)));
      assert.deepEqual(decoder.decode(bytes), frames);
      for (let cut = 0; cut < bytes.length; cut++) assert.equal(decoder.decode(bytes.subarray(0, cut)), null);
    }
  });

  it('are memory of their own, wherever they were read from', () => {
    const bytes = Buffer.from(/** @type {Buffer} */ (new SmallEncoder().encode([Buffer.from('kept')])));
    const [kept] = new SmallDecoder().decode(bytes);
    bytes.fill(0);
    assert.deepEqual([kept, kept.buffer.byteLength], [Buffer.from('kept'), 4]);
  });
});

describe('SmallDecoder', () => {
  it('reads what another package writes, or leaves it', () => {
    const decoder = new SmallDecoder();
    const random = new Random(12);
    let read = 0;
    for (let i = 0; i < 3000; i++) {
      const frames = [randomValue(random, 3), randomValue(random, 3)];
      const bytes = Buffer.from(i % 2 === 0 ? whole.pack(frames) : lite.encode(frames));
      const got = decoder.decode(bytes);
      if (got === null) continue;
      read += 1;
      // Some write -0 as 0, so what the package itself reads is what counts.
      assert.deepEqual(got, whole.unpack(bytes));
    }
    assert.ok(read > 2000, `${read} of 3000 were read`);
  });

  it('leaves what is cut short, too long or changed to the whole codec, or reads it as that does', () => {
    const decoder = new SmallDecoder();
    const random = new Random(13);
    const bytes = Buffer.from(whole.pack([[4, 300, 0, [{ id: 70000, name: 'é', ok: true, at: 1.5 }, 'x'.repeat(40)], null]]));
    for (let cut = 0; cut < bytes.length; cut++) assert.equal(decoder.decode(bytes.subarray(0, cut)), null, `cut at ${cut}`);
    assert.equal(decoder.decode(Buffer.concat([bytes, Buffer.from([0])])), null);
    for (let i = 0; i < 5000; i++) {
      const changed = Buffer.from(bytes);
      changed[random.below(bytes.length)] = random.below(256);
      const got = decoder.decode(changed);
      if (got !== null) assert.deepEqual(got, whole.unpack(changed));
    }
  });

  it('tells keys apart whose bytes are alike', () => {
    const decoder = new SmallDecoder();
    for (let round = 0; round < 2; round++) {
      for (let i = 0; i < 3000; i++) {
        const frames = [{ [`k${i}`]: 1, [`é${i}`]: 2, [`Ã©${i}`]: 3 }];
        assert.deepEqual(decoder.decode(Buffer.from(whole.pack(frames))), frames);
      }
    }
  });

  it('makes nothing of the name __proto__, nor of endless depth', () => {
    const decoder = new SmallDecoder();
    assert.equal(decoder.decode(Buffer.from([0x81, 0xa9, ...Buffer.from('__proto__'), 0x81, 0xa1, 0x61, 1])), null);
    assert.equal(decoder.decode(Buffer.alloc(1000, 0x91)), null);
    assert.equal(decoder.decode(Buffer.alloc(0)), null);
  });
});
