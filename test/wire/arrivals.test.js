'use strict';

const assert = require('node:assert/strict');
const { Arrivals, SPAN } = require('../../lib/wire/arrivals');
const { Random } = require('../helpers/random');

describe('wire/arrivals', () => {
  it('admits each number once, whatever their order, as long as it is waited for', () => {
    for (const seed of [1, 2, 3]) {
      const random = new Random(seed);
      const arrivals = new Arrivals();
      const admitted = new Set();
      let [highest, floor] = [0, 0];
      for (let i = 0; i < 20_000; i++) {
        // Mostly close to the last ones; now and then far ahead, at the very edge of what is remembered, or beyond it.
        const far = [1, SPAN - 1, SPAN, SPAN + 1, 3 * SPAN + 7][random.below(5)];
        const near = highest + 3 - random.below(12);
        const number = Math.max(1, random.below(100) === 0 ? highest + far : random.below(20) === 0 ? highest + 1 - far : near);
        const isNew = number > floor && number > highest - SPAN && !admitted.has(number);
        assert.equal(arrivals.admit(number), isNew, `${number} of ${highest}, floor ${floor}, seed ${seed}`);
        if (isNew) admitted.add(number);
        if (isNew) highest = Math.max(highest, number);
        if (random.below(50) === 0) {
          const to = highest - random.below(8);
          floor = Math.max(floor, to);
          assert.equal(arrivals.raise(to), floor);
        }
      }
    }
  });
});
