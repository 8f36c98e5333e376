'use strict';

const assert = require('node:assert/strict');
const { BytePool, streamPool } = require('../../lib/wire/byte-pool');
const { SharedPool, threadPool } = require('../../lib/wire/shared-pool');

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
    const [pool, shared] = [new BytePool(), new SharedPool()];
    const bytes = Buffer.alloc(100, 7);
    assert.deepEqual([pool.copyOf(bytes), shared.copyOf(bytes)], [bytes, bytes]);
    assert.ok(pool.copyOf(bytes).buffer.byteLength > 100);
    assert.equal(shared.copyOf(bytes).buffer.byteLength, 100);
    assert.equal(pool.take(4096).buffer.byteLength, 4096);
    assert.equal(shared.copyOf(Buffer.alloc(100000)).buffer.byteLength, 131072);
  });

  it('shares with threads what comes back, and nothing else', () => {
    const shared = new SharedPool();
    const sizes = [100, 5000, 100000, 1 << 20, (16 << 20) + 1];
    const isShared = sizes.map((bytes) => shared.copyOf(Buffer.alloc(bytes)).buffer instanceof SharedArrayBuffer);
    assert.deepEqual(isShared, [false, false, true, true, false]);
    assert.ok(new BytePool().copyOf(Buffer.alloc(100000)).buffer instanceof ArrayBuffer);
  });

  it('lets threads read one copy of what is given to several calls, which comes back after the last of them', () => {
    const shared = new SharedPool();
    const bytes = Buffer.alloc(100000, 7);
    const copies = [shared.copyOf(bytes), shared.copyOf(bytes), shared.copyOf(bytes)];
    assert.equal(new Set(copies).size, 1);
    for (const copy of copies) {
      assert.notEqual(shared.take(100000).buffer, copy.buffer, 'it is still out');
      shared.give(copy);
    }
    assert.equal(shared.take(100000).buffer, copies[0].buffer);
    assert.notEqual(shared.copyOf(bytes).buffer, copies[0].buffer, 'somebody else has it now');
  });

  it('makes another copy of what has changed, or lies elsewhere, and of what goes by a stream', () => {
    const shared = new SharedPool();
    const memory = new ArrayBuffer(300000);
    const bytes = new Uint8Array(memory, 0, 100000);
    const first = shared.copyOf(bytes);
    bytes[99999] = 1;
    const second = shared.copyOf(bytes);
    assert.notEqual(second, first);
    assert.deepEqual([first[99999], second[99999]], [0, 1]);
    for (const other of [new Uint8Array(memory, 0, 100001), new Uint8Array(memory, 100000, 100000), bytes.slice()])
      assert.deepEqual(shared.copyOf(other), Buffer.from(other));
    shared.give(first);
    const pool = new BytePool();
    assert.notEqual(pool.copyOf(bytes), pool.copyOf(bytes));
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

  it('has room again for what was taken, and none is taken by what it does not keep', () => {
    const pool = new BytePool();
    const most = Array.from({ length: 4 }, () => pool.take(16 << 20));
    for (let n = 0; n < 3; n++) {
      for (const buffer of most) pool.give(buffer);
      const again = Array.from({ length: 4 }, () => pool.take(16 << 20));
      assert.ok(again.every(({ buffer }) => most.some((old) => old.buffer === buffer)));
    }
    for (let n = 0; n < 2048; n++) pool.give(Buffer.from(new ArrayBuffer(32 * 1024)));
    for (let n = 0; n < 2; n++) pool.give(Buffer.from(new ArrayBuffer(32 << 20)));
    pool.give(most[0]);
    assert.equal(pool.take(16 << 20).buffer, most[0].buffer);
  });

  it('is one for streams, and another one for threads', () => {
    assert.ok(streamPool.take(100000).buffer instanceof ArrayBuffer);
    assert.ok(threadPool.take(100000).buffer instanceof SharedArrayBuffer);
  });

  it('knows which buffers come back when they are written', () => {
    const pool = new BytePool();
    assert.equal(pool.isOneUse(pool.take(100000, true)), true);
    assert.equal(pool.isOneUse(pool.take(100000)), false);
  });
});
