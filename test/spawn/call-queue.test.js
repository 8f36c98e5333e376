'use strict';

const assert = require('node:assert/strict');
const { CallQueue } = require('../../lib/spawn/call-queue');

describe('CallQueue', () => {
  it('serves first come first served, and what comes again before that', () => {
    const queue = new CallQueue();
    const calls = /** @type {any[]} */ (['a', 'b', 'c', 'd', 'e']);
    for (const call of calls.slice(0, 3)) queue.push(call);
    queue.shift();
    queue.pushFront(calls.slice(3));
    assert.equal(queue.size, 4);
    assert.equal(queue.first, 'd');
    assert.deepEqual(queue.takeAll(), ['d', 'e', 'b', 'c']);
    assert.equal(queue.size, 0);
    assert.equal(queue.first, undefined);
  });

  it('keeps its order over thousands that come and go', () => {
    const queue = new CallQueue();
    let next = 0;
    for (let i = 0; i < 5000; i++) {
      queue.push(/** @type {any} */ (i));
      if (i % 3 === 0) continue;
      assert.equal(queue.first, next++);
      queue.shift();
    }
    while (queue.size > 0) {
      assert.equal(queue.first, next++);
      queue.shift();
    }
    assert.equal(next, 5000);
  });
});
