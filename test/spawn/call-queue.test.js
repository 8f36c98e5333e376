'use strict';

const assert = require('node:assert/strict');
const { AGING_MS, CallQueue } = require('../../lib/spawn/call-queue');
const { Random } = require('../helpers/random');

/** @param {any} name @param {number} [priority] @param {number} [mark] @returns {any} */
const call = (name, priority, mark = 0) => ({ name, mark, waitsSince: 0, plan: { priority } });

/** Fills a queue, and empties it. @param {[at: number, ...made: any[]][]} rows in the order of their times @returns {any[]} names */
function served(...rows) {
  const queue = new CallQueue();
  for (const [at, name, priority, mark] of rows) queue.push(call(name, priority, mark), at);
  return queue.takeAll().map(({ name }) => name);
}

describe('CallQueue', () => {
  it('serves first come first served, and what comes again before that', () => {
    const queue = new CallQueue();
    const calls = ['a', 'b', 'c', 'd', 'e'].map((name) => call(name));
    for (const one of calls.slice(0, 3)) queue.push(one, 0);
    queue.shift();
    queue.pushFront(calls.slice(3), 0);
    assert.equal(queue.size, 4);
    assert.equal(queue.first?.name, 'd');
    assert.deepEqual(
      queue.takeAll().map(({ name }) => name),
      ['d', 'e', 'b', 'c'],
    );
    assert.equal(queue.size, 0);
    assert.equal(queue.first, undefined);
  });

  it('lets what comes again pass nothing from before a change, and keeps it once', () => {
    const queue = new CallQueue();
    const [before, after, last] = [call('before', 0, 1), call('after', 0, 2), call('last', 0, 3)];
    queue.push(last, 0);
    queue.pushFront([before], 0);
    // Both may be named once more: sent twice, and the replica that had them is lost.
    queue.pushFront([after], 0);
    queue.pushFront([before, after], 0);
    assert.equal(queue.mark, 1);
    assert.deepEqual(
      queue.takeAll().map(({ name }) => name),
      ['before', 'after', 'last'],
    );
  });

  it('knows for how long there have always been calls that wait', () => {
    const queue = new CallQueue();
    assert.equal(queue.waitedMs(5), 0);
    queue.push(call('a'), 10);
    queue.push(call('b'), 20);
    queue.shift();
    assert.equal(queue.waitedMs(30), 20, 'also when the first one does not wait any more');
    queue.shift();
    assert.equal(queue.waitedMs(40), 0);
    queue.pushFront([call('c')], 50);
    assert.equal(queue.waitedMs(60), 10);
  });

  it('keeps its order over thousands that come and go', () => {
    const queue = new CallQueue();
    let next = 0;
    for (let i = 0; i < 5000; i++) {
      queue.push(call(i), i);
      if (i % 3 === 0) continue;
      assert.equal(queue.first?.name, next++);
      queue.shift();
    }
    while (queue.size > 0) {
      assert.equal(queue.first?.name, next++);
      queue.shift();
    }
    assert.equal(next, 5000);
  });

  it('serves higher priorities first, equals in their order, and what comes again before all', () => {
    assert.deepEqual(served([0, 'a'], [1, 'b', 1], [2, 'c', -1], [3, 'd', 1], [4, 'e', 0]), ['b', 'd', 'a', 'e', 'c']);
    const queue = new CallQueue();
    queue.push(call('urgent', 9), 0);
    queue.pushFront([call('again', -9)], 0);
    assert.deepEqual(
      queue.takeAll().map(({ name }) => name),
      ['again', 'urgent'],
    );
  });

  it('lets nothing pass a call that has waited as long as their priorities differ', () => {
    assert.deepEqual(served([0, 'old'], [AGING_MS - 1, 'new', 1]), ['new', 'old']);
    assert.deepEqual(served([0, 'old'], [AGING_MS, 'new', 1]), ['old', 'new']);
    assert.deepEqual(served([0, 'old'], [3 * AGING_MS - 1, 'new', 3], [3 * AGING_MS + 1, 'newer', 3]), ['new', 'old', 'newer']);
  });

  it('serves each call at last under an endless stream of urgent ones', () => {
    const queue = new CallQueue();
    queue.push(call('patient', -5), 0);
    let at = 0;
    for (;;) {
      queue.push(call('urgent', 5), ++at);
      if (queue.first?.name !== 'urgent' || at > 1e5) break;
      queue.shift();
    }
    assert.equal(at, 10 * AGING_MS);
  });

  it('lets nothing pass a call from before a change of the module', () => {
    assert.deepEqual(served([0, 'before', 0, 1], [1, 'after', 9, 2], [2, 'later', 0, 2]), ['before', 'after', 'later']);
    const queue = new CallQueue();
    queue.push(call('urgent', 9, 4), 0);
    assert.equal(queue.mark, 4);
    queue.push(call('other', 0, 5), 0);
    queue.shift();
    assert.equal(queue.mark, 5);
    queue.shift();
    assert.equal(queue.mark, Infinity);
  });

  it('gives out all that came, each once, in the order of the rule', () => {
    const random = new Random(7);
    const rows = Array.from({ length: 2000 }, (_, i) => [i * 3, i, random.below(9) - 4]);
    const names = served(...rows);
    const urgency = (/** @type {number} */ i) => rows[i][2] * AGING_MS - rows[i][0];
    assert.deepEqual(
      names,
      rows.map((_, i) => i).sort((a, b) => urgency(b) - urgency(a)),
    );
  });
});
