'use strict';

const assert = require('node:assert/strict');
const { Gauge } = require('../../lib/spawn/gauge');

/** @param {object} [given] @returns {any} a replica as a gauge sees it */
const replica = ({
  calls = 0,
  served = calls,
  busyMs = 0,
  activeMs = 0,
  waitedMs = 0,
  longestMs = 0,
  stuckMs = 0,
  pending = 0,
  overheadMs = 0,
} = {}) => ({
  calls,
  usage: { served, busyMs, activeMs, waitedMs },
  pending,
  overheadMs,
  stuckMs: () => stuckMs,
  takeLongestMs: () => longestMs,
});

describe('Gauge', () => {
  it('reads nothing before there are two notes', () => {
    const gauge = new Gauge();
    assert.deepEqual(gauge.read(0), { callsPerSecond: 0, busyMsPerSecond: 0, runDelay: 0 });
    gauge.note(100, [replica({ calls: 5, busyMs: 5 })]);
    assert.deepEqual(gauge.read(100), { callsPerSecond: 0, busyMsPerSecond: 0, runDelay: 0 });
  });

  it('reads rates over the last second of a steady load on two replicas', () => {
    const gauge = new Gauge();
    for (let i = 0; i <= 50; i++) {
      const half = { calls: i * 10, busyMs: i * 25 };
      gauge.note(i * 100, [replica({ ...half, longestMs: i === 45 ? 80 : 3 }), replica(half)]);
    }
    const { callsPerSecond, busyMsPerSecond } = gauge.read(5000);
    assert.ok(Math.abs(callsPerSecond - 200) < 1e-9);
    assert.ok(Math.abs(busyMsPerSecond - 500) < 1e-9);
    assert.equal(gauge.longestMs(5000), 80);
    assert.equal(gauge.longestMs(5600), 3);
    assert.equal(gauge.longestMs(6100), 0);
  });

  it('tells how long a call takes by those that have been reported, whenever that was', () => {
    const gauge = new Gauge();
    const meanAt = (/** @type {number} */ now, /** @type {any} */ one) =>
      gauge.describe(/** @type {any} */ ({ replicas: [replica(one)] }), now, [0, 2], 350).meanMs;
    assert.equal(meanAt(0, {}), 0);
    // 4.5 ms each, of which the last 11 are not reported yet.
    assert.equal(meanAt(350, { calls: 76, served: 65, busyMs: 65 * 4.5, stuckMs: 60 }), 4.5);
    assert.equal(meanAt(700, { calls: 80, served: 72, busyMs: 72 * 4.5 }), 0, 'too few since then');
    gauge.leave(/** @type {any} */ (replica({ calls: 80, served: 80, busyMs: 360 })));
    assert.equal(meanAt(1050, { calls: 20, served: 10, busyMs: 30 }), 66 / 18, '8 of one that has ended, and 10 of another one');
  });

  it('tells how many calls have waited all the time, once there were busy replicas at some looks', () => {
    const leastOf = (part = 1) => {
      const gauge = new Gauge();
      return (/** @type {number} */ now, /** @type {number} */ pending, /** @type {number} */ queued, ready = 1) => {
        const replicas = [replica({ pending, calls: pending, busyMs: part * now * ready })];
        return gauge.describe(/** @type {any} */ ({ replicas, ready, queued }), now, [0, 2]).leastWaiting;
      };
    };
    const leastAt = leastOf();
    assert.equal(leastAt(0, 0, 9, 0), 0);
    assert.equal(leastAt(50, 0, 0), 0, 'it has just come');
    assert.deepEqual([leastAt(100, 1, 4), leastAt(200, 2, 1), leastAt(300, 1, 3)], [0, 0, 0], 'too few');
    assert.equal(leastAt(400, 1, 4), 3);
    assert.equal(leastAt(500, 1, 0), 1);
    for (let now = 600; now < 1500; now += 100) assert.equal(leastAt(now, 1, 2), 1);
    assert.equal(leastAt(1500, 1, 2), 3, 'that was a second ago');
    const [mostly, half] = [leastOf(0.71), leastOf(0.69)].map((least) => [100, 200, 300, 400].map((now) => least(now, 4, 0)));
    assert.deepEqual([mostly.at(-1), half.at(-1)], [4, 0], 'they wait for something else');
  });

  it('takes replicas for waiting for a core at most for as long as they were busy', () => {
    const gauge = new Gauge();
    gauge.note(0, [replica()]);
    gauge.note(1000, [replica({ calls: 10, busyMs: 1, activeMs: 4, waitedMs: 4.5 })]);
    assert.equal(gauge.read(1000).runDelay, 1);
  });

  it('tells what went into long calls, of each replica one in a note', () => {
    const gauge = new Gauge();
    const set = (/** @type {number[]} */ longest) => /** @type {any} */ ({ replicas: longest.map((longestMs) => replica({ longestMs })) });
    gauge.describe(set([0, 0]), 0, [0, 2]);
    for (const longest of [
      [50, 70],
      [49, 120],
      [3, 3],
      [0, 0],
    ].map((at) => set(at)))
      gauge.describe(longest, 500, [0, 2]);
    assert.equal(gauge.describe(set([0, 0]), 1000, [0, 2]).longMsPerSecond, 240);
    assert.equal(gauge.describe(set([0, 0]), 2000, [0, 2]).longMsPerSecond, 0);
  });

  it('tells when every replica that is ready is in a long call', () => {
    const isBlocked = (/** @type {number} */ ready, /** @type {number[]} */ ...stuck) => {
      const gauge = new Gauge((run) => run());
      gauge.note(0, []);
      return gauge.describe(/** @type {any} */ ({ ready, replicas: stuck.map((stuckMs) => replica({ stuckMs })) }), 0, [0, 2]).isBlocked;
    };
    assert.equal(isBlocked(2, 50, 80), true);
    assert.equal(isBlocked(2, 49, 80), false);
    assert.equal(isBlocked(1, 0, 80), true, 'the first one starts');
    assert.equal(isBlocked(0), false);
  });

  it('reads the end of that second alone where the load has gone meanwhile, and never where it came', () => {
    const gone = new Gauge();
    const come = new Gauge();
    for (let i = 0; i <= 10; i++) {
      gone.note(i * 100, [replica({ calls: Math.min(i, 8) * 10, busyMs: Math.min(i, 8) * 50 })]);
      come.note(i * 100, [replica({ calls: Math.max(i - 8, 0) * 10, busyMs: Math.max(i - 8, 0) * 50 })]);
    }
    assert.deepEqual(gone.read(1000), { callsPerSecond: 80, busyMsPerSecond: 400, runDelay: 0 });
    assert.deepEqual(gone.read(1000, 1000), gone.read(1000));
    assert.deepEqual(gone.read(1000, 150), { callsPerSecond: 0, busyMsPerSecond: 0, runDelay: 0 });
    assert.deepEqual(come.read(1000, 150), { callsPerSecond: 20, busyMsPerSecond: 100, runDelay: 0 });
    assert.deepEqual(come.read(1000, 250), { callsPerSecond: 20, busyMsPerSecond: 100, runDelay: 0 });
    assert.deepEqual(new Gauge().read(1000, 150), { callsPerSecond: 0, busyMsPerSecond: 0, runDelay: 0 });
  });

  it('reads a part of that second that is long enough by itself, whatever was before', () => {
    const gauge = new Gauge();
    for (let i = 0; i <= 10; i++) gauge.note(i * 100, [replica({ calls: Math.max(i - 5, 0) * 10, busyMs: Math.max(i - 5, 0) * 50 })]);
    assert.deepEqual(gauge.read(1000, 500), { callsPerSecond: 100, busyMsPerSecond: 500, runDelay: 0 });
    assert.deepEqual(gauge.read(1000), { callsPerSecond: 50, busyMsPerSecond: 250, runDelay: 0 });
  });

  describe('the overhead of a call', () => {
    const setOf = (overheadMs) => ({
      module: 'm',
      ready: 1,
      starting: 0,
      wanted: 1,
      queued: 0,
      startMs: 30,
      lost: 0,
      replicas: [replica({ overheadMs })],
    });
    /** @returns {number | null} ms, after so many submissions that take so long each, and what the links took */
    const after = (count, ms, linkMs = 0) => {
      const gauge = new Gauge();
      for (let i = 0; i < count; i++) if (gauge.isTimed()) gauge.noteSubmission(ms);
      return gauge.describe(/** @type {any} */ (setOf(linkMs)), 0, [0, 1]).callOverheadMs;
    };

    it('is not known, rather than endless, while a link has cost much and there was no call', () => {
      assert.equal(after(0, 0, 80), null);
    });

    it('is not known after a few calls, whose cost may be that of a cold start', () => {
      assert.equal(after(63, 0.01, 1), null);
      assert.ok(after(128, 0.01, 1) < 0.03);
    });

    it('is known at once when so much was spent that it cannot be that', () => {
      assert.equal(after(3, 40, 60), 60);
      assert.equal(after(1, 0, 80), 80);
    });

    it('is that of the calls after the first ones, as soon as there are enough', () => {
      const gauge = new Gauge();
      /** @param {number} count more submissions of 0.1 ms @param {number} linkMs in all */
      const more = (count, linkMs) => {
        for (let i = 0; i < count; i++) if (gauge.isTimed()) gauge.noteSubmission(0.1);
        return gauge.describe(/** @type {any} */ (setOf(linkMs)), 0, [0, 1]).callOverheadMs;
      };
      assert.ok(more(64, 64) >= 1, 'the first 64 cost a ms each');
      assert.ok(more(32, 67.2) >= 0.7, 'too few came after them');
      const settled = more(96, 76.8);
      assert.ok(Math.abs(settled - 0.2) < 0.01, `0.1 ms of the link and 0.1 of the submission, not ${settled}`);
    });

    it('is each heavy submission itself, and each 64th of the light ones for all', () => {
      assert.ok(Math.abs(after(640, 0.1) - 0.1) < 0.01);
      assert.ok(Math.abs(after(10, 20) - 20) < 1e-9);
    });
  });

  it('falls to nothing when nothing comes any more', () => {
    const gauge = new Gauge();
    for (let i = 0; i <= 40; i++) gauge.note(i * 100, [replica({ calls: Math.min(i, 10) * 20, busyMs: Math.min(i, 10) * 50 })]);
    assert.deepEqual(gauge.read(4000), { callsPerSecond: 0, busyMsPerSecond: 0, runDelay: 0 });
  });

  it('does not make a great rate of the first short moment', () => {
    const gauge = new Gauge();
    gauge.note(0, [replica()]);
    gauge.note(1, [replica({ calls: 10, busyMs: 1 })]);
    assert.ok(gauge.read(1).callsPerSecond <= 40);
  });

  it('counts a call that still runs with the time that it had taken at the look before', () => {
    const gauge = new Gauge((run) => run());
    gauge.note(0, [replica({ calls: 1 })]);
    for (let at = 100; at <= 1100; at += 100) gauge.note(at, [replica({ calls: 1, stuckMs: at - 95, pending: 1 })]);
    assert.equal(gauge.read(1100).busyMsPerSecond, 900);
    assert.equal(gauge.longestMs(1100), 905);
  });

  it('takes nothing for a long call while the event loop has not read what replicas have answered meanwhile', () => {
    /** @type {(() => void)[]} */
    const reads = [];
    const gauge = new Gauge((run) => void reads.push(run));
    const one = { ready: 1, module: 'm', replicas: [replica({ calls: 1, pending: 1, stuckMs: 400 })] };
    const look = (/** @type {number} */ now) => {
      const { longestMs, isBlocked, busyMsPerSecond } = gauge.describe(/** @type {any} */ (one), now, [0, 1]);
      return [longestMs, isBlocked, busyMsPerSecond];
    };
    assert.deepEqual(look(1000), [0, false, 0], 'a turn of 400 ms');
    assert.deepEqual(look(1001), [0, false, 0], 'in the same turn');
    assert.equal(reads.length, 1);
    reads.pop()?.();
    one.replicas = [replica({ calls: 1, pending: 1, stuckMs: 500 })];
    assert.deepEqual(look(1100).slice(0, 2), [400, true], 'there was no answer to read');
  });

  it('never reads less than no time, though a call in flight was counted and its replica was lost', () => {
    const gauge = new Gauge((run) => run());
    gauge.note(-2000, []);
    gauge.note(0, [replica({ calls: 1, stuckMs: 2900 })]);
    gauge.note(1000, [replica({ calls: 1, busyMs: 500 })]);
    assert.equal(gauge.read(1000).busyMsPerSecond, 0);
  });

  it('keeps the totals of those that left', () => {
    const gauge = new Gauge();
    gauge.leave(replica({ calls: 3, busyMs: 10, overheadMs: 2 }));
    gauge.note(0, [replica({ calls: 4, busyMs: 20, overheadMs: 3, pending: 6 })]);
    gauge.leave(replica({ calls: 4, busyMs: 20, overheadMs: 3 }));
    const { pending, overheadMs } = gauge.note(1000, [replica({ calls: 1 })]);
    assert.deepEqual([pending, overheadMs], [0, 5]);
    assert.equal(gauge.read(1000).callsPerSecond, 1);
  });

  it('tells which part of their busy time replicas waited for a core, those that have ended among them', () => {
    const gauge = new Gauge();
    const at = (i, waited) => replica({ calls: i, busyMs: i * 8, activeMs: i * 10, waitedMs: i * waited });
    gauge.note(0, [at(0, 0), at(0, 0)]);
    gauge.note(500, [at(5, 4), at(5, 2)]);
    assert.equal(gauge.read(500).runDelay, 0.3);
    gauge.leave({ ...at(5, 4), isFar: false });
    gauge.note(1000, [at(15, 2)]);
    assert.equal(gauge.read(1000).runDelay, (20 + 30) / 200);
  });
});
