'use strict';

const assert = require('node:assert/strict');
const { EMPTY_MEMORY } = require('../../lib/rank/memory');
const { afterFailedStep, forgetCeiling, weighStep } = require('../../lib/rank/step');

const step = (changes) => ({ from: 0, to: 2, at: 0, rate: 500, utilisation: 0.98, promised: { rate: 1000, utilisation: 0.3 }, ...changes });

describe('rank/step', () => {
  it('weighs what came true of a promise, by the part that did best', () => {
    const half = weighStep(step(), { rate: 750, utilisation: 0.98 });
    assert.ok(Math.abs(half.kept - 0.5) < 1e-9 && Math.abs(half.gained - 0.5) < 1e-9);
    assert.ok(weighStep(step(), { rate: 500, utilisation: 0.3 }).kept > 0.99, 'the event loop is free, as promised');
    assert.ok(weighStep(step(), { rate: 490, utilisation: 0.99 }).kept < 0.05);
  });

  it('takes an event loop that is free for want of answers for no gain', () => {
    assert.ok(weighStep(step(), { rate: 420, utilisation: 0.3 }).kept > 0.99);
    assert.equal(weighStep(step(), { rate: 100, utilisation: 0.3 }).kept, 0);
  });

  it('cannot weigh a step that promised nothing that is measured', () => {
    const { kept } = weighStep(step({ promised: { rate: 505, utilisation: 0.96 } }), { rate: 400, utilisation: 0.99 });
    assert.equal(kept, Infinity);
  });

  it('keeps a step that answers more calls, though only the event loop was promised, and that is full all the same', () => {
    const promised = { rate: 83, utilisation: 0.83 };
    const now = weighStep(step({ rate: 82, utilisation: 1, promised }), { rate: 97, utilisation: 1 });
    assert.ok(now.kept > 0.15, `${now.kept}`);
    assert.ok(weighStep(step({ rate: 82, utilisation: 1, promised }), { rate: 84, utilisation: 1 }).kept < 0.05, 'as many as before');
  });

  it('takes a step without a promise for one that was to bring as many calls again', () => {
    assert.ok(Math.abs(weighStep(step({ promised: null }), { rate: 520, utilisation: 0.98 }).kept - 0.04) < 1e-9);
  });

  it('remembers a step that failed for longer each time, up to eight times as long', () => {
    const untils = [];
    let memory = EMPTY_MEMORY;
    for (let i = 0; i < 6; i++) {
      memory = afterFailedStep(memory, { count: 1, time: 0, delayMs: 1000, meanMs: 5 });
      untils.push(memory.ceiling.until);
    }
    assert.deepEqual(untils, [1000, 2000, 4000, 8000, 8000, 8000]);
  });

  it('forgets it when the time is over, keeping count; and altogether when calls have been others for a window', () => {
    const windowMs = 100;
    const memory = afterFailedStep(EMPTY_MEMORY, { count: 1, time: 0, delayMs: 1000, meanMs: 5 });
    assert.equal(forgetCeiling(memory, { time: 999, meanMs: 5, windowMs }), memory);
    const over = forgetCeiling(memory, { time: 1000, meanMs: 5, windowMs });
    assert.deepEqual([over.ceiling, over.failures], [null, 1]);
    for (const meanMs of [2, 11]) {
      const first = forgetCeiling(memory, { time: 10, meanMs, windowMs });
      assert.deepEqual([first.ceiling.otherSince, first.failures], [10, 1]);
      assert.equal(forgetCeiling(first, { time: 109, meanMs, windowMs }), first, 'not for a whole window yet');
      assert.equal(forgetCeiling(first, { time: 120, meanMs: 0, windowMs }), first, 'no calls say nothing');
      const again = forgetCeiling(first, { time: 109, meanMs: 5, windowMs });
      assert.equal(again.ceiling.otherSince, null, 'they are what they were');
      const { ceiling, failures } = forgetCeiling(first, { time: 110, meanMs, windowMs });
      assert.deepEqual([ceiling, failures], [null, 0]);
    }
    assert.equal(forgetCeiling(memory, { time: 10, meanMs: 0, windowMs }), memory, 'no calls say nothing');
  });

  it('learns what calls take from the first whole window, where that is not known', () => {
    const windowMs = 100;
    const memory = afterFailedStep(EMPTY_MEMORY, { count: 0, time: 0, delayMs: 1000, meanMs: 0 });
    assert.equal(forgetCeiling(memory, { time: 99, meanMs: 0.01, windowMs }), memory);
    assert.equal(forgetCeiling(memory, { time: 100, meanMs: 0, windowMs }), memory);
    const known = forgetCeiling(memory, { time: 100, meanMs: 4, windowMs });
    assert.equal(known.ceiling.meanMs, 4);
    assert.equal(forgetCeiling(known, { time: 200, meanMs: 9, windowMs }).ceiling.otherSince, 200);
  });
});
