'use strict';

const assert = require('node:assert/strict');
const { BytePool } = require('../../lib/wire/byte-pool');

describe('BytePool', () => {
  it('gives buffers of exactly the size asked for', () => {
    const pool = new BytePool();
    for (const bytes of [0, 1, 65535, 65536, 65537, 1 << 20, (16 << 20) + 1]) assert.equal(pool.take(bytes).byteLength, bytes);
  });

  it('gives the memory that came back to the next who asks for such a size', () => {
    const pool = new BytePool();
    const first = pool.take(100000);
    pool.give(first);
    assert.equal(pool.take(110000).buffer, first.buffer);
    assert.notEqual(pool.take(110000).buffer, first.buffer);
  });

  it('cuts what is small from memory that Node has, unless it is for threads, which are given that', () => {
    const [pool, shared] = [new BytePool(), new BytePool(true)];
    assert.deepEqual([pool.allocate(100).length, shared.allocate(100).length], [100, 100]);
    assert.ok(pool.allocate(100).buffer.byteLength > 100);
    assert.equal(shared.allocate(100).buffer.byteLength, 100);
    assert.equal(pool.take(4096).buffer.byteLength, 4096);
    assert.equal(shared.allocate(100000).buffer.byteLength, 131072);
  });

  it('shares with threads what comes back, and nothing else', () => {
    const shared = new BytePool(true);
    const sizes = [100, 5000, 100000, 1 << 20, (16 << 20) + 1];
    const isShared = sizes.map((bytes) => shared.allocate(bytes).buffer instanceof SharedArrayBuffer);
    assert.deepEqual(isShared, [false, false, true, true, false]);
    assert.ok(new BytePool().allocate(100000).buffer instanceof ArrayBuffer);
  });

  it('keeps neither small memory, nor what was not its own, nor more than its limit', () => {
    const pool = new BytePool();
    const small = pool.take(5000);
    pool.give(small);
    assert.ok(pool.take(5000).buffer !== small.buffer);
    const foreign = Buffer.allocUnsafeSlow(100000);
    pool.give(foreign);
    assert.notEqual(pool.take(100000).buffer, foreign.buffer);
    const many = Array.from({ length: 6 }, () => pool.take(16 << 20));
    many.forEach((buffer) => pool.give(buffer));
    const again = Array.from({ length: 6 }, () => pool.take(16 << 20).buffer);
    assert.equal(again.filter((buffer) => many.some((old) => old.buffer === buffer)).length, 4);
  });

  it('knows which buffers come back when they are written', () => {
    const pool = new BytePool();
    assert.equal(pool.isOneUse(pool.take(100000, true)), true);
    assert.equal(pool.isOneUse(pool.take(100000)), false);
  });
});
