'use strict';

const assert = require('node:assert/strict');
const { durationOf } = require('../../lib/engine');
const { EventLoop } = require('../../lib/profile/event-loop');

function build() {
  const world = { time: 0, idle: 0, active: 0, ownMs: 0, ranMs: 0, waitedMs: 0, timers: [], isAtRest: false };
  const loop = new EventLoop({
    now: () => world.time,
    usage: () => ({ idle: world.idle, active: world.active }),
    ownMs: () => world.ownMs,
    readTimes: () => ({ ranMs: world.ranMs, waitedMs: world.waitedMs }),
    rest: (isAtRest) => {
      world.isAtRest = isAtRest;
    },
    timers: {
      setInterval: (run) => {
        const timer = {
          run,
          isRef: true,
          unref() {
            timer.isRef = false;
          },
        };
        world.timers.push(timer);
        return timer;
      },
      clearInterval: (timer) => world.timers.splice(world.timers.indexOf(timer), 1),
    },
  });
  const pass = (idle, active) => {
    world.idle += idle;
    world.active += active;
    world.time += idle + active;
  };
  const tick = (idle, active) => {
    pass(idle, active);
    world.timers[0].run();
  };
  return { loop, world, pass, tick };
}

describe('profile/event-loop', () => {
  it('tells the utilisation of the window, not of all time', () => {
    const { loop, world, pass } = build();
    loop.start();
    for (let i = 0; i < 20; i++) {
      pass(100, 0);
      world.timers[0].run();
    }
    for (let i = 0; i < 5; i++) {
      pass(20, 80);
      world.timers[0].run();
    }
    const { utilisation, windowMs } = loop.read();
    assert.equal(windowMs, 1000);
    assert.equal(utilisation, 0.4);
    loop.close();
  });

  it('says that it is at rest once all of the window was idle, and no more from the next tick on that was not', () => {
    const { loop, world, tick } = build();
    loop.start();
    for (let i = 0; i < 9; i++) tick(99, 1);
    assert.equal(world.isAtRest, false, 'before a whole window is known');
    tick(99, 1);
    assert.equal(world.isAtRest, true);
    tick(75, 25);
    assert.equal(world.isAtRest, false);
    for (let i = 0; i < 9; i++) tick(100, 0);
    assert.equal(world.isAtRest, false, 'while that tick is within the window');
    tick(100, 0);
    assert.equal(world.isAtRest, true);
    loop.close();
  });

  it('counts up to the moment of the question, without filling up', () => {
    const { loop, world, pass } = build();
    loop.start();
    for (let i = 0; i < 10; i++) {
      pass(100, 0);
      world.timers[0].run();
    }
    for (let i = 0; i < 1000; i++) {
      pass(0, 0.5);
      loop.read();
    }
    assert.ok(Math.abs(loop.read().utilisation - 0.5) < 0.01);
    loop.close();
  });

  it('measures how late its ticks come', () => {
    const { loop, world, pass } = build();
    loop.start();
    // A timer of ours of 100 ms lasts for 101.
    pass(101, 0);
    world.timers[0].run();
    pass(1, 400);
    world.timers[0].run();
    const { delayMs, longestMs } = loop.read();
    assert.deepEqual([delayMs, longestMs], [150, 300]);
    loop.close();
  });

  it('is as late as its next tick where the loop does not turn', () => {
    const tickMs = durationOf(100);
    const { loop, world, pass } = build();
    pass(0, 500);
    assert.equal(loop.read().delayMs, 0, 'before it is measured');
    loop.start();
    pass(0, 4000);
    assert.deepEqual([loop.read().delayMs, loop.read().longestMs], [4000 - tickMs, 4000 - tickMs]);
    world.timers[0].run();
    pass(0, 400);
    assert.deepEqual([loop.read().delayMs, loop.read().longestMs], [4000 - tickMs, 4000 - tickMs], 'the tick that came');
    pass(0, 2000);
    assert.deepEqual([loop.read().delayMs, loop.read().longestMs], [2400 - tickMs, 2400 - tickMs]);
    loop.close();
    assert.equal(loop.read().delayMs, 0);
  });

  it('looks back no further than to where a load has come all at once', () => {
    const { loop, tick } = build();
    loop.start();
    for (let i = 0; i < 10; i++) tick(90, 10);
    assert.equal(loop.spanMs(), 1000);
    tick(0, 100);
    assert.equal(loop.spanMs(), 1000, 'a tick alone says nothing');
    tick(0, 100);
    assert.equal(loop.spanMs(), 125);
    const { utilisation, windowMs } = loop.readLately();
    assert.deepEqual([utilisation, windowMs], [1, 200]);
    assert.ok(loop.read().utilisation < 0.5, 'the whole window still holds the quiet');
    for (let i = 0; i < 8; i++) tick(0, 100);
    assert.equal(loop.spanMs(), 1000, 'by now it is the window');
    for (let i = 0; i < 2; i++) tick(100, 0);
    assert.deepEqual([loop.readLately().utilisation, loop.readLately().lately], [0.8, 1 / 3], 'and soon after it has gone again');
    loop.close();
  });

  it('sees a load that came within a tick as soon as it has filled the loop for long enough, and is idle no more', () => {
    const { loop, tick } = build();
    loop.start();
    for (let i = 0; i < 10; i++) tick(90, 10);
    tick(60, 70);
    assert.equal(loop.isSurge(), false, 'not long enough');
    tick(0, 50);
    assert.deepEqual([loop.isSurge(), loop.isFull(125), loop.isFull(150)], [true, true, false]);
    const { utilisation, windowMs, ownShare, lately } = loop.readLately();
    assert.ok(Math.abs(windowMs - 120) < 1e-9, String(windowMs));
    assert.deepEqual([utilisation, ownShare, lately, loop.spanMs()], [1, 0, 1, 125]);
    assert.ok(loop.lately() < 0.5, 'and not passed, though the quarter of a second, and a tick of it more, holds more of the quiet');
    tick(10, 90);
    assert.equal(loop.isSurge(), false, 'idle again');
    loop.close();
  });

  it('looks at nothing that was before a moment, where that is asked for', () => {
    const { loop, tick } = build();
    loop.start();
    for (const [idle, active] of [
      [0, 100],
      [50, 50],
      [80, 20],
      [80, 20],
    ])
      tick(idle, active);
    // 250 ms ago lies between two ticks.
    const { utilisation, windowMs } = loop.read(undefined, 250);
    assert.deepEqual([utilisation, windowMs], [0.3, 300]);
    const within = loop.read(undefined, 250, true);
    assert.deepEqual([within.utilisation, within.windowMs], [0.2, 200]);
    assert.equal(loop.read(undefined, 200, true).windowMs, 200, 'at a tick nothing is left out');
    assert.equal(loop.read(undefined, 1, true).windowMs, 100, 'at least the last one is looked at');
    loop.close();
  });

  it('tells which part Ignis itself took, and which part of its busy time the thread waited for a core', () => {
    const { loop, world, pass } = build();
    loop.start();
    pass(0, 500);
    Object.assign(world, { ownMs: 40, ranMs: 400, waitedMs: 90 });
    world.timers[0].run();
    assert.equal(loop.read().ownShare, 0.08);
    assert.equal(loop.read().runDelay, 0.18);
    // An idle thread also waits before it wakes up: no more counts than the loop was busy without a core.
    pass(400, 100);
    Object.assign(world, { ranMs: 490, waitedMs: 300 });
    world.timers[0].run();
    assert.equal(loop.read().runDelay, 110 / 600);
    assert.equal(loop.read().ownShare, 0.04);
    loop.close();
  });

  it('answers without being started, and before any time has passed', () => {
    const { loop, pass } = build();
    assert.deepEqual(loop.read(), { utilisation: 0, ownShare: 0, runDelay: 0, delayMs: 0, longestMs: 0, windowMs: 0 });
    pass(50, 50);
    assert.equal(loop.read().utilisation, 0.5);
  });

  it('unrefs its timer and leaves none behind', () => {
    const { loop, world } = build();
    loop.start();
    loop.start();
    assert.equal(world.timers.length, 1);
    assert.equal(world.timers[0].isRef, false);
    loop.close();
    loop.close();
    assert.deepEqual(world.timers, []);
  });

  it('reads the true loop of this thread', () => {
    const loop = new EventLoop();
    const end = performance.now() + 20;
    while (performance.now() < end);
    const { utilisation } = loop.read();
    assert.ok(utilisation > 0.5 && utilisation <= 1, String(utilisation));
  });
});
