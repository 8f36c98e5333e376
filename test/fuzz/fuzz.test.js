'use strict';

// A part of `npm run fuzz`, from another seed.

const assert = require('node:assert/strict');
const { checkValue } = require('./values');
const { checkStream, EXPECTED } = require('./streams');

const SEED = 1927;
const VALUES = 12000;
const STREAMS = 10000;

describe('fuzz', function () {
  this.timeout(120000);

  it(`${VALUES} random values come out as they went in, by each way in turn`, () => {
    for (let number = 0; number < VALUES; number++) checkValue(SEED, number);
  });

  it(`${STREAMS} corrupted streams end with an error of ours, or give values`, () => {
    const outcomes = new Map();
    for (let number = 0; number < STREAMS; number++) {
      const outcome = checkStream(SEED, number);
      outcomes.set(outcome, (outcomes.get(outcome) ?? 0) + 1);
    }
    for (const outcome of [...EXPECTED, 'read', 'cut short']) assert.ok(outcomes.get(outcome) > 0, `${outcome} never came`);
  });
});
