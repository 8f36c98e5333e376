'use strict';

const assert = require('node:assert/strict');
const { Busiest } = require('../../lib/rank/busiest');
const { FRACTIONS } = require('../../lib/rank/service-time');
const { Simulation, poisson } = require('./simulation');

const LENGTHS = FRACTIONS.map((fraction) => fraction * 10);

/** A reading that counts how often its quantiles were computed. */
const reading = (changes) => ({
  asked: 0,
  boundary: 'a.js -> uri',
  module: 'uri',
  parent: { name: './app.js' },
  child: { name: 'uri', kind: 'package' },
  bytes: 10,
  values: 2,
  calls: 100,
  callsPerSecond: 100,
  exclusiveMs: 500,
  blockingMs: 500,
  share: 0.5,
  pending: 0,
  completions: 0,
  latencyMs: 0,
  kinds: { parse: 'sync' },
  hottest: 'parse',
  get quantiles() {
    this.asked++;
    return LENGTHS;
  },
  ...changes,
});

const set = (changes) => ({
  module: 'uri',
  ready: 2,
  starting: 0,
  wanted: 2,
  pending: 5,
  queued: 1,
  leastWaiting: 3,
  callsPerSecond: 300,
  busyMsPerSecond: 1500,
  runDelay: 0.25,
  callOverheadMs: 0.02,
  startMs: 40,
  ...changes,
});

/** One whose calls take no time on the loop, and are answered later. */
const later = (module, kind) =>
  reading({ module, child: { name: module, kind }, share: 0, exclusiveMs: 1, blockingMs: 0, completions: 90, pending: 3, latencyMs: 40 });

const tick = (time, readings, { utilisation = 0.5, sets = [] } = {}) => ({
  time,
  readings,
  sets,
  loop: { utilisation, ownShare: 0.1, runDelay: 0.2, delayMs: 2, longestMs: 0, windowMs: 1000 },
  poolThreads: 4,
});

describe('rank/busiest', () => {
  it('is null until a call was seen', () => {
    const busiest = new Busiest();
    busiest.note(tick(1000, [], { utilisation: 1 }));
    busiest.note(tick(1100, [reading({ calls: 0 })]));
    assert.equal(busiest.best, null);
  });

  it('keeps the window with most time in modules and replicas, as a plain record', () => {
    const busiest = new Busiest();
    busiest.note(tick(Date.UTC(2026, 0, 1), [reading()]));
    busiest.note(
      tick(Date.UTC(2026, 0, 2), [reading({ share: 0, exclusiveMs: 0, calls: 300, completions: 300, quantiles: [] })], { sets: [set()] }),
    );
    busiest.note(tick(Date.UTC(2026, 0, 3), [reading({ share: 0.9 })]));
    assert.deepEqual(JSON.parse(JSON.stringify(busiest.best)), {
      at: '2026-01-02T00:00:00.000Z',
      windowMs: 1000,
      poolThreads: 4,
      loop: { utilisation: 0.5, ownShare: 0.1, runDelay: 0.2, delayMs: 2 },
      boundaries: [
        {
          id: 'a.js -> uri',
          parent: './app.js',
          child: 'uri',
          callsPerSecond: 100,
          share: 0,
          meanMs: 0,
          pending: 0,
          bytes: 10,
          values: 2,
          latencyMs: 0,
          isLater: false,
          // Of when it was at home: in replicas only the sum is known.
          quantiles: LENGTHS,
        },
      ],
      replicas: [
        {
          module: 'uri',
          ready: 2,
          callsPerSecond: 300,
          busyMsPerSecond: 1500,
          runDelay: 0.25,
          waiting: 6,
          leastWaiting: 3,
          callMs: 0.02,
          startMs: 40,
        },
      ],
    });
  });

  it('has of modules that no recipe lets go what their replicas would take along, and asks that of few', () => {
    const inside = reading({
      boundary: 'a.js -> render',
      module: 'render',
      inclusiveMs: 900,
      exclusiveMs: 100,
      share: 0.1,
      windowMs: 1000,
    });
    const pdf = reading({
      boundary: 'render -> pdf',
      module: 'pdf',
      parent: { name: 'render' },
      inclusiveMs: 540,
      exclusiveMs: 500,
      windowMs: 1000,
    });
    const asked = [];
    const supposing = (module) => {
      asked.push(module);
      return [Object.assign(Object.create(inside), { carriedMs: 800, share: 0.9 }), pdf];
    };
    const busiest = new Busiest();
    busiest.note({ ...tick(0, [inside, pdf]), supposing });
    const [first, second] = busiest.best.boundaries;
    assert.deepEqual([first.withInside, second.withInside], [undefined, { share: 0.9, quantiles: LENGTHS }]);
    assert.deepEqual(asked, ['render']);
    const many = Array.from({ length: 20 }, (_, i) => reading({ ...inside, boundary: `a.js -> ${i}`, module: `${i}` }));
    busiest.note({ ...tick(100, many), supposing: (module) => (asked.push(module), null) });
    assert.equal(asked.length, 9);
    assert.ok(busiest.best.boundaries.every((one) => !('withInside' in one)));
  });

  it('is not the loading of a program, which fills the loop and calls nothing much', () => {
    const busiest = new Busiest();
    busiest.note(tick(0, [reading({ calls: 1, share: 0.9 })], { utilisation: 1 }));
    busiest.note(tick(1000, [reading({ share: 0.4 })], { utilisation: 0.5 }));
    assert.equal(busiest.best.boundaries[0].share, 0.4);
  });

  it('computes quantiles for a better window only, or now and then', () => {
    const busiest = new Busiest();
    const readings = [0, 100, 200, 300, 400].map(() => reading());
    readings.forEach((one, index) => busiest.note(tick(index * 100, [one])));
    assert.deepEqual(
      readings.map(({ asked }) => asked),
      [2, 0, 0, 0, 0],
    );
    const later = reading();
    busiest.note(tick(700, [later]));
    assert.equal(later.asked, 1);
    const idle = reading({ share: 0.001 });
    busiest.note(tick(1500, [idle]));
    assert.equal(idle.asked, 0);
  });

  it('prefers, of windows that are as busy, the one with more calls', () => {
    const busiest = new Busiest();
    for (const [time, calls, share] of [
      [0, 1000, 0.9],
      [1, 1300, 0.89],
      [2, 1350, 0.89],
      [3, 2000, 0.5],
    ])
      busiest.note(tick(time, [reading({ calls, callsPerSecond: calls, share })]));
    assert.equal(busiest.best.boundaries[0].callsPerSecond, 1300);
  });

  it('remembers lengths, also when others have left', () => {
    const busiest = new Busiest();
    assert.deepEqual(busiest.lengthsOf('uri'), []);
    busiest.note(tick(0, [reading()]));
    assert.equal(busiest.lengthsOf('uri'), LENGTHS);
    // Those that stay while others leave say nothing of them.
    busiest.note(tick(1000, [reading({ quantiles: LENGTHS.map(() => 0.1) })], { sets: [set()] }));
    assert.equal(busiest.lengthsOf('uri'), LENGTHS);
  });

  it('says null of what was not measured', () => {
    const busiest = new Busiest();
    busiest.note(tick(0, [reading()], { sets: [set({ callOverheadMs: null, startMs: 0 })] }));
    const [{ callMs, startMs }] = busiest.best.replicas;
    assert.deepEqual([callMs, startMs, busiest.best.boundaries[0].latencyMs], [null, null, null]);
  });

  it("knows calls that wait for libuv's pool, also where they take no time on the loop", () => {
    const busiest = new Busiest();
    const zlib = later('node:zlib', 'builtin');
    busiest.note(tick(0, [reading({ share: 0.2 })], { utilisation: 0.2 }));
    busiest.note(tick(100, [zlib], { utilisation: 0.05 }));
    assert.deepEqual([busiest.best.boundaries[0].child, busiest.best.boundaries[0].isLater], ['node:zlib', true]);
  });

  it('remembers whether calls waited for the pool at home, since in replicas all are answered later', () => {
    const busiest = new Busiest();
    const both = [later('node:zlib', 'builtin'), later('timer', 'file')];
    const was = () => both.map(({ module }) => busiest.wasInPool(module));
    assert.deepEqual(was(), [false, false]);
    busiest.note(tick(0, both));
    assert.deepEqual(was(), [true, false]);
    const away = both.map(({ module }) => set({ module }));
    busiest.note(tick(100, both, { sets: away }));
    assert.deepEqual(was(), [true, false]);
  });

  it('remembers for a second how many calls were pending at once at home, over all that lead to a module from outside', () => {
    const busiest = new Busiest();
    const most = () => busiest.mostPendingOf('uri');
    assert.equal(most(), 0);
    busiest.note(tick(0, [reading({ pending: 150 }), reading({ pending: 50 }), reading({ pending: 30, isInner: true })]));
    busiest.note(tick(400, [reading({ pending: 20 })]));
    assert.equal(most(), 200);
    busiest.note(tick(1100, []));
    assert.equal(most(), 20);
    busiest.note(tick(1200, [reading({ pending: 90 })], { sets: [set()] }));
    assert.equal(most(), 20, 'nothing is learned of what is away');
    busiest.note(tick(1500, []));
    assert.equal(most(), 0);
  });

  it('is kept by the coordinator, from its ticks', () => {
    const load = poisson(60, () => 8);
    const sim = new Simulation({ modules: [{ name: 'md', load: (time, random) => (time < 5000 ? load(time, random) : []) }], cpus: 2 }).run(
      9000,
    );
    const { best } = sim.coordinator.busiest;
    const taken = best.boundaries[0].share + (best.replicas[0]?.busyMsPerSecond ?? 0) / 1000;
    assert.ok(taken > 0.3, `${taken}`);
    assert.ok(Date.parse(best.at) <= 5500);
  });
});
