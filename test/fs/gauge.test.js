'use strict';

const assert = require('node:assert/strict');
const { Gauge } = require('../../lib/fs/gauge');

describe('the gauge of a node', () => {
  let now;
  let gauge;
  beforeEach(() => {
    now = 0;
    gauge = new Gauge(() => now);
  });

  /** One request that takes so long. */
  const ask = (ms) => {
    gauge.sent();
    now += ms;
    gauge.answered();
  };

  it('expects nothing of a node that was never asked, and what it took of one that was; slow ones are found out soon', () => {
    assert.equal(gauge.expectedMs, 0);
    ask(8);
    assert.equal(gauge.expectedMs, 8);
    ask(16);
    assert.equal(gauge.expectedMs, 12);
    ask(4);
    assert.equal(gauge.expectedMs, 11);
  });

  it('counts those that wait before', () => {
    ask(10);
    for (let i = 0; i < 3; i++) gauge.sent();
    assert.equal(gauge.expectedMs, 40);
    now += 10;
    gauge.answered();
    assert.equal(gauge.expectedMs, 30);
  });

  it('expects what is late to take as long again', () => {
    ask(10);
    gauge.sent();
    now += 500;
    assert.deepEqual([gauge.stuckMs, gauge.expectedMs], [500, 510]);
    assert.equal(gauge.quietMs, 500);
  });

  it('forgets by and by what was slow, and all of a node that is another', () => {
    ask(100);
    now += 4000;
    assert.equal(gauge.expectedMs, 50);
    ask(10);
    assert.equal(gauge.expectedMs, 45);
    gauge.sent();
    gauge.reset();
    assert.deepEqual([gauge.expectedMs, gauge.stuckMs], [0, 0]);
  });
});
