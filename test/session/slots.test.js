'use strict';

const assert = require('node:assert/strict');
const { Slots } = require('../../lib/session/slots');

/** @returns {any} */
const call = (sequence = 0) => ({ id: -1, sequence, finish: () => {}, fail: () => {} });

describe('the slots of a link', () => {
  it('give an answered id out again, and tell when somebody begins and ceases to wait', () => {
    const told = [];
    const slots = new Slots((isWaiting) => told.push(isWaiting));
    const [a, b, c] = [call(), call(), call()];
    assert.deepEqual([slots.take(a), slots.take(b)], [0, 1]);
    assert.equal(slots.settle(0), a);
    assert.equal(slots.take(c), 0);
    assert.equal(slots.settle(1), b);
    assert.equal(slots.settle(0), c);
    assert.deepEqual([slots.pending, told], [0, [true, false]]);
  });

  it('count words that are waited for among the calls, until the link ends', () => {
    const told = [];
    const slots = new Slots((isWaiting) => told.push(isWaiting));
    slots.wait();
    slots.take(call());
    slots.settle(0);
    assert.deepEqual([slots.pending, slots.outstanding(), told], [1, [], [true]]);
    slots.waitNoMore();
    slots.wait();
    slots.clear();
    slots.waitNoMore();
    assert.deepEqual([slots.pending, told], [0, [true, false, true, false]]);
  });

  it('refuse an answer that nobody asked for', () => {
    const slots = new Slots(() => {});
    assert.throws(() => slots.settle(0), { code: 'IGNIS_BAD_FRAME' });
    slots.take(call());
    slots.settle(0);
    assert.throws(() => slots.settle(0), { code: 'IGNIS_BAD_FRAME' });
  });

  it('keep the id of an abandoned call until its answer comes, and wait for it no more', () => {
    const told = [];
    const slots = new Slots((isWaiting) => told.push(isWaiting));
    const [late, next] = [call(1), call(2)];
    slots.take(late);
    slots.abandon(late);
    slots.abandon(late);
    assert.deepEqual([slots.pending, slots.outstanding(), told], [0, [], [true, false]]);
    assert.equal(slots.take(next), 1);
    assert.equal(slots.settle(0), late);
    assert.deepEqual([slots.pending, slots.outstanding()], [1, [next]]);
    assert.equal(slots.take(call()), 0);
  });

  it('look for no abandoned call among all the others that are never answered, but for one that went over another link since', () => {
    const [slots, other] = [new Slots(() => {}), new Slots(() => {})];
    const { indexOf, includes } = Array.prototype;
    let searches = 0;
    for (const native of [indexOf, includes]) {
      Array.prototype[native.name] = function (...args) {
        searches++;
        return Reflect.apply(native, this, args);
      };
    }
    const moved = call();
    try {
      other.take(call());
      for (let i = 0; i < 10; i++) {
        const late = call();
        slots.take(late);
        slots.abandon(late);
        if (!slots.has(late)) throw new Error('a call that was abandoned is here until its answer comes');
      }
      slots.take(moved);
    } finally {
      Object.assign(Array.prototype, { indexOf, includes });
    }
    assert.equal(searches, 0);
    other.take(moved);
    assert.deepEqual([moved.id, slots.has(moved), other.has(moved)], [1, true, true]);
    slots.abandon(moved);
    assert.deepEqual([slots.pending, other.pending], [0, 2]);
  });

  it('give back what is waited for in the order of sending', () => {
    const slots = new Slots(() => {});
    const calls = [call(3), call(1), call(2)];
    for (const one of calls) slots.take(one);
    assert.deepEqual(
      slots.outstanding().map(({ sequence }) => sequence),
      [1, 2, 3],
    );
    slots.clear();
    assert.equal(slots.pending, 0);
  });

  it('fail what is asked when the link has ended, and hold nothing of it', async () => {
    const told = [];
    const slots = new Slots((isWaiting) => told.push(isWaiting));
    slots.clear();
    const error = await new Promise((resolve) => {
      const late = { ...call(), fail: resolve };
      slots.take(late);
      slots.abandon(late);
    });
    assert.deepEqual([error.code, error.ran], ['IGNIS_REPLICA_LOST', 'no']);
    assert.deepEqual([slots.pending, slots.outstanding(), told], [0, [], []]);
  });
});
