'use strict';

const assert = require('node:assert/strict');
const { assumedCallMs } = require('../../lib/rank/assumed');

/** @param {number} values @param {number} bytes @param {number} [meanMs] ms of home, rounded to ns */
const cost = (values, bytes, meanMs = 0) => Math.round(1e6 * assumedCallMs({ values, bytes }, meanMs)) / 1e6;

describe('rank/assumed', () => {
  it('takes a remote call to cost home what it was measured to: by its length, its values and its bytes', () => {
    assert.equal(cost(0, 0), 0.03, 'a short one, in a batch with others');
    assert.equal(cost(0, 0, 0.5), 0.09);
    assert.equal(cost(0, 0, 1), 0.15, 'from 1 ms on each has a batch of its own');
    assert.equal(cost(0, 0, 300), 0.15, 'and costs no more the longer it is');
    assert.equal(cost(5000, 0), 1.03, '0.2 us a value');
    assert.equal(cost(0, 2e6), 2.03, '1 ms a megabyte');
    assert.equal(cost(5000, 2e6, 1), 3.15);
    assert.equal(assumedCallMs(null, 1), assumedCallMs({ values: 0, bytes: 0 }, 1), 'where nothing is known of what it carries');
  });
});
