'use strict';

const assert = require('node:assert/strict');
const { forgetFloor, keepStep } = require('../../lib/rank/floor');
const { EMPTY_MEMORY, afterScaleIn, afterScaleOut } = require('../../lib/rank/memory');
const { Simulation, poisson } = require('./simulation');

/** As after ten seconds of such a load. */
const under = (load, memory = EMPTY_MEMORY) => ({ ...memory, callsLately: 100, busyMsLately: 10_000 * load, countedMs: 10_000 });
const step = { rate: 10, utilisation: 0.5, promised: null, reclaimMs: 5000 };

const now = { reclaimMs: 5000 };

/** Down from 3 to 2 replicas, and up again. */
function pair({ memory = EMPTY_MEMORY, load = 1, later = load, from = 3, to = 2, again = 3, time = 1000, afterMs = 20_000 } = {}) {
  const lowered = afterScaleIn(under(load, memory), { from, to, time });
  return afterScaleOut(under(later, lowered), { ...step, from: to, to: again, time: time + afterMs });
}

describe('rank/floor', () => {
  it('remembers how many a load needs that had to have back what was taken from it', () => {
    assert.deepEqual(pair().floor, { count: 3, load: 1, until: 21_000 + 300_000 });
    assert.equal(pair({ again: 4 }).floor.count, 3, 'no more than it had');
    assert.equal(pair({ from: 4, again: 3 }).floor.count, 3);
    assert.equal(pair({ later: 1.6 }).floor, null, 'more comes');
    assert.equal(pair({ afterMs: 400_000 }).floor, null, 'long after');
    assert.equal(pair({ to: 0 }).floor, null, 'they were given back with all others');
    const twice = pair({ memory: { ...pair(), floor: null } });
    assert.deepEqual([twice.floor.until, twice.floors], [21_000 + 600_000, 2]);
  });

  it('forgets it when less comes, after some time, or when all are at home', () => {
    const known = pair();
    assert.equal(forgetFloor(under(0.7, known), { ...now, time: 50_000 }).floor.count, 3);
    const less = forgetFloor(under(0.5, known), { ...now, time: 50_000 });
    assert.deepEqual([less.floor, less.floors], [null, 0]);
    const later = forgetFloor(under(1, known), { ...now, time: 321_000 });
    assert.deepEqual([later.floor, later.floors], [null, 1]);
    assert.equal(afterScaleIn(known, { from: 3, to: 0, time: 50_000 }).floor, null);
  });

  it('remembers how many were found best for a load, once they were good for it', () => {
    const best = { to: 2, isBest: true };
    const known = keepStep(under(0.44), best, 2000);
    assert.deepEqual(known.floor, { count: 2, load: 0.44, until: Infinity, since: 2000 });
    assert.equal(keepStep(under(0.44), { ...best, isBest: false }, 2000).floor, null, 'by luck');
    assert.equal(keepStep(under(0), best, 2000).floor, null, 'no load is known');
    assert.equal(keepStep(under(1), { ...best, to: 1 }, 2000).floor.count, 1);
    const raised = under(2, pair());
    assert.equal(keepStep(raised, best, 60_000), raised, 'what a load is that has just grown is known less well');
    assert.equal(keepStep(under(2, known), { ...best, to: 3 }, 3000).floor.count, 3);
  });

  it("keeps them for as long as the load is there, unless its calls are one caller's", () => {
    const known = { ...keepStep(under(0.44), { to: 2, isBest: true }, 2000), togetherAt: 2500 };
    const atOne = (memory, time) => forgetFloor(memory, { ...now, time }).floor?.count;
    assert.equal(atOne(known, 1e9), 2);
    assert.equal(atOne({ ...known, togetherAt: 1900 }, 7000), 2, 'not long enough to say');
    assert.equal(atOne({ ...known, togetherAt: 1900 }, 7001), undefined);
    assert.equal(afterScaleIn(known, { from: 2, to: 1, time: 9000 }).floor, null);
  });

  it('keeps a steady load at random from having replicas given back and started again and again', function () {
    this.timeout(20_000);
    // Calls of 20 ms and more, as long as they happen to be: two replicas are one too many for most of the time.
    const load = poisson(20, (random) => -20 * Math.log(1 - random()));
    const given = [1, 2, 3, 4, 5, 6].map((seed) => {
      const { changes } = new Simulation({ modules: [{ name: 'm', load }], seed }).run(240_000);
      return changes.filter(({ from, to }) => to < from).length;
    });
    assert.ok(given.reduce((sum, count) => sum + count) <= 1, given.join());
  });
});
