'use strict';

const assert = require('node:assert/strict');
const { makeChoose } = require('../../lib/spawn/balance');
const { soonest } = require('../../lib/spawn/by-measure');
const { Pace } = require('../../lib/spawn/pace');
const { Placing } = require('../../lib/spawn/placing');

/**
 * @param {...{meanMs?: number | null, utilisation?: number | null, pending?: number, ahead?: number, room?: boolean, stuck?: number}} rows
 * @returns {any[]}
 */
const replicas = (...rows) =>
  rows.map(({ meanMs = null, utilisation = null, pending = 0, ahead = pending, room = true, stuck = 0 }, i) => ({
    id: i + 1,
    pending,
    ahead,
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

describe('the choice between replicas here and on hosts', () => {
  /** Rows of what differs from an idle one that takes 2 ms a call: `far`, the ms of its journey. */
  const places = (...rows) =>
    replicas(...rows.map((row) => ({ meanMs: 2, ...row }))).map((one, i) => ({
      ...one,
      isFar: rows[i].far !== undefined,
      travelMs: rows[i].far ?? 0,
    }));
  const taker = (rows, queued = 0) => soonest(places(...rows), {}, 0, 0, queued)?.id ?? null;

  for (const [what, rows, expected, queued] of [
    ['none of none', [], null],
    ['an idle one here, however fast one on a host is', [{ far: 0.1, meanMs: 0.01 }, {}], 2],
    ['an idle one on a host, where those here have more to do than its journey takes', [{ pending: 3 }, { far: 1 }], 2],
    ['one here, where that has answered before a call from far comes back', [{ pending: 3 }, { far: 20 }], 1],
    ['the nearer one of two hosts', [{ pending: 9, room: false, stuck: 99 }, { far: 9 }, { far: 3 }], 3],
    ['the faster one of two hosts', [{ far: 3 }, { far: 3, meanMs: 1 }], 2],
    ['one here of equals', [{ far: 0, pending: 1 }, { pending: 1 }], 2],
    ['none, while one here without room will have answered sooner', [{ pending: 2, room: false }, { far: 20 }], null],
    ['one on a host, where so many wait that they are answered later here', [{ pending: 2, room: false }, { far: 20 }], 2, 12],
    ['one on a host, where the one here is stuck in a long call', [{ pending: 1, stuck: 99 }, { far: 20 }], 2],
    ['one here in which all calls have run and wait for something else', [{ far: 1 }, { pending: 99, ahead: 0 }], 2],
    ['one here, whose many waiting calls are in nobody’s way', [{ pending: 99, ahead: 2 }, { far: 20 }], 1],
    ['one on a host, where there is none here', [{ far: 200 }], 1],
    [
      'by pending calls and journeys, while nothing was measured',
      [
        { pending: 1, meanMs: null },
        { far: 0.3, meanMs: null },
      ],
      2,
    ],
  ])
    it(`takes ${what}`, () => assert.equal(taker(rows, queued), expected));

  it("is made for sched: 'least' only, and only where both may be", () => {
    const rows = places({ far: 50 }, {}, { pending: 1, room: false });
    const pick = (sched, isBoth) => new Placing(sched, 'none', isBoth).pick(rows, { burst: 0, plan: {} }, 0, 0).id;
    assert.deepEqual([pick('least', true), pick('least', false), pick('rr', true)], [2, 1, 1]);
  });

  it('is of those that leave, too: on hosts first, and those with the state of a key last', () => {
    const leave = (rows, state = 'none', keyed = []) => {
      const ready = places(...rows);
      const placing = new Placing('least', state, true);
      for (const at of keyed) placing.pick([ready[at]], { key: 'a' }, 0, 0);
      return Array.from(rows, () => placing.takeLast(ready).id).join('');
    };
    assert.equal(leave([{}, { far: 1 }, {}, { far: 1 }]), '4231');
    assert.equal(leave([{}, {}]), '21');
    assert.equal(leave([{}, { far: 1 }, { far: 1 }], 'keyed', [2]), '213');
    const ready = places({ far: 1 }, { far: 2 });
    const [near] = places({});
    const placing = new Placing('least', 'none', true);
    assert.equal(placing.leavesFor(near, ready).id, 2, 'one here is kept that comes too late');
    assert.equal(placing.leavesFor(ready[0], [near]), ready[0]);
  });
});

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
  /** @param {number} calls @param {number} activeMs @param {number} [idleMs] @param {number} [waitedMs] */
  const usage = (calls, activeMs, idleMs = 0, waitedMs = 0) => ({ calls, busyMs: activeMs, longestMs: 0, activeMs, idleMs, waitedMs });

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

  it('lets so many more be on their way as are served while one travels', () => {
    const pace = new Pace();
    assert.equal(pace.window(0, 50), 1, 'one until it is known how long calls take');
    pace.note(usage(11, 20), 0);
    assert.deepEqual([pace.window(0), pace.window(0, 50)], [2, 27]);
  });

  it('lets more be on their way while it idles though calls wait, to a limit, and less again when it does not', () => {
    const pace = new Pace();
    /** @param {number} times @param {import('../../lib/session/usage').Usage} told @param {number} [wantedMs] */
    const note = (times, told, wantedMs = 60) => {
      for (let i = 0; i < times; i++) pace.note(told, 0, wantedMs);
      return pace.window(0);
    };
    assert.equal(note(20, usage(11, 10, 50), 59), 4, 'while none waited for a moment');
    assert.equal(note(2, usage(11, 10, 50)), 8, 'twice as many after 100 ms');
    assert.equal(note(20, usage(11, 10, 50)), 32);
    assert.equal(note(39, usage(51, 50, 5)), 15, 'half of that after 2 s');
    assert.equal(note(200, usage(51, 50)), 4);
  });

  it('lets no more be on their way for idling while it may get one call only', () => {
    const pace = new Pace();
    pace.note(usage(11, 10), 0);
    pace.note({ ...usage(11, 110), longestMs: 100 }, 0);
    for (let i = 0; i < 20; i++) pace.note(usage(11, 10, 50), 100, 60);
    assert.equal(pace.window(100), 1);
    assert.equal(pace.window(10_000), 4);
  });

  it('is prompt while it need not wait for a core, and is so again some reports after it had to', () => {
    const pace = new Pace();
    assert.equal(pace.isPrompt, true, 'where nothing is known');
    pace.note(usage(10, 10, 0, 1), 0);
    assert.equal(pace.isPrompt, true);
    pace.note(usage(10, 10, 0, 5), 0);
    assert.equal(pace.isPrompt, false);
    for (let i = 0; i < 10; i++) pace.note(usage(10, 10), 0);
    assert.equal(pace.isPrompt, true);
  });

  it('is known of the loop also when there were no calls', () => {
    const pace = new Pace();
    pace.note(usage(1, 10, 10), 0);
    pace.note(usage(0, 1, 49), 0);
    assert.deepEqual([pace.utilisation, pace.meanMs], [0.02, 10]);
  });
});
