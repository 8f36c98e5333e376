'use strict';

const assert = require('node:assert/strict');
const { performance } = require('../../lib/engine');
const { Breaker } = require('../../lib/spawn/breaker');

describe('Breaker', () => {
  const { now } = performance;
  let time = 0;
  beforeEach(() => {
    time = 1000;
    performance.now = () => time;
  });
  afterEach(() => {
    performance.now = now;
  });

  it('is open after a failure, for twice as long each time, a minute at most; then it lets one try', () => {
    const breaker = new Breaker();
    assert.deepEqual([breaker.state, breaker.mayTry], ['closed', true]);
    const times = [];
    for (let i = 0; i < 9; i++) {
      const ms = breaker.fail();
      times.push(ms);
      assert.deepEqual([breaker.state, breaker.mayTry], ['open', false]);
      time += ms;
      assert.deepEqual([breaker.state, breaker.mayTry], ['half-open', true]);
    }
    assert.deepEqual(times, [500, 1000, 2000, 4000, 8000, 16000, 32000, 60000, 60000]);
  });

  it('is closed by a start where starts had failed', () => {
    const breaker = new Breaker();
    time += breaker.fail();
    breaker.start(assert.fail);
    assert.equal(breaker.state, 'closed');
    assert.equal(breaker.fail(), 500);
  });

  it('takes some losses, but not many in a short time', () => {
    const breaker = new Breaker();
    const losses = Array.from({ length: 6 }, () => breaker.lose(1));
    assert.deepEqual(losses, [0, 0, 0, 0, 0, 6]);
    const slow = new Breaker();
    for (let i = 0; i < 100; i++) {
      assert.equal(slow.lose(1), 0);
      time += 3000;
    }
  });

  it('does not count the time that starts take: replicas that load for long, and are lost at once, do not last', () => {
    const breaker = new Breaker();
    const losses = Array.from({ length: 6 }, () => {
      time += 4000;
      return breaker.lose(1, 4000);
    });
    assert.deepEqual([losses, breaker.spanMs], [[0, 0, 0, 0, 0, 6], 30_000]);
    const lasting = new Breaker();
    for (let i = 0; i < 100; i++) {
      assert.equal(lasting.lose(1, 4000), 0);
      time += 4000 + 3000;
    }
  });

  it('opens again, for longer, at the first loss of the one on trial', () => {
    const breaker = new Breaker();
    for (let i = 0; i < 6; i++) breaker.lose(1);
    time += breaker.fail();
    breaker.start(assert.fail);
    assert.equal(breaker.state, 'half-open', 'a start alone proves nothing');
    assert.equal(breaker.lose(4), 1);
    assert.equal(breaker.fail(), 1000);
    breaker.close();
  });

  it('is closed when the one on trial has lasted', async function () {
    this.timeout(20_000);
    performance.now = now;
    const breaker = new Breaker();
    for (let i = 0; i < 6; i++) breaker.lose(1);
    breaker.fail();
    const stay = setInterval(() => {}, 1000);
    await new Promise((resolve) => breaker.start(() => resolve(null)));
    clearInterval(stay);
    assert.equal(breaker.state, 'closed');
  });
});
