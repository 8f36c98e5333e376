'use strict';

const assert = require('node:assert/strict');
const { Settled } = require('../../lib/rank/settled');

/** @param {Record<string, number>} ready replicas of each module @returns {Map<string, any>} */
const setsOf = (ready) =>
  new Map(Object.entries(ready).map(([module, count]) => [module, { module, ready: count, pending: 0, queued: 0, callsPerSecond: 0 }]));

describe('rank/settled', () => {
  it('knows no part of the window while nothing has changed', () => {
    const settled = new Settled();
    settled.note(setsOf({ a: 0 }), 100);
    settled.note(setsOf({ a: 0, b: 0 }), 200);
    assert.equal(settled.spanMs(600, 1000), null, 'a set without replicas changes nothing');
  });

  it('gives the part since replicas began to serve, or ended, once it is long enough', () => {
    const settled = new Settled();
    settled.note(setsOf({ a: 0 }), 900);
    settled.note(setsOf({ a: 2, b: 1 }), 1000);
    settled.note(setsOf({ a: 2, b: 1 }), 1100);
    assert.equal(settled.spanMs(1299, 1000), null);
    assert.equal(settled.spanMs(1300, 1000), 300);
    assert.equal(settled.spanMs(1999, 1000), 999);
    assert.equal(settled.spanMs(2000, 1000), null, 'it is the window by now');
    settled.note(setsOf({ a: 2 }), 3000);
    assert.equal(settled.spanMs(3400, 1000), 400);
    settled.note(setsOf({ a: 1, b: 1 }), 3500);
    assert.equal(settled.spanMs(3600, 1000), null);
    settled.note(setsOf({ b: 1, a: 1 }), 3900);
    assert.equal(settled.spanMs(3900, 1000), 400, 'the order of the sets says nothing');
  });

  it('is fresh for as long as that part says too little; what was there from the first is not', () => {
    const settled = new Settled();
    assert.equal(settled.isFresh, false);
    settled.note(setsOf({ a: 1 }), 1000);
    assert.equal(settled.isFresh, false);
    const after = (ready, time) => {
      settled.note(setsOf(ready), time);
      return settled.isFresh;
    };
    assert.deepEqual([after({ a: 2 }, 2000), after({ a: 2 }, 2299), after({ a: 2 }, 2300)], [true, true, false]);
  });

  it('is fresh until callers, where many wait, have had their answers twice, for a window at the most, unless calls are long', () => {
    /** Whether it is so many ms after a replica began. */
    const isFresh = (/** @type {number} */ ms, /** @type {any} */ changes) => {
      const settled = new Settled();
      settled.note(setsOf({}), 1000);
      const set = { module: 'a', ready: 1, pending: 180, queued: 20, callsPerSecond: 500, ...changes };
      for (const time of [2000, 2000 + ms]) settled.note(new Map([['a', /** @type {any} */ (set)]]), time, 1000);
      assert.equal(settled.spanMs(2000 + ms, 1000), settled.isFresh || ms >= 1000 ? null : ms);
      return settled.isFresh;
    };
    assert.deepEqual([isFresh(799, {}), isFresh(800, {})], [true, false]);
    assert.deepEqual([isFresh(999, { callsPerSecond: 0 }), isFresh(1000, { callsPerSecond: 0 })], [true, false]);
    for (const few of [{ pending: 11 }, { callsPerSecond: 2000 }, { longestMs: 50 }, { isBlocked: true }])
      assert.deepEqual([isFresh(299, few), isFresh(300, few)], [true, false], JSON.stringify(few));
  });

  it('takes a module for another one, also where the number of replicas is the same', () => {
    const settled = new Settled();
    settled.note(setsOf({ a: 1 }), 1000);
    settled.note(setsOf({ b: 1 }), 2000);
    assert.equal(settled.spanMs(2500, 1000), 500);
  });
});
