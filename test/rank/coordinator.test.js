'use strict';

const assert = require('node:assert/strict');
const { spawnSync } = require('node:child_process');
const { subscribe } = require('../../lib/diagnostics');
const { Coordinator } = require('../../lib/rank/coordinator');

function reading(changes) {
  return {
    boundary: './a.js -> uri',
    module: 'uri',
    parent: { name: './a.js' },
    child: { name: 'uri', kind: 'package' },
    calls: 1003,
    callsPerSecond: 1003,
    exclusiveMs: 912,
    inclusiveMs: 912,
    blockingMs: 912,
    share: 0.912,
    meanMs: 0.91,
    maxMs: 304,
    pending: 0,
    completions: 0,
    latencyMs: 0,
    inTurn: 0,
    kinds: { parse: 'sync' },
    hottest: 'parse',
    quantiles: [],
    windowMs: 1000,
    samples: 1003,
    bytes: 0,
    values: 0,
    ...changes,
  };
}

/** A coordinator on a clock and timers of its own; `world` is what its sources say. */
function build(changes = {}) {
  const world = {
    time: 1000,
    readings: [],
    sets: [],
    resized: [],
    guided: [],
    saturated: [],
    spentMs: 0,
    immediates: [],
    intervals: [],
    ...changes,
  };
  const timer = (list, run) => {
    const entry = {
      run,
      isRef: true,
      unref() {
        entry.isRef = false;
      },
    };
    list.push(entry);
    return entry;
  };
  const drop = (list) => (entry) => list.splice(list.indexOf(entry), 1);
  const coordinator = new Coordinator({
    options: world.options ?? { tickMs: 100, cpus: 2, poolThreads: 4, windowMs: 1000, reclaimMs: 5000 },
    now: () => world.time,
    clock: () => world.spentMs,
    timers: {
      setInterval: (run) => timer(world.intervals, run),
      clearInterval: drop(world.intervals),
      setImmediate: (run) => timer(world.immediates, run),
      clearImmediate: drop(world.immediates),
    },
    sources: {
      readings: () => world.readings,
      loop: () => ({ utilisation: world.utilisation ?? 0.95, delayMs: 0, longestMs: 0, windowMs: 1000 }),
      sets: () => world.sets,
      lately: world.lately,
      busy: world.busy,
      permission: (module) => world.permissionOf?.(module) ?? world.permission ?? { allowed: true, copies: [0, 4] },
    },
    effects: {
      resize: (module, replicas, decision) => world.resized.push({ module, replicas, sentence: decision.sentence }),
      guide: (module, guidelines) => world.guided.push({ module, ...guidelines }),
      saturated: (module, level) => world.saturated.push([module, level]),
    },
  });
  return { coordinator, world };
}

describe('rank/coordinator', () => {
  it('looks once more where a load comes, before the next tick', () => {
    const { coordinator, world } = build({ utilisation: 0.05 });
    coordinator.start();
    coordinator.tick();
    world.utilisation = 0.4;
    coordinator.tick();
    assert.equal(world.intervals.length, 2, 'the ticks, and one round more');
    world.utilisation = 0.5;
    world.intervals[1].run();
    assert.equal(world.intervals.length, 1);
    world.utilisation = 1;
    coordinator.tick();
    coordinator.close();
    assert.equal(world.intervals.length, 0);
  });

  describe('ticks without a round', () => {
    const notAllowed = { allowed: false, why: 'unknown', copies: [0, 0] };
    /** Too little to free the loop. */
    const little = {
      calls: 100,
      callsPerSecond: 100,
      exclusiveMs: 20,
      inclusiveMs: 20,
      blockingMs: 20,
      share: 0.02,
      meanMs: 0.2,
      maxMs: 1,
    };

    /** Lets ticks pass. @returns {string} of each: R a round, - none */
    function beat({ world }, ticks) {
      let seen = '';
      for (let tick = 0; tick < ticks; tick++) {
        const before = world.asked;
        world.time += 100;
        world.intervals[0].run();
        seen += world.asked > before ? 'R' : '-';
      }
      return seen;
    }

    function started(changes) {
      const built = build({
        readings: [reading(little)],
        permissionOf: () => void built.world.asked++,
        level: 0.95,
        noted: 0,
        asked: 0,
        busy: () => {
          built.world.noted++;
          return built.world.level;
        },
        ...changes,
      });
      built.coordinator.start();
      return built;
    }

    it('are two of three while nothing can have changed, and what is measured is booked at each of them', () => {
      const built = started();
      assert.equal(beat(built, 8), 'R--R--R-');
      assert.equal(built.world.noted, 8);
      built.coordinator.close();
    });

    it('are nine of ten while nothing may leave, whatever comes, and not all of them are for a look', () => {
      const built = started({ permission: notAllowed });
      assert.equal(beat(built, 30), 'R--'.repeat(10), 'the first rounds');
      const before = built.world.noted;
      assert.equal(beat(built, 6), 'R-----');
      assert.equal(built.world.noted - before, 2);
      built.world.level = 0.2;
      assert.equal(beat(built, 6), '----R-');
      built.coordinator.close();
    });

    it('are nine of ten while the loop is idle, until it is not', () => {
      const built = started({ level: 0.01, utilisation: 0.01 });
      assert.equal(beat(built, 22), 'R---------R---------R-');
      built.world.level = 0.06;
      assert.equal(beat(built, 4), '-R--', 'no news, but not idle any more');
      built.world.level = 0.5;
      assert.equal(beat(built, 1), 'R');
      built.coordinator.close();
    });

    it('end when the loop is busier or less busy, and when a module is registered', () => {
      const built = started();
      assert.equal(beat(built, 2), 'R-');
      built.world.level = 0.8;
      assert.equal(beat(built, 2), 'RR', 'the round saw 0.95, and it is another load still');
      built.world.level = 0.95;
      assert.equal(beat(built, 1), '-');
      built.coordinator.register('other');
      assert.equal(beat(built, 3), 'R--');
      built.coordinator.close();
    });

    it('are none while a step is a matter of time, with replicas, and in windows of few ticks', () => {
      const allowed = { allowed: true, copies: [0, 4] };
      const busySet = {
        module: 'uri',
        wanted: 1,
        ready: 1,
        starting: 0,
        pending: 0,
        queued: 0,
        lost: 0,
        busyMsPerSecond: 300,
        callsPerSecond: 100,
        callOverheadMs: 0.05,
        startMs: 60,
        longestMs: 3,
        copies: [1, 4],
      };
      const slow = { ...busySet, wanted: 0, ready: 0, busyMsPerSecond: 0, callsPerSecond: 0, startMs: 13_000 };
      for (const [changes, reason] of [
        [{ permission: allowed, readings: [reading()], sets: [slow] }, 'too-soon'],
        [{ permission: { allowed: true, copies: [1, 4] }, sets: [busySet], readings: [] }, 'enough'],
        [{ options: { tickMs: 100, cpus: 2, poolThreads: 4, windowMs: 500, reclaimMs: 5000 } }, 'small'],
        [{ permission: notAllowed, busy: undefined }, 'not-allowed'],
      ]) {
        const built = started(changes);
        assert.deepEqual([beat(built, 4), built.coordinator.latest('uri').reason], ['RRRR', reason]);
        built.coordinator.close();
      }
    });
  });

  it('keeps its clock when the program puts another one in its place', () => {
    const { performance } = globalThis;
    const coordinator = new Coordinator({
      options: { tickMs: 100, cpus: 2, poolThreads: 4, windowMs: 1000, reclaimMs: 5000 },
      sources: {
        loop: () => ({ windowMs: 1000, utilisation: 0.5, delayMs: 0 }),
        readings: () => [reading()],
        sets: () => [],
        permission: () => ({ allowed: false, why: 'no recipe', copies: [0, 4], functions: {} }),
      },
      effects: { decided: () => {}, resize: () => {}, guide: () => {}, saturated: () => {} },
    });
    // As libraries of fake timers do.
    Object.defineProperty(globalThis, 'performance', { value: { now: () => 0 }, configurable: true, writable: true });
    try {
      coordinator.tick();
    } finally {
      Object.defineProperty(globalThis, 'performance', { value: performance, configurable: true, writable: true });
    }
    assert.ok(Math.abs(Date.parse(coordinator.busiest.best.at) - Date.now()) < 60_000);
  });

  it('ticks only while it runs, and leaves no timer behind', () => {
    const { coordinator, world } = build();
    assert.equal(coordinator.state, 'idle');
    coordinator.start();
    coordinator.start();
    assert.equal(coordinator.state, 'running');
    assert.equal(world.intervals.length, 1);
    assert.equal(world.intervals[0].isRef, false);
    coordinator.nudge('uri', 300);
    coordinator.close();
    coordinator.close();
    assert.equal(coordinator.state, 'closed');
    assert.deepEqual([world.intervals, world.immediates], [[], []]);
    world.readings = [reading()];
    assert.deepEqual(coordinator.tick(), []);
    coordinator.start();
    assert.equal(coordinator.state, 'closed');
    coordinator.nudge('uri', 300);
    assert.deepEqual(world.immediates, []);
  });

  it('asks the set of a saturated module for replicas, with the sentence', () => {
    const { coordinator, world } = build({ readings: [reading()] });
    coordinator.tick();
    assert.equal(world.resized.length, 1);
    assert.equal(world.resized[0].replicas, 3);
    assert.match(world.resized[0].sentence, /start 3/);
  });

  it('sums up all boundaries that lead to one module', () => {
    const half = { exclusiveMs: 300, blockingMs: 300, share: 0.3, calls: 300, samples: 300, maxMs: 2, meanMs: 1 };
    const { coordinator } = build({ readings: [reading(half), reading({ ...half, boundary: './b.js -> uri' })] });
    const [decision, ...others] = coordinator.tick();
    assert.deepEqual(others, []);
    assert.equal(decision.figures.exclusiveMs, 600);
    assert.equal(decision.figures.calls, 600);
  });

  it('takes a group for one: its pressure is the sum, and calls within it cost time but do not cross', () => {
    const inGroup = (name, changes) =>
      reading({ boundary: `./a.js -> ${name}`, module: 'group g', child: { name, kind: 'file' }, maxMs: 5, pending: 0, ...changes });
    const { coordinator } = build({
      readings: [
        inGroup('./one.js', { share: 0.3, exclusiveMs: 300, calls: 100, samples: 100 }),
        inGroup('./two.js', { share: 0.2, exclusiveMs: 200, calls: 50, samples: 50 }),
        inGroup('./three.js', { share: 0.25, exclusiveMs: 250, calls: 5000, isInner: true, parent: { name: './one.js' } }),
      ],
    });
    const round = coordinator.tick();
    assert.deepEqual(
      round.map(({ module }) => module),
      ['group g'],
    );
    const { calls, exclusiveMs, share, pressure } = round[0].figures;
    assert.deepEqual([calls, exclusiveMs, share, pressure], [150, 750, 0.75, 0.75]);
  });

  it('tells once that a module is saturated, and again when that comes back after a second without', () => {
    const { coordinator, world } = build({ readings: [reading()] });
    const tickAt = (time, readings) => {
      world.time = time;
      world.readings = readings;
      coordinator.tick();
    };
    const calm = reading({ exclusiveMs: 1, share: 0.001, maxMs: 1, meanMs: 0.001 });
    for (const time of [1000, 1100, 1200]) tickAt(time, [reading()]);
    tickAt(1300, [calm]);
    tickAt(1400, [reading()]);
    assert.deepEqual(world.saturated, [['uri', 0.912]]);
    for (let time = 1500; time < 3000; time += 100) tickAt(time, [calm]);
    tickAt(3000, [reading({ share: 1.2 })]);
    assert.deepEqual(world.saturated.slice(1), [['uri', 1]]);
  });

  it('tells it of modules that nobody may move, too', () => {
    const { coordinator, world } = build({ readings: [reading()], permission: { allowed: false, why: 'no recipe', copies: [0, 0] } });
    coordinator.tick();
    assert.deepEqual([world.saturated, world.resized], [[['uri', 0.912]], []]);
  });

  it('decides at once when it is nudged, once for many nudges, and not for short calls', () => {
    const { coordinator, world } = build({ readings: [reading()] });
    coordinator.start();
    coordinator.nudge('uri', 20);
    assert.equal(world.immediates.length, 0);
    coordinator.nudge('uri', 300);
    coordinator.nudge('uri', 310);
    coordinator.nudge('other', 310);
    assert.equal(world.immediates.length, 1);
    assert.equal(world.immediates[0].isRef, false);
    world.immediates.shift().run();
    assert.equal(world.resized.length, 1);
    coordinator.nudge('uri', 300);
    assert.equal(world.immediates.length, 1);
    coordinator.close();
  });

  it('is not nudged by a module that may not leave', () => {
    const { coordinator, world } = build({ readings: [reading()], permission: { allowed: false, why: 'no recipe', copies: [0, 0] } });
    coordinator.start();
    coordinator.tick();
    coordinator.nudge('uri', 300);
    assert.equal(world.immediates.length, 0);
    coordinator.close();
  });

  it('keeps a stay only when its reason changes, and every other decision', () => {
    const { coordinator, world } = build({ readings: [reading({ exclusiveMs: 10, share: 0.01, maxMs: 1, calls: 20 })] });
    for (let i = 0; i < 5; i++) coordinator.tick();
    assert.deepEqual(
      coordinator.decisions.map(({ reason }) => reason),
      ['small'],
    );
    world.readings = [reading()];
    coordinator.tick();
    assert.deepEqual(
      coordinator.decisions.map(({ action }) => action),
      ['stay', 'scale-out'],
    );
    assert.ok(coordinator.decisions.every(({ sentence }) => sentence.startsWith('uri: ')));
  });

  it('holds a bounded number of decisions', () => {
    const { coordinator, world } = build();
    for (let i = 0; i < 1200; i++) {
      world.readings = [reading(i % 2 ? { maxMs: 1, calls: 7, samples: 7 } : { exclusiveMs: 10, share: 0.01, maxMs: 1, calls: 20 })];
      world.time += 2000;
      coordinator.tick();
    }
    assert.deepEqual([coordinator.decisions.length, coordinator.decided], [1000, 1200]);
  });

  it('answers for a module at any time, also when the last stay was not kept', () => {
    const { coordinator, world } = build({ readings: [reading()], permission: { allowed: false, why: 'no recipe', copies: [0, 0] } });
    assert.equal(coordinator.latest('uri'), null);
    coordinator.tick();
    world.readings = [reading({ exclusiveMs: 500, share: 0.5 })];
    coordinator.tick();
    assert.match(coordinator.latest('uri').sentence, /500 ms/);
  });

  it('starts what a recipe asks for before the first call of a registered module', () => {
    const { coordinator, world } = build({ permission: { allowed: true, copies: [2, 4] } });
    coordinator.tick();
    assert.deepEqual(world.resized, []);
    coordinator.register('uri');
    coordinator.tick();
    assert.deepEqual(
      world.resized.map(({ replicas }) => replicas),
      [2],
    );
  });

  it('has a module that is not worth replicas of its own go with the one that calls it', () => {
    const often = {
      calls: 20_000,
      callsPerSecond: 20_000,
      samples: 20_000,
      exclusiveMs: 540,
      blockingMs: 540,
      share: 0.54,
      meanMs: 0.027,
      maxMs: 1,
    };
    const few = {
      calls: 10,
      callsPerSecond: 10,
      samples: 10,
      exclusiveMs: 10,
      inclusiveMs: 550,
      blockingMs: 10,
      share: 0.01,
      meanMs: 1,
      maxMs: 2,
    };
    const readings = [
      reading({ module: 'report', child: { name: 'report', kind: 'package' }, parent: { name: './app.js' }, ...few }),
      reading({ module: 'pdf', child: { name: 'pdf', kind: 'package' }, parent: { name: 'report' }, ...often, inclusiveMs: 540 }),
    ];
    const { coordinator, world } = build({ readings });
    const carried = () => {
      world.time += 100;
      coordinator.tick();
      return coordinator.latest('report').figures.carriedMs ?? 0;
    };
    assert.equal(carried(), 0);
    assert.equal(coordinator.latest('pdf').reason, 'overhead');
    assert.equal(Math.round(carried()), 540);
  });

  it('pushes guidelines when they change, and only then', () => {
    const { coordinator, world } = build({ readings: [reading({ maxMs: 1, exclusiveMs: 10, share: 0.01 })] });
    coordinator.tick();
    coordinator.tick();
    assert.equal(world.guided.length, 1);
    const { module, longCallMs, callMs } = world.guided[0];
    assert.deepEqual([module, longCallMs, callMs > 0], ['uri', 50, true]);
    world.permission = { allowed: false, why: 'unknown', copies: [0, 0] };
    coordinator.tick();
    assert.equal(world.guided.length, 2);
    assert.equal(world.guided[1].longCallMs, Infinity);
  });

  it('pushes guidelines again for a boundary that comes later', () => {
    const { coordinator, world } = build({ readings: [reading({ maxMs: 1, exclusiveMs: 10, share: 0.01 })] });
    coordinator.register('uri');
    coordinator.tick();
    coordinator.register('uri');
    coordinator.tick();
    assert.equal(world.guided.length, 2);
    assert.deepEqual(world.guided[1], world.guided[0]);
  });

  it('ranks by pressure times weight, and shares the cores so', () => {
    const two = (weight) => {
      const { coordinator } = build({
        readings: [
          reading({ share: 0.5 }),
          reading({ boundary: './a.js -> md', module: 'md', child: { name: 'md', kind: 'package' }, share: 0.3 }),
        ],
        permissionOf: (module) => ({ allowed: true, copies: [0, 4], weight: module === 'md' ? weight : undefined }),
        options: { tickMs: 100, cpus: 8, poolThreads: 4, windowMs: 1000, reclaimMs: 5000 },
      });
      return coordinator.tick().map(({ module, figures }) => [module, figures.weight, figures.cores]);
    };
    assert.deepEqual(two(undefined), [
      ['uri', 1, 5],
      ['md', 1, 3],
    ]);
    assert.deepEqual(two(5), [
      ['md', 5, 6],
      ['uri', 1, 2],
    ]);
    assert.deepEqual(
      two(0.1).map(([module]) => module),
      ['uri', 'md'],
    );
  });

  it('publishes what it keeps', () => {
    const heard = [];
    const end = subscribe('ignis:decision', (decision) => heard.push(decision));
    const { coordinator } = build({ readings: [reading()] });
    coordinator.tick();
    end();
    coordinator.tick();
    assert.deepEqual(
      heard.map(({ action }) => action),
      ['scale-out'],
    );
  });

  it('does not resize after an effect has closed it', () => {
    const { coordinator, world } = build({ readings: [reading(), reading({ module: 'md', boundary: './a.js -> md' })] });
    world.resized.push = (...entries) => {
      coordinator.close();
      return Array.prototype.push.apply(world.resized, entries);
    };
    coordinator.tick();
    assert.equal(world.resized.length, 1);
  });

  it('decides by an answer that takes several turns when it is there, and says meanwhile that it is being worked out', () => {
    const { coordinator, world } = build({ readings: [reading({ maxMs: 2 })] });
    let isSlow = true;
    Object.defineProperty(world, 'spentMs', { get: () => (isSlow ? performance.now() * 1000 : 1e9) });
    coordinator.tick();
    assert.deepEqual([world.resized, coordinator.latest('uri').reason], [[], 'weighing']);
    coordinator.tick();
    assert.equal(coordinator.latest('uri').reason, 'weighing');
    isSlow = false;
    assert.equal(world.immediates.length, 1);
    world.immediates.shift().run();
    assert.deepEqual(
      world.resized.map(({ module }) => module),
      ['uri'],
    );
    assert.match(world.resized[0].sentence, /expected: .* calls a second (instead of|as now)/);
    coordinator.close();
  });

  it('waits with a question until what replicas have changed can be seen', () => {
    const set = {
      ...{ module: 'uri', starting: 0, wanted: 1, pending: 16, queued: 4, callsPerSecond: 900, busyMsPerSecond: 990, startMs: 40 },
      ...{ ready: 0, callOverheadMs: 0.05, copies: [0, 4] },
    };
    const { coordinator, world } = build({ sets: [{ ...set, wanted: 0, pending: 0, queued: 0 }] });
    coordinator.tick();
    world.readings = [reading()];
    const after = (ms) => {
      world.time += ms;
      world.sets = [{ ...set, ready: 1 }];
      coordinator.tick();
      return coordinator.latest('uri').reason;
    };
    assert.deepEqual([after(100), after(100), after(100)], ['weighing', 'weighing', 'weighing']);
    assert.notEqual(after(100), 'weighing');
    coordinator.close();
  });

  it('decides at once where a turn of the loop is long, be it of many calls: the answer takes a part of it', () => {
    for (const [inTurn, isAtOnce] of [
      [1, false],
      [16, true],
    ]) {
      const { coordinator, world } = build({ readings: [reading({ calls: 144, meanMs: 6.3, maxMs: 6.4, inTurn })] });
      let looks = 0;
      // Each look at the clock finds a tenth of a millisecond gone.
      Object.defineProperty(world, 'spentMs', { get: () => looks++ / 10 });
      coordinator.tick();
      assert.equal(world.resized.length > 0, isAtOnce, `${inTurn}, ${looks}: ${coordinator.latest('uri').reason}`);
      coordinator.close();
    }
  });

  it('foretells by what was measured since replicas began to serve, where that was within the window', () => {
    /** @type {number[]} */
    const asked = [];
    const costs = { starting: 0, wanted: 1, queued: 0, callOverheadMs: 0.05, startMs: 60, copies: [0, 4], lost: 0, longestMs: 6 };
    const pressed = { module: 'uri', ready: 1, pending: 16, callsPerSecond: 100, busyMsPerSecond: 1000, ...costs };
    const other = { module: 'other', ready: 1, pending: 0, callsPerSecond: 0, busyMsPerSecond: 0, ...costs };
    const { coordinator, world } = build({
      permissionOf: (/** @type {string} */ module) => ({ allowed: true, copies: module === 'uri' ? [0, 4] : [1, 1] }),
      lately: (/** @type {number} */ ms) => {
        asked.push(ms);
        const loop = { utilisation: 0.2, delayMs: 0, longestMs: 0, windowMs: ms };
        return { readings: [], loop, sets: [{ ...pressed, callsPerSecond: 200 }, other] };
      },
    });
    for (; world.resized.length === 0 && world.time < 4000; world.time += 100) {
      world.sets = world.time < 1700 ? [pressed] : [pressed, other];
      coordinator.tick();
    }
    const [{ sentence }] = world.resized;
    assert.ok(asked.length > 0 && asked.every((ms) => ms >= 300 && ms < 1000), String(asked));
    // By the whole window it was 100 a second, by its end 200.
    const now = Number(/(\d+) calls a second(?: as now|, )/.exec(sentence)?.[1]);
    assert.ok(now > 180 && now < 220, sentence);
    coordinator.close();
  });

  it('foretells by what was measured since the first call of the module, where that was within the window', () => {
    for (const [since, told] of [
      [440, [[440, true]]],
      [30, [[100, true]]],
      [1700, []],
      [undefined, []],
    ]) {
      /** @type {any[]} */
      const asked = [];
      const pressed = { ...reading({ calls: 44 }), callsPerSecond: 44, ...(since !== undefined && { sinceMs: since }) };
      const { coordinator, world } = build({
        readings: [pressed],
        lately: (/** @type {any[]} */ ...given) => {
          asked.push(given);
          const loop = { utilisation: 0.95, delayMs: 0, longestMs: 0, windowMs: 440 };
          return { readings: [{ ...pressed, callsPerSecond: 100 }], loop, sets: [] };
        },
      });
      for (; world.resized.length === 0 && world.time < 4000; world.time += 100) coordinator.tick();
      assert.deepEqual(asked.slice(0, 1), told, String(since));
      coordinator.close();
    }
  });

  it('asks nothing about a module that was first called just now, whose code the engine may still compile, but where a call of it was long', () => {
    for (const [sinceMs, maxMs, isAsked] of [
      [150, 12, false],
      [150, 300, true],
      [250, 12, true],
    ]) {
      const pressed = { ...reading({ calls: 44, maxMs }), callsPerSecond: 44, sinceMs };
      const { coordinator, world } = build({ readings: [pressed] });
      for (let i = 0; i < 5; i++, world.time += 100) coordinator.tick();
      assert.equal(world.resized.length > 0, isAsked, `${sinceMs} ${maxMs}`);
      if (!isAsked) assert.equal(coordinator.latest('uri')?.reason, 'weighing');
      coordinator.close();
    }
  });

  it('does not keep a program alive', () => {
    const program = `
      const { Coordinator } = require(${JSON.stringify(require.resolve('../../lib/rank/coordinator'))})
      const coordinator = new Coordinator({
        options: { tickMs: 10, cpus: 2, poolThreads: 4, windowMs: 1000, reclaimMs: 5000 },
        sources: { readings: () => [], loop: () => ({ utilisation: 0 }), sets: () => [], permission: () => ({ allowed: true, copies: [0, 1] }) },
        effects: { resize () {} }
      })
      coordinator.start()
      coordinator.nudge('uri', 300)`;
    const { status, signal } = spawnSync(process.execPath, ['-e', program], { timeout: 20_000 });
    assert.deepEqual([status, signal], [0, null]);
  });
});
