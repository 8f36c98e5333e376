'use strict';

const assert = require('node:assert/strict');
const { EventLoop } = require('../../lib/profile/event-loop');
const { Window } = require('../../lib/profile/window');
const { withRoom } = require('../../lib/profile/histogram');
const { lately, setsLately } = require('../../lib/profile/lately');

/** A loop with what it was in spans of its end, and a window that says what it was asked for. */
const build = ({ loop, reach }) => {
  const asked = [];
  return {
    asked,
    eventLoop: {
      read: (_time, spanMs) => ({
        ...{ delayMs: 3, longestMs: 4, ownShare: 0.1, runDelay: 0.2 },
        windowMs: spanMs,
        utilisation: loop[spanMs],
      }),
      spanMs: () => 160,
      isSurge: () => loop.isSurge,
      isFull: (spanMs) => loop[spanMs] > 0.95,
    },
    window: {
      readings: (...given) => {
        if (given[0] > 1) asked.push(given);
        return given[0] > 1 ? [] : [{ module: 'called', calls: 3 }];
      },
      reach: () => reach,
    },
  };
};

const sets = [
  { module: 'called', ready: 2 },
  { module: 'left', ready: 2 },
  { module: 'at home', ready: 0 },
];
const marked = [sets[0], { ...sets[1], isLeft: true }, sets[2]];

describe('profile/lately', () => {
  it('reads both over the same time', () => {
    const { eventLoop, window, asked } = build({ loop: { 200: 0.7 } });
    const { loop, sets: same } = lately(window, eventLoop, () => sets, 200);
    assert.deepEqual(same, sets);
    assert.deepEqual([loop.utilisation, loop.windowMs], [0.7, 200]);
    assert.deepEqual(asked, [[200]]);
  });

  it('since the first call, counts what was called in exactly that time, and of the loop nothing before it', () => {
    for (const [utilisation, told, which] of [
      [0.9, 0.9, sets],
      [0.96, 1, marked],
    ]) {
      const { eventLoop, window, asked } = build({ loop: { 160: utilisation }, reach: 250 });
      const within = [];
      const loop = { ...eventLoop, read: (...given) => (within.push(given), eventLoop.read(...given)) };
      const { loop: seen, sets: same } = lately(window, loop, () => sets, 160, true);
      assert.deepEqual([seen.utilisation, same], [told, which]);
      assert.deepEqual([asked, within], [[[160, 160]], [[undefined, 160, true]]]);
    }
  });

  it('since the first call, takes what Ignis did itself as a part of all that time, though the loop is known from the tick after it on', () => {
    const { eventLoop, window } = build({ loop: { 160: 0.96 } });
    const read = (...given) => ({ ...eventLoop.read(...given), windowMs: 80 });
    assert.equal(lately(window, { ...eventLoop, read }, () => sets, 160, true).loop.ownShare, 0.05);
  });

  it('where a load came all at once, takes the time that the loop was busy in as far back as the first counts reach', () => {
    const { eventLoop, window, asked } = build({ loop: { 160: 0.99, 250: 0.8 }, reach: 250 });
    const { loop, sets: told } = lately(window, eventLoop, () => sets, 160);
    assert.deepEqual(told, marked);
    assert.deepEqual([loop.ownShare, loop.runDelay], [0.125, 0.2]);
    assert.deepEqual([loop.utilisation, loop.windowMs, loop.delayMs], [1, 200, 3]);
    assert.deepEqual(asked, [[160, 200]]);
  });

  it('marks modules that are not called any more when a load has come to others', () => {
    const spans = [];
    const setsIn = (spanMs) => {
      spans.push(spanMs);
      return sets;
    };
    for (const [isSurge, told] of [
      [false, sets],
      [true, marked],
    ]) {
      const { eventLoop, window } = build({ loop: { isSurge } });
      assert.deepEqual(setsLately(window, eventLoop, setsIn), told);
    }
    assert.deepEqual(spans, [160, 160]);
  });

  it('so that what modules did not take is what home did meanwhile, and no quiet before', () => {
    const world = { time: 0, idle: 0, active: 0, exclusiveMs: 0, calls: 0 };
    const timers = [];
    const eventLoop = new EventLoop({
      now: () => world.time,
      usage: () => ({ idle: world.idle, active: world.active }),
      timers: { setInterval: (run) => (timers.push(run), {}), clearInterval() {} },
    });
    const window = new Window({ now: () => world.time, turns: () => 0, poll() {} });
    const meter = {
      get calls() {
        return world.calls;
      },
      completions: 0,
      read: () => ({ ...totals, calls: world.calls, exclusiveMs: world.exclusiveMs }),
    };
    const totals = {
      completions: 0,
      pending: 0,
      laterMs: 0,
      inclusiveMs: 0,
      blockingMs: 0,
      latencyMs: 0,
      failures: 0,
      longest: 1,
      kind: 'sync',
    };
    Object.assign(totals, { histogram: withRoom(null), sized: 0, argBytes: 0, resultBytes: 0, values: 0 });
    window.track({ id: 'm', parent: { name: 'a' }, child: { name: 'm' }, points: new Map([['f', { meter }]]) });
    eventLoop.start();
    const pass = (idle, active) => {
      world.time += idle + active;
      world.idle += idle;
      world.active += active;
      world.exclusiveMs += 0.75 * active;
      world.calls += 0.75 * active;
      timers[0]();
    };
    for (let tick = 0; tick < 10; tick++) {
      pass(100, 0);
      window.tick();
    }
    // The load comes within a tick of the window, at one of the loop.
    pass(60, 0);
    for (let tick = 0; tick < 3; tick++) {
      pass(0, tick === 0 ? 40 : 100);
      window.tick();
    }
    assert.equal(lately(window, eventLoop, () => [], 290).loop.utilisation, 0.8, 'what is not full is left as it is');
    const sudden = lately(window, eventLoop, () => [], 240);
    assert.equal(sudden.loop.utilisation, 1);
    assert.equal(sudden.loop.windowMs, 240);
    const [{ share, callsPerSecond }] = sudden.readings;
    assert.ok(Math.abs(share - 0.75) < 1e-9, String(share));
    assert.ok(Math.abs(callsPerSecond - 750) < 1e-6, String(callsPerSecond));
  });
});
