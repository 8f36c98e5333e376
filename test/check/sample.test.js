'use strict';

const assert = require('node:assert/strict');
const { FIRST, Sample } = require('../../lib/check/sample');

describe('the sample of calls', () => {
  it('has all of the first, ever fewer of the later, and is the same each time', () => {
    const taken = () => {
      const sample = new Sample('lib parse');
      return Array.from({ length: 100000 }, (_, n) => n).filter(() => sample.take());
    };
    const calls = taken();
    assert.deepEqual(calls, taken());
    assert.deepEqual(
      calls.slice(0, FIRST),
      Array.from({ length: FIRST }, (_, n) => n),
    );
    const between = (from, to) => calls.filter((n) => n >= from && n < to).length;
    assert.ok(between(200, 1000) > 0 && between(200, 1000) < 500);
    assert.ok(calls.length <= 3 * FIRST);
  });
});
