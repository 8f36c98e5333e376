'use strict';

const assert = require('node:assert/strict');
const { FRACTIONS, exponential, meanOf, ofLongest, samplerOf } = require('../../lib/rank/service-time');

/** The mean of what a sampler gives for random numbers that are evenly spread. */
const meanDrawn = (times, draws = 100_000) => {
  const sample = samplerOf(times);
  let sum = 0;
  for (let index = 0; index < draws; index++) sum += sample((index + 0.5) / draws);
  return sum / draws;
};
const near = (actual, expected, by) => assert.ok(Math.abs(actual - expected) <= by, `${actual} is not ${expected}`);

describe('rank/service-time', () => {
  it('draws one time, a list of times in any order, and quantiles', () => {
    assert.equal(samplerOf(7)(0.3), 7);
    assert.deepEqual([0, 0.25, 0.5, 1].map(samplerOf([30, 10, 20])), [10, 15, 20, 30]);
    assert.equal(samplerOf([4])(0.9), 4);
    const lines = samplerOf({ fractions: [0, 0.9, 1], ms: [0, 9, 109] });
    near(lines(0.45), 4.5, 1e-9);
    near(lines(0.95), 59, 1e-9);
    near(lines(1), 109, 1e-9);
  });

  it('draws with the mean that it says', () => {
    for (const times of [
      3,
      [1, 2, 9],
      { fractions: [0, 0.9, 1], ms: [0, 9, 109] },
      { fractions: [0, 0.5, 1], ms: [1, 2, 300], meanMs: 4 },
      { fractions: [0, 0.5, 1], ms: [1, 2, 3], meanMs: 50 },
      { fractions: [0, 0.5, 1], ms: [1, 2, 3], meanMs: 0.5 },
      { fractions: [0, 1], ms: [0, 0], meanMs: 2 },
      exponential(5),
    ]) {
      near(meanDrawn(times), meanOf(times), 0.002 * meanOf(times));
    }
  });

  it('keeps the quantiles when it is given their mean', () => {
    const ms = FRACTIONS.map((fraction) => (fraction >= 0.99 ? 300 : fraction));
    const sample = samplerOf({ fractions: FRACTIONS, ms, meanMs: 4 });
    for (const fraction of [0.2, 0.5, 0.9]) assert.ok(sample(fraction) <= fraction + 0.1 && sample(fraction) >= fraction - 0.1);
    assert.equal(sample(0.9999), 300);
  });

  it('gives the lengths of the longest part alone', () => {
    const ms = FRACTIONS.map((fraction) => fraction * 100);
    const half = ofLongest(ms, 0.5);
    FRACTIONS.forEach((fraction, index) => near(half[index], 50 + fraction * 50, 1e-9));
    const last = ofLongest(ms, 1e-6);
    assert.ok(last[0] > 99.9 && last.at(-1) === 100);
    assert.equal(ofLongest(ms, 1), ms);
    assert.deepEqual(ofLongest([], 0.5), []);
  });

  it('never falls', () => {
    for (const times of [exponential(3), { fractions: FRACTIONS, ms: FRACTIONS.map((fraction) => fraction ** 8 * 100), meanMs: 10 }]) {
      const sample = samplerOf(times);
      for (let index = 1; index < 1000; index++) assert.ok(sample(index / 1000) >= sample((index - 1) / 1000));
    }
  });
});
