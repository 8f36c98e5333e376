'use strict';

const assert = require('node:assert/strict');
const { finish, goOn } = require('../../lib/rank/parts');
const { simulate, simulating } = require('../../lib/rank/simulation');

describe('rank/parts', () => {
  /** Work of five parts, each a millisecond of `clock`. */
  function work() {
    const seen = { time: 0, parts: 0 };
    function* all() {
      for (let left = 5; left > 0; left--) {
        seen.time++;
        seen.parts++;
        if (left > 1) yield;
      }
      return 'result';
    }
    return { seen, all: all(), clock: () => seen.time };
  }

  it('is done at once for who has the time', () => {
    const { seen, all } = work();
    assert.equal(finish(all), 'result');
    assert.equal(seen.parts, 5);
  });

  it('is left when its time is over, and goes on where it was left', () => {
    const { seen, all, clock } = work();
    assert.deepEqual(goOn(all, 2, clock), { isDone: false, result: null });
    assert.equal(seen.parts, 2);
    assert.deepEqual(goOn(all, 2, clock), { isDone: false, result: null });
    assert.deepEqual(goOn(all, 2, clock), { isDone: true, result: 'result' });
    assert.equal(seen.parts, 5);
  });

  it('a simulation in parts has the same answer, and parts of a hundred events', () => {
    const model = { cores: 2, modules: [{ module: 'm', arrivals: { perSecond: 70 }, serviceMs: [5, 15], replicas: 2, callMs: 0.1 }] };
    let parts = 0;
    const all = simulating(model, { calls: 1000 });
    let part = all.next();
    for (; part.done !== true; part = all.next()) parts++;
    assert.deepEqual(part.value, simulate(model, { calls: 1000 }));
    const { events } = part.value;
    assert.ok(parts > events / 110 && parts < events / 80, `${parts} parts of ${events} events`);
  });
});
