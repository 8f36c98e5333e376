'use strict';

const assert = require('node:assert/strict');
const { EMPTY_MEMORY, afterScaleIn, afterScaleOut, limitOf, seeBlocked, seeLongLoad, whileLow } = require('../../lib/rank/memory');

const promised = { rate: 90, utilisation: 0.5 };
const out = (changes) => ({
  from: 0,
  to: 1,
  time: 1000,
  rate: 60,
  utilisation: 1,
  meanMs: 5,
  promised,
  isBest: false,
  reclaimMs: 5000,
  ...changes,
});

describe('rank/memory', () => {
  it('has a step out wait for its judgement', () => {
    const { step } = afterScaleOut(EMPTY_MEMORY, out());
    assert.deepEqual(step, { from: 0, to: 1, at: 1000, isUnseen: true, rate: 60, utilisation: 1, meanMs: 5, promised, isBest: false });
  });

  it('judges a step on top of one that waits by what both were to bring', () => {
    const first = afterScaleOut(EMPTY_MEMORY, out());
    const { step } = afterScaleOut(
      first,
      out({ from: 1, to: 3, time: 1500, rate: 11, promised: { rate: 12, utilisation: 0.5 }, isBest: true }),
    );
    assert.deepEqual(step, { from: 0, to: 3, at: 1500, isUnseen: true, rate: 60, utilisation: 1, meanMs: 5, promised, isBest: true });
    const other = afterScaleOut(first, out({ from: 2, to: 3, rate: 11 }));
    assert.deepEqual([other.step.from, other.step.rate], [2, 11], 'one that does not follow on it stands alone');
  });

  it('ends the judgement with the replicas', () => {
    assert.equal(afterScaleIn(afterScaleOut(EMPTY_MEMORY, out()), { from: 1, to: 0, time: 2000 }).step, null);
  });

  it('takes the load of long calls as a mean of some seconds, from what it began with', () => {
    const begun = seeLongLoad(EMPTY_MEMORY, 0.6, 1000);
    assert.equal(begun.longLoad, 0, 'no time has passed');
    const later = seeLongLoad(begun, 0.6, 4000);
    assert.ok(Math.abs(later.longLoad - 0.6 * (1 - 1 / Math.E)) < 1e-9);
    assert.ok(Math.abs(seeLongLoad(later, 0, 7000).longLoad - later.longLoad / Math.E) < 1e-9);
    assert.equal(afterScaleIn(later, { from: 2, to: 0, time: 1 }).longLoad, 0);
  });

  it('notes that replicas were all in long calls when that came again, not when it lasted', () => {
    const seen = (/** @type {[boolean, number][]} */ ...ticks) =>
      ticks.reduce((memory, [isBlocked, time]) => seeBlocked(memory, isBlocked, 2, time), EMPTY_MEMORY).tooFew;
    assert.equal(seen([true, 0], [true, 100], [true, 9000]), 0);
    assert.equal(seen([true, 0], [false, 100], [true, 9000]), 2);
    assert.equal(seen([true, 0], [false, 100], [true, 10_001]), 0);
    const known = { ...EMPTY_MEMORY, tooFew: 3 };
    assert.equal(seeBlocked(known, true, 2, 0).tooFew, 3);
    assert.equal(afterScaleIn(known, { from: 3, to: 1, time: 1 }).tooFew, 3);
    assert.equal(afterScaleIn(known, { from: 3, to: 0, time: 1 }).tooFew, 0);
  });

  it('counts no time in which nobody looked, since the program was stopped, as one in which fewer replicas would have done', () => {
    const [keepMs, windowMs] = [5000, 1000];
    const before = whileLow(whileLow(EMPTY_MEMORY, 4, 0, keepMs, windowMs).memory, 3, 100, keepMs, windowMs);
    const stopped = whileLow(before.memory, 1, 20_100, keepMs, windowMs);
    assert.deepEqual([stopped.peak, stopped.lowMs], [4, 1100], 'what was needed before it was stopped is not forgotten');
    const waited = whileLow(stopped.memory, 1, 20_200, keepMs, windowMs);
    assert.deepEqual([waited.peak, waited.lowMs], [4, 1200]);
    const late = whileLow(before.memory, 1, 1000, keepMs, windowMs);
    assert.deepEqual([late.peak, late.lowMs], [4, 1000], 'a late look sees all since the last one');
  });

  it('names what it is that allows no more: what was measured before what was foreseen', () => {
    const ceiling = { count: 2, until: 9, meanMs: 1 };
    const veto = { count: 2, until: 9, meanMs: 1, room: 1 };
    assert.equal(limitOf({ ...EMPTY_MEMORY, ceiling, veto }, 2, 2), 'ceiling');
    assert.equal(limitOf({ ...EMPTY_MEMORY, veto }, 2, 2), 'vetoed');
    assert.equal(limitOf({ ...EMPTY_MEMORY, veto }, 2, 3), null);
    assert.equal(limitOf({ ...EMPTY_MEMORY, veto }, 1, 1), null);
    assert.equal(limitOf(EMPTY_MEMORY, 2, 2), null);
  });
});
