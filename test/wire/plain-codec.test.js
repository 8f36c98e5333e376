'use strict';

const assert = require('node:assert/strict');
const lite = require('msgpack-lite');
const { Packr } = require('msgpackr');
const { PlainDecoder } = require('../../lib/wire/plain-decoder');
const { PlainEncoder } = require('../../lib/wire/plain-encoder');
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
  'x'.repeat(256),
  'x'.repeat(5000),
  'é'.repeat(3000),
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

describe('PlainEncoder', () => {
  it('writes what two other packages read as the same', () => {
    const encoder = new PlainEncoder();
    const decoder = new PlainDecoder();
    const random = new Random(11);
    let written = 0;
    for (let i = 0; i < 3000; i++) {
      const frames = [randomValue(random, 3), randomValue(random, 3)];
      const bytes = encoder.encode(frames);
      assert.ok(bytes);
      written += 1;
      assert.deepEqual(lite.decode(bytes), frames);
      assert.deepEqual(whole.unpack(bytes), frames);
      const read = decoder.decode(bytes);
      if (read !== null) assert.deepEqual(read, frames);
    }
    assert.equal(written, 3000);
  });

  it('never writes again to what it gave', () => {
    const encoder = new PlainEncoder();
    const given = Array.from({ length: 500 }, (_, i) => encoder.encode([i, 'text '.repeat(40)]));
    given.forEach((bytes, i) => assert.equal(lite.decode(bytes)[0], i));
  });

  it('leaves to the whole codec what is deep or of another kind', () => {
    const encoder = new PlainEncoder();
    let deep = /** @type {any} */ (1);
    for (let i = 0; i < 80; i++) deep = [deep];
    const others = [deep, [new Uint8Array(5)], [new Map()], [undefined], [1n], [{ within: [new Date(0)] }]];
    for (const frames of others) assert.equal(encoder.encode(frames), null);
    assert.deepEqual(lite.decode(/** @type {Buffer} */ (encoder.encode([1]))), [1]);
  });

  it('writes and reads what is larger than its memory, wherever that ends', () => {
    const encoder = new PlainEncoder();
    const decoder = new PlainDecoder();
    for (const length of [15, 16, 255, 256, 5000, 65_535, 65_536, 200_000]) {
      const frames = [
        Array.from({ length }, (_, i) => i * 0.5),
        'x'.repeat(length),
        'é😀'.repeat(length),
        Buffer.alloc(length, 5),
        Object.fromEntries(Array.from({ length: Math.min(length, 70_000) }, (_, i) => [`name ${i}`, i])),
      ];
      for (const one of length === 5000 ? [...frames, frames] : frames) {
        const bytes = /** @type {Buffer} */ (encoder.encode([one]));
        assert.deepEqual(whole.unpack(bytes), [one]);
        assert.deepEqual(decoder.decode(bytes), [one]);
      }
    }
  });

  it('stays within its memory whatever the lengths', () => {
    const encoder = new PlainEncoder();
    const decoder = new PlainDecoder();
    for (let first = 0; first < 3000; first++) {
      const frames = [['z'.repeat(first)], 'é'.repeat(3000 - first), first % 7 === 0 ? Buffer.alloc(first) : null, -1.5, 1.5, 2.5];
      const bytes = /** @type {Buffer} */ (encoder.encode(frames, first % 200));
      assert.deepEqual(decoder.decode(bytes, first % 200), frames);
    }
  });
});

describe('byte arrays', () => {
  it('travel as the whole codec writes and reads them', () => {
    const decoder = new PlainDecoder();
    for (let length = 0; length < 300; length++) {
      const frames = [4, [Buffer.alloc(length, length)], 'after'];
      const bytes = /** @type {Buffer} */ (new PlainEncoder().encode(frames));
      assert.deepEqual(bytes, Buffer.from(whole.pack(frames)));
      assert.deepEqual(decoder.decode(bytes), frames);
      for (let cut = 0; cut < bytes.length; cut++) assert.equal(decoder.decode(bytes.subarray(0, cut)), null);
    }
  });

  it('are memory of their own, wherever they were read from', () => {
    const bytes = Buffer.from(/** @type {Buffer} */ (new PlainEncoder().encode([Buffer.from('kept')])));
    const [kept] = new PlainDecoder().decode(bytes);
    bytes.fill(0);
    assert.deepEqual([kept, kept.buffer.byteLength], [Buffer.from('kept'), 4]);
  });
});

describe('PlainDecoder', () => {
  it('reads what another package writes, or leaves it', () => {
    const decoder = new PlainDecoder();
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

  it('knows records again, whatever comes between them', () => {
    const decoder = new PlainDecoder();
    const encoder = new PlainEncoder();
    const random = new Random(14);
    const names = ['a', 'b', 'name', 'é', '', '1', '0', 'constructor', 'a long name of more than thirty bytes'];
    for (let i = 0; i < 300; i++) {
      const count = 1 + random.below(4);
      const forms = Array.from({ length: 2 }, () => Array.from({ length: count }, () => names[random.below(names.length)]));
      const frames = Array.from({ length: 12 }, () =>
        Object.fromEntries(forms[random.below(10) === 0 ? 1 : 0].map((name) => [name, randomValue(random, 1)])),
      );
      const read = decoder.decode(/** @type {Buffer} */ (encoder.encode(frames)));
      assert.deepEqual(read, frames);
      assert.deepEqual(read.map(Object.keys), frames.map(Object.keys));
    }
  });

  it('makes what was cut within a record that it knows no object', () => {
    const decoder = new PlainDecoder();
    const bytes = Buffer.from(whole.pack(Array.from({ length: 4 }, (_, i) => ({ id: i, name: 'x'.repeat(40) }))));
    assert.equal(decoder.decode(bytes).length, 4);
    for (let cut = 0; cut < bytes.length; cut++) assert.equal(decoder.decode(bytes.subarray(0, cut)), null);
    for (let cut = 0; cut < bytes.length; cut++) assert.equal(decoder.decode(bytes, 0, cut), null);
  });

  it('leaves what is cut short, too long or changed to the whole codec, or reads it as that does', () => {
    const decoder = new PlainDecoder();
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
    const decoder = new PlainDecoder();
    for (let round = 0; round < 2; round++) {
      for (let i = 0; i < 3000; i++) {
        const frames = [{ [`k${i}`]: 1, [`é${i}`]: 2, [`Ã©${i}`]: 3 }];
        assert.deepEqual(decoder.decode(Buffer.from(whole.pack(frames))), frames);
      }
    }
  });

  it('makes nothing of the name __proto__, nor of endless depth', () => {
    const decoder = new PlainDecoder();
    const named = Buffer.from([0x82, 0xa9, ...Buffer.from('__proto__'), 0x81, 0xa1, 0x61, 1, 0xa1, 0x62, 2]);
    // A name that comes more than once in a row is expected the next time; this one never is.
    for (let times = 0; times < 4; times++) assert.equal(decoder.decode(named), null);
    assert.equal(decoder.decode(Buffer.alloc(1000, 0x91)), null);
    assert.equal(decoder.decode(Buffer.alloc(0)), null);
  });
});
