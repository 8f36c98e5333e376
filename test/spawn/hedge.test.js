'use strict';

const assert = require('node:assert/strict');
const { callsBehind, hedgeMsOf, HEDGE_MS } = require('../../lib/spawn/hedge');
const { Burst } = require('../../lib/spawn/burst');

/** @param {object} [given] @returns {any} */
const call = ({
  burst = 2,
  mode = 'await',
  canRerun = true,
  canReplay = true,
  isSettled = false,
  isHedged = false,
  hedgeMs = 20,
} = {}) => ({
  burst,
  mark: 0,
  canReplay,
  isSettled,
  isHedged,
  plan: { mode, canRerun, hedgeMs },
});

/** @param {number} stuckMs @param {any[]} calls @param {number} [ahead] that may not have run yet @returns {any} */
const replica = (stuckMs, calls, ahead = calls.length, typicalMs = 0) => ({
  ahead,
  stuckMs: () => stuckMs,
  outstanding: () => calls,
  pace: { typicalMs },
});
/** One that could take them. */
const idle = replica(0, []);

describe('the calls behind a long one', () => {
  const running = call({ burst: 1 });

  it('are those that wait behind the one that runs, each once, also those made in the same turn', () => {
    const [one, two] = [call(), call({ burst: 1 })];
    const list = [replica(25, [running, one, two]), idle];
    assert.deepEqual(callsBehind(list, 0), [one, two]);
    assert.deepEqual(callsBehind(list, 0), []);
  });

  it('are not those that have run, and only wait for what they asked for', () => {
    const [waiting, one] = [call({ burst: 1 }), call()];
    assert.deepEqual(callsBehind([replica(25, [waiting, running, one], 2), idle], 0), [one]);
    assert.deepEqual(callsBehind([replica(25, [waiting, call(), running], 1), idle], 0), []);
  });

  it('are none while a replica is not stuck, or has only one call', () => {
    assert.deepEqual(callsBehind([replica(19, [running, call()]), replica(500, [running])], 0), []);
    assert.deepEqual(callsBehind([replica(500, [running, call()])], 0), [], 'nobody else could take it');
  });

  it('are not those that may run only once, run asynchronously, are settled, or whose recipe says later or never', () => {
    const not = [
      { canRerun: false },
      { mode: 'promise' },
      { mode: 'callback' },
      { canReplay: false },
      { isSettled: true },
      { isHedged: true },
      { hedgeMs: 101 },
      { hedgeMs: Infinity },
    ];
    assert.deepEqual(callsBehind([replica(100, [running, ...not.map(call)]), idle], 0), []);
  });
});

describe('hedge of a recipe', () => {
  it('is a time, one by itself, or never', () => {
    assert.deepEqual([undefined, true, 50, false].map(hedgeMsOf), [undefined, undefined, 50, Infinity]);
  });

  it('is by itself a time that no call of the replica takes, whatever it takes for most', () => {
    const behind = (stuckMs, typicalMs, hedgeMs) => {
      const waiting = call({ hedgeMs });
      if (hedgeMs === undefined) delete waiting.plan.hedgeMs;
      return callsBehind([replica(stuckMs, [call(), waiting], 2, typicalMs), idle], 0).length;
    };
    assert.equal(behind(HEDGE_MS - 1, 0.1), 0);
    assert.equal(behind(HEDGE_MS, 0.1), 1);
    assert.equal(behind(20, 7), 0, 'calls of 7 ms that take turns on the cores');
    assert.equal(behind(28, 7), 1);
    assert.equal(behind(28, 70), 0);
    assert.equal(behind(28, 70, 20), 1, 'as its recipe says');
  });
});

describe('Burst', () => {
  it('gives all calls of one tick the same number', async () => {
    const burst = new Burst();
    const first = burst.current();
    assert.equal(burst.current(), first);
    await new Promise((resolve) => process.nextTick(resolve));
    assert.equal(burst.current(), first + 1);
  });

  it('lets calls of one burst join the replica of the last while its batch is open', () => {
    const burst = new Burst();
    const target = /** @type {any} */ ({ hasOpenBatch: true });
    assert.equal(burst.companion(1), null);
    burst.note(target, 1);
    assert.equal(burst.companion(1), target);
    assert.equal(burst.companion(2), null);
    target.hasOpenBatch = false;
    assert.equal(burst.companion(1), null);
  });
});
