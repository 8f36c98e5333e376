'use strict';

const assert = require('node:assert/strict');
const { spawnSync } = require('node:child_process');
const { count, inDigits, ms, rate, whole } = require('../../lib/view/figures');

describe('view/figures', () => {
  it('writes figures of a record with as many digits as are worth it, and whole numbers, large ones and texts as they are', () => {
    const record = { part: 2 / 3, small: 1.23456789e-9, all: 1234567, large: -123456.7, none: NaN, ever: Infinity, text: '1.23456789' };
    assert.deepEqual(JSON.parse(JSON.stringify(record, inDigits(6))), {
      part: 0.666667,
      small: 1.23457e-9,
      all: 1234567,
      large: -123457,
      none: null,
      ever: null,
      text: '1.23456789',
    });
    assert.equal(JSON.stringify([2 / 3, 123456.78], inDigits(7)), '[0.6666667,123456.8]');
  });

  it('writes whole numbers as the engine does for English, without loading what it needs for that', () => {
    for (const value of [0, 7, 12.5, 99, 999, 999.5, 1000, 12_345, 123_456, 1_234_567, 2 ** 40])
      assert.equal(whole(value), Math.round(value).toLocaleString('en-US'));
    assert.deepEqual(
      [count(1234, 'call'), count(1, 'call'), ms(1234), rate(5678)],
      ['1,234 calls', '1 call', '1,234 ms', '5,678 calls a second'],
    );
    assert.deepEqual(
      [rate(1), rate(0.996), rate(1.1, 'keep'), rate(1, 'keep'), rate(0.5, 'come')],
      ['1 call a second', '1 call a second', '1.1 calls a second keep', '1 call a second keeps', '0.5 calls a second come'],
    );
    const program = `
      Number.prototype.toLocaleString = () => { throw new Error('it takes 30 ms') };
      const { count, ms, percent, rate } = require(${JSON.stringify(require.resolve('../../lib/view/figures'))});
      for (const value of [0, 0.5, 5, 5000, 5e9]) [count(value, 'call'), ms(value), percent(value), rate(value)];`;
    assert.equal(spawnSync(process.execPath, ['-e', program]).stderr.toString(), '');
  });
});
