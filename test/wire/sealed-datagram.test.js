'use strict';

const assert = require('node:assert/strict');
const crypto = require('node:crypto');
const { KEY_BYTES, LENGTH_BYTES, MOST_BYTES, ROOM_BYTES, seal, unseal } = require('../../lib/wire/sealed-datagram');
const { SPAN, Arrivals } = require('../../lib/wire/arrivals');

const key = crypto.randomBytes(KEY_BYTES);
const calls = [Buffer.from('one'), Buffer.alloc(0), Buffer.from('three')];

describe('a sealed datagram', () => {
  it('gives back what was sealed, and shows nothing of it on the way', () => {
    const datagram = seal(key, 7, calls);
    assert.deepEqual(unseal(key, datagram), { number: 7, calls });
    assert.equal(datagram.includes('one') || datagram.includes('three'), false);
  });

  it('as large as it may be fits', () => {
    const datagram = seal(key, 2 ** 40, [Buffer.alloc(ROOM_BYTES - LENGTH_BYTES, 1)]);
    assert.equal(datagram.length, MOST_BYTES);
    assert.equal(unseal(key, datagram).calls[0].length, ROOM_BYTES - LENGTH_BYTES);
    assert.equal(unseal(key, Buffer.concat([datagram, Buffer.alloc(1)])), null);
  });

  it('is none with one bit changed anywhere, cut short, longer, or of another key', () => {
    const datagram = seal(key, 7, calls);
    for (let bit = 0; bit < datagram.length * 8; bit++) {
      const other = Buffer.from(datagram);
      other[bit >> 3] ^= 1 << (bit & 7);
      assert.equal(unseal(key, other), null, `bit ${bit}`);
    }
    for (let length = 0; length < datagram.length; length++) assert.equal(unseal(key, datagram.subarray(0, length)), null);
    assert.equal(unseal(key, Buffer.concat([datagram, Buffer.alloc(1)])), null);
    assert.equal(unseal(crypto.randomBytes(KEY_BYTES), datagram), null);
  });

  it('is none whose lengths claim what is not there, though it was sealed so', () => {
    // What `seal` would give for such a call, were it longer than it says.
    const sealed = seal(key, 1, [Buffer.from([0xff, 0xff, 0])]);
    assert.deepEqual(unseal(key, sealed).calls, [Buffer.from([0xff, 0xff, 0])]);
    const lying = Object.assign(Buffer.from('abc'), {});
    Object.defineProperty(lying, 'length', { value: 3 });
    const cipher = crypto.createCipheriv('aes-256-gcm', key, Buffer.concat([Buffer.alloc(4), sealed.subarray(1, 9)]));
    cipher.setAAD(sealed.subarray(0, 9));
    const body = cipher.update(Buffer.from([0, 9, 1, 2]));
    cipher.final();
    assert.equal(unseal(key, Buffer.concat([sealed.subarray(0, 9), body, cipher.getAuthTag()])), null);
  });
});

describe('arrivals', () => {
  it('lets each number pass once, in any order', () => {
    const arrivals = new Arrivals();
    assert.deepEqual(
      [3, 1, 3, 2, 1, 4].map((number) => arrivals.admit(number)),
      [true, true, false, true, false, true],
    );
    assert.equal(arrivals.highest, 4);
  });

  it('lets none pass that the sender takes for lost, nor one that is too old to be known', () => {
    const arrivals = new Arrivals();
    arrivals.admit(10);
    assert.equal(arrivals.raise(7), 7);
    assert.equal(arrivals.raise(5), 7);
    assert.deepEqual(
      [6, 7, 8].map((number) => arrivals.admit(number)),
      [false, false, true],
    );
    assert.equal(arrivals.admit(10 + SPAN), true);
    assert.deepEqual(
      [10, 11].map((number) => arrivals.admit(number)),
      [false, true],
    );
    assert.equal(arrivals.admit(10 + 5 * SPAN), true);
    assert.deepEqual(
      [11 + SPAN, 9 + 5 * SPAN, 9 + 5 * SPAN].map((number) => arrivals.admit(number)),
      [false, true, false],
    );
  });
});
