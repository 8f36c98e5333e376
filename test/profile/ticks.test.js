'use strict';

const assert = require('node:assert/strict');
const { ticks, startCoarseClock, stopCoarseClock } = require('../../lib/profile/coarse-clock');
const { EventLoop } = require('../../lib/profile/event-loop');
const { Meter } = require('../../lib/profile/meter');
const { Ticks } = require('../../lib/profile/ticks');
const { Window } = require('../../lib/profile/window');

const ends = [];

/** A window, an event loop and one more part on a clock and timers of its own, as a program has them. */
function build({ windowMs = 1000, tickMs = 100 } = {}) {
  const world = { time: 0, active: 0, timers: [], isCalm: true, seen: [] };
  const own = {
    setInterval: (run, ms) => {
      const timer = { run, ms, dueAt: world.time + ms, isRef: true };
      timer.unref = () => (timer.isRef = false);
      world.timers.push(timer);
      return timer;
    },
    clearInterval: (timer) => {
      const at = world.timers.indexOf(timer);
      if (at >= 0) world.timers.splice(at, 1);
    },
    setImmediate: () => {},
    clearImmediate: () => {},
  };
  const now = () => world.time;
  const timers = new Ticks({ own, tickMs, windowMs });
  const window = new Window({ windowMs, tickMs, now, turns: () => 0 });
  const loop = new EventLoop({
    windowMs,
    tickMs,
    now,
    timers,
    everyMs: () => timers.everyMs,
    usage: () => ({ idle: world.time - world.active, active: world.active }),
    readTimes: () => ({ ranMs: 0, waitedMs: 0 }),
  });
  const meter = new Meter();
  window.track({ id: 'app.js -> lib', parent: { name: './app.js' }, child: { name: 'lib' }, points: new Map([['parse', { meter }]]) });
  loop.start();
  const part = timers.setInterval(() => {
    world.seen.push(world.time);
    window.tickInTurn();
  }, tickMs);
  /** Lets time go by, with whatever is due. */
  const pass = (ms) => {
    for (const end = world.time + ms; ;) {
      const [next] = [...world.timers].sort((a, b) => a.dueAt - b.dueAt);
      if (next === undefined || next.dueAt > end) return void (world.time = end);
      world.time = next.dueAt;
      next.dueAt += next.ms;
      next.run();
    }
  };
  const seenIn = (ms) => {
    world.seen = [];
    const from = world.time;
    pass(ms);
    return world.seen.map((time) => time - from);
  };
  timers.follow({ window, loop, isCalm: () => world.isCalm });
  ends.push(() => {
    loop.close();
    timers.clearInterval(part);
  });
  return { world, timers, window, loop, meter, part, pass, seenIn };
}

/** As a wrapper counts a call, at once. */
function call(meter, world, ms = 0) {
  meter.slots[0]++;
  const weight = meter.beginSample();
  world.time += ms;
  world.active += ms;
  meter.slots[1]++;
  meter.bookTimed(ms, 0, weight);
}

describe('profile/ticks', () => {
  afterEach(() => {
    for (const end of ends.splice(0)) end();
  });

  it('are those of one timer, which holds no program', () => {
    const { world, timers, loop, part, seenIn } = build();
    assert.deepEqual([world.timers.length, world.timers[0].isRef], [1, false]);
    assert.deepEqual(seenIn(300), [100, 200, 300]);
    const other = timers.setInterval(() => {}, 50);
    assert.equal(world.timers.length, 2, 'what is to run more often has its own');
    timers.clearInterval(other);
    loop.close();
    assert.equal(world.timers.length, 1);
    timers.clearInterval(part);
    assert.deepEqual(world.timers, []);
  });

  it('come once where there would be ten while nothing goes on', () => {
    const { world, pass, seenIn } = build();
    pass(1000);
    assert.deepEqual(seenIn(3000), [1000, 2000, 3000]);
    assert.equal(world.timers.length, 1);
  });

  it('come half a tick after a call that comes then, and as often as ever from then on', () => {
    const { world, meter, pass, seenIn } = build();
    pass(1600);
    call(meter, world);
    assert.deepEqual(seenIn(350), [50, 150, 250, 350]);
    pass(1000);
    assert.deepEqual(seenIn(2000).length, 2, 'and it sleeps again');
  });

  it('come as often after a completion, a new function, and an import', () => {
    for (const act of [
      ({ meter }) => meter.complete(5),
      ({ window, boundary }) => {
        boundary.points.set('lexer', { meter: new Meter() });
        assert.ok(window.size > 0);
        boundary.onTouch();
      },
      ({ window }) => window.track({ id: 'app.js -> new', parent: { name: './app.js' }, child: { name: 'new' }, points: new Map() }),
    ]) {
      const built = build();
      const boundary = { id: 'app.js -> b', parent: { name: './app.js' }, child: { name: 'b' }, points: new Map(), onTouch: null };
      built.window.track(boundary);
      built.pass(1600);
      act({ ...built, boundary });
      assert.deepEqual(built.seenIn(50), [50], String(act));
    }
  });

  it('do so while a call is open, the event loop has something to do, or it is a matter of time', () => {
    const { world, meter, pass, seenIn } = build();
    call(meter, world);
    meter.slots[9]++;
    pass(5000);
    assert.equal(seenIn(1000).length, 10);
    meter.complete(5);
    pass(1300);
    assert.equal(seenIn(2000).length, 2);
    world.isCalm = false;
    pass(1000);
    assert.equal(seenIn(1000).length, 10);
    world.isCalm = true;
    pass(1000);
    assert.equal(seenIn(2000).length, 2);
    world.active += 100;
    assert.ok(seenIn(2000).length > 10);
  });

  it('tell the load that comes then by itself, and no sooner or later than it comes', () => {
    const { world, window, loop, meter, pass } = build();
    pass(1100 + 970);
    for (let i = 0; i < 5; i++) call(meter, world, 10);
    pass(1);
    const { calls, windowMs } = window.readings(60)[0];
    assert.deepEqual([calls, windowMs < 500], [5, true], 'and not over the time asleep');
    for (let i = 0; i < 10; i++) call(meter, world, 10);
    assert.ok(loop.isSurge(), 'a load that has come all at once');
    assert.equal(loop.read().delayMs < 100, true, 'ticks that were far apart were not late');
  });

  it('are as they were where a window has few of them, and a program that has none to follow never sleeps', () => {
    const { pass, seenIn } = build({ tickMs: 100, windowMs: 300 });
    pass(300);
    assert.deepEqual(seenIn(600), [300, 600], 'no further apart than a window');
    const alone = { time: 0, runs: [] };
    const timers = new Ticks({
      own: { setInterval: (run) => (alone.runs.push(run), {}), clearInterval() {} },
      tickMs: 100,
      windowMs: 1000,
    });
    let count = 0;
    timers.setInterval(() => count++, 100);
    for (let i = 0; i < 50; i++) alone.runs[0]();
    assert.deepEqual([count, alone.runs.length], [50, 1]);
  });

  it('run what is to run although another part throws', () => {
    const { timers, world, pass } = build();
    const other = timers.setInterval(() => {
      throw new RangeError('a part');
    }, 100);
    const runs = [];
    timers.setInterval(() => runs.push(world.time), 100);
    assert.throws(() => pass(100), /a part/);
    assert.deepEqual(runs, [100]);
    timers.clearInterval(other);
    pass(100);
    assert.deepEqual(runs, [100, 200]);
  });

  it('stop the clock that finds long calls meanwhile', async () => {
    startCoarseClock();
    const ticked = async (count) => {
      for (const from = ticks[0]; ticks[0] - from < count;) await new Promise(setImmediate);
    };
    await ticked(2);
    const { world, meter, pass } = build();
    pass(1100);
    // The one it is about to make, and no more.
    for (let before = NaN; before !== ticks[0];) {
      before = ticks[0];
      await new Promise((resolve) => setTimeout(resolve, 100));
    }
    call(meter, world);
    // With the next tick, not in the call.
    pass(50);
    await ticked(3);
    await stopCoarseClock();
  });
});
