'use strict';

const assert = require('node:assert/strict');
const { KINDS, PHASES, Pace, schedule } = require('./schedule');

/** @param {number} count @param {Generator<any>} from */
const take = (count, from) => Array.from({ length: count }, () => from.next().value);

describe('the schedule of the fault suite', () => {
  it('is the same for the same seed, and another for another', () => {
    assert.deepEqual(take(200, schedule(7)), take(200, schedule(7)));
    assert.notDeepEqual(take(200, schedule(7)), take(200, schedule(8)));
  });

  it('has each kind at each phase before chance decides', () => {
    const pairs = new Set(take(KINDS.length * PHASES.length, schedule(3)).map(({ kind, phase }) => `${kind} ${phase}`));
    assert.equal(pairs.size, KINDS.length * PHASES.length);
  });

  it('has only what it is asked for, about as fast', () => {
    const faults = take(500, schedule(5, { meanMs: 100, kinds: ['kill'], phases: ['idle', 'busy'], mostMs: 50 }));
    assert.ok(faults.every(({ kind, forMs, afterMs }) => kind === 'kill' && forMs < 70 && afterMs >= 30 && afterMs <= 170));
    assert.equal(new Set(faults.map(({ phase }) => phase)).size, 2);
  });

  it('keeps below what a set of replicas bears', () => {
    const pace = new Pace();
    let losses = 0;
    for (let now = 0; now < 10_000; now += 10) {
      if (!pace.allows(now, 2)) continue;
      pace.note(now);
      losses += 1;
    }
    assert.equal(losses, 6);
    assert.ok(pace.allows(10_100, 2), 'those that are long past do not count');
  });
});
