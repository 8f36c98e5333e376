'use strict';

const assert = require('node:assert/strict');
const { makeChoose } = require('../../lib/spawn/balance');
const { Pace } = require('../../lib/spawn/pace');

/** @param {...{meanMs?: number | null, utilisation?: number | null, pending?: number, room?: boolean, stuck?: number}} rows @returns {any[]} */
const replicas = (...rows) =>
  rows.map(({ meanMs = null, utilisation = null, pending = 0, room = true, stuck = 0 }, i) => ({
    id: i + 1,
    pending,
    meanMs,
    utilisation,
    hasRoom: () => room,
    stuckMs: () => stuck,
  }));

/** @param {string} sched @param {any[]} candidates @param {number} times @returns {string} ids, one after another */
function picks(sched, candidates, times) {
  const choose = makeChoose(sched);
  return Array.from({ length: times }, (_, turn) => choose(candidates, {}, 0, turn)?.id ?? '-').join('');
}

describe("sched: 'weighted'", () => {
  it('goes round while nothing is known', () => {
    assert.equal(picks('weighted', replicas({}, {}, {}), 6), '123123');
  });

  it('gives calls by speed, and those of one replica not in a row', () => {
    assert.equal(picks('weighted', replicas({ meanMs: 1 }, { meanMs: 2 }), 6), '121121');
    // The example of nginx: weights 5, 1 and 1.
    assert.equal(picks('weighted', replicas({ meanMs: 1 }, { meanMs: 5 }, { meanMs: 5 }), 7), '1121311');
  });

  it('takes one that has not reported yet for as fast as the others are in the mean', () => {
    assert.equal(picks('weighted', replicas({ meanMs: 2 }, {}, { meanMs: 2 }), 6), '123123');
  });

  it('passes over those without room, and those that are stuck', () => {
    assert.equal(picks('weighted', replicas({ meanMs: 1, room: false }, { meanMs: 9 }), 3), '222');
    assert.equal(picks('weighted', replicas({ meanMs: 1, pending: 1, stuck: 99 }, { meanMs: 9 }), 3), '222');
    assert.equal(picks('weighted', replicas({ room: false }), 1), '-');
    assert.equal(picks('weighted', [], 1), '-');
  });

  it('follows a speed that changes', () => {
    const candidates = replicas({ meanMs: 1 }, { meanMs: 1 });
    const choose = makeChoose('weighted');
    const count = () => Array.from({ length: 100 }, (_, i) => choose(candidates, {}, 0, i).id).filter((id) => id === 1).length;
    assert.equal(count(), 50);
    candidates[0].meanMs = 4;
    assert.ok(Math.abs(count() - 20) <= 1);
  });

  it('is a memory of each set alone', () => {
    const candidates = replicas({}, {});
    assert.equal(picks('weighted', candidates, 1) + picks('weighted', candidates, 1), '11');
  });
});

describe("sched: 'elu'", () => {
  it('picks the replica whose event loop is least busy', () => {
    assert.equal(picks('elu', replicas({ utilisation: 0.9 }, { utilisation: 0.2 }, { utilisation: 0.5 }), 1), '2');
    assert.equal(picks('elu', replicas({ utilisation: 0.9 }, { utilisation: 0.2, pending: 40 }), 1), '2');
  });

  it('picks the one with the fewest pending calls of those that are about as busy', () => {
    assert.equal(picks('elu', replicas({ utilisation: 0.22, pending: 3 }, { utilisation: 0.28, pending: 1 }), 1), '2');
  });

  it('picks the one with the fewest pending calls while one has not reported', () => {
    assert.equal(picks('elu', replicas({ utilisation: 0, pending: 2 }, { pending: 1 }), 1), '2');
    assert.equal(picks('elu', replicas({ pending: 2 }, { pending: 1, room: false }), 1), '1');
  });

  it('passes over those without room, and those that are stuck; then the call waits', () => {
    assert.equal(picks('elu', replicas({ utilisation: 0, room: false }, { utilisation: 1 }), 1), '2');
    assert.equal(picks('elu', replicas({ utilisation: 0, pending: 1, stuck: 99 }, { utilisation: 1 }), 1), '2');
    assert.equal(picks('elu', replicas({ utilisation: 0, room: false }), 1), '-');
  });
});

describe('the pace of a replica', () => {
  /** @param {number} calls @param {number} activeMs @param {number} [idleMs] */
  const usage = (calls, activeMs, idleMs = 0) => ({ calls, busyMs: activeMs, longestMs: 0, activeMs, idleMs });

  it('is not known before its first report', () => {
    const pace = new Pace();
    assert.deepEqual([pace.meanMs, pace.utilisation, pace.window(0)], [null, null, 1]);
  });

  it('is what its last reports say, later ones more', () => {
    const pace = new Pace();
    pace.note(usage(10, 10), 0);
    assert.equal(pace.meanMs, 1);
    for (let i = 0; i < 20; i++) pace.note(usage(10, 40), 0);
    assert.ok(Math.abs(Number(pace.meanMs) - 4) < 0.1);
  });

  it('is known of the loop also when there were no calls', () => {
    const pace = new Pace();
    pace.note(usage(1, 10, 10), 0);
    pace.note(usage(0, 1, 49), 0);
    assert.deepEqual([pace.utilisation, pace.meanMs], [0.02, 10]);
  });
});
