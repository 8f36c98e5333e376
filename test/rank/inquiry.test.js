'use strict';

const assert = require('node:assert/strict');
const { Inquiry } = require('../../lib/rank/inquiry');
const { measuredModule } = require('../../lib/rank/measured');
const { FRACTIONS } = require('../../lib/rank/service-time');

const one = measuredModule('hot', { callsPerSecond: 200, share: 0.9, quantiles: FRACTIONS.map(() => 4.5), pressure: 1 });
const question = () => ({
  measured: {
    from: 'a test',
    at: new Date(0).toISOString(),
    windowMs: 1000,
    utilisation: 1,
    ownShare: 0,
    runDelay: 0,
    deaf: 0,
    cores: 2,
    poolThreads: 4,
    modules: [one],
  },
  wishes: [{ module: 'hot', from: 0, to: 1, most: 2, isHeavy: false }],
  cores: 2,
});

/** An inquiry on a clock that moves by `stepMs` each time that it is read, so that every part takes as long. */
function build(stepMs) {
  const world = { time: 0, stepMs, immediates: [], announced: 0 };
  const inquiry = new Inquiry({
    clock: () => (world.time += world.stepMs),
    spent: () => world.time,
    timers: {
      setImmediate: (run) => {
        const entry = { run, isRef: true, unref: () => void (entry.isRef = false) };
        world.immediates.push(entry);
        return entry;
      },
      clearImmediate: (entry) => void world.immediates.splice(world.immediates.indexOf(entry), 1),
    },
    onAnswer: () => world.announced++,
  });
  return { inquiry, world };
}

describe('rank/inquiry', () => {
  it('answers at once what is found within a slice', () => {
    const { inquiry, world } = build(0);
    const answers = inquiry.ask(question);
    assert.deepEqual(
      answers.get('hot').answers.map(({ replicas }) => replicas),
      [0, 1, 2],
    );
    assert.deepEqual([world.immediates, world.announced, inquiry.take()], [[], 0, null]);
  });

  it('works in slices, one in a turn of the loop, takes no second question meanwhile, and announces the answer once', () => {
    const { inquiry, world } = build(1);
    assert.equal(inquiry.ask(question), null);
    let slices = 1;
    for (let before = world.time; world.immediates.length > 0; before = world.time) {
      assert.equal(world.immediates.length, 1);
      assert.equal(world.immediates[0].isRef, false, 'it keeps no program alive');
      assert.equal(inquiry.ask(question), null);
      assert.equal(world.announced, 0);
      world.immediates.shift().run();
      assert.ok(world.time - before <= 8, `a slice took ${world.time - before} parts`);
      slices++;
    }
    assert.ok(slices > 3, `${slices} slices`);
    assert.equal(world.announced, 1);
    assert.equal(inquiry.take().get('hot').from, 0);
    assert.equal(inquiry.take(), null, 'an answer is as old as its question');
    const { inquiry: other } = build(0);
    assert.equal(other.ask(question).size, 1);
  });

  it('answers at once after a long turn of the loop, where a third of that turn is enough', () => {
    const { inquiry, world } = build(0.5);
    assert.equal(inquiry.ask(question, 300).get('hot').from, 0);
    assert.equal(world.immediates.length, 0);
    const { inquiry: shorter, world: short } = build(0.5);
    assert.equal(shorter.ask(question, 20), null);
    assert.ok(short.time <= 8, `the first slice took ${short.time} ms`);
    const { inquiry: slower, world: slow } = build(4);
    assert.equal(slower.ask(question, 1e6), null);
    assert.ok(slow.time <= 120, `the first slice took ${slow.time} ms: more than may be saved up`);
  });

  it('takes a fiftieth of a turn of the loop that lasts for seconds, so that few of them find the answer', () => {
    const slicesOf = (/** @type {number} */ turnMs) => {
      const { inquiry, world } = build(2);
      assert.equal(inquiry.ask(question), null);
      let longest = 0;
      let slices = 0;
      for (; world.immediates.length > 0; slices++) {
        world.time += turnMs;
        const before = world.time;
        world.immediates.shift().run();
        longest = Math.max(longest, world.time - before);
      }
      return { slices, longest };
    };
    const short = slicesOf(500);
    assert.ok(short.longest <= 24, `after half a second a slice took ${short.longest} ms`);
    const long = slicesOf(3000);
    assert.ok(long.longest <= 65, `after three seconds a slice took ${long.longest} ms`);
    assert.ok(long.slices < short.slices / 2, `${long.slices} turns of three seconds, ${short.slices} of half a second`);
  });

  it('takes a fiftieth of the time in all', () => {
    const { inquiry, world } = build(0.5);
    let slices = 0;
    const ask = () => {
      for (inquiry.ask(question); world.immediates.length > 0;) {
        world.immediates.shift().run();
        slices++;
      }
      return inquiry.take() !== null;
    };
    let asked = 0;
    while (ask()) asked++;
    assert.ok(asked > 0, 'a program that never asked may ask');
    const spentMs = world.time;
    world.stepMs = 0;
    assert.equal(inquiry.ask(question), null, 'too much was asked of late');
    world.time += 2 * 50 * spentMs;
    assert.notEqual(inquiry.ask(question), null);
    assert.ok(slices > 0);
  });

  it('warms up in moments of rest, a slice at a time, and then never again', () => {
    const { inquiry, world } = build(1);
    let spent = 0;
    for (let rests = 0; rests < 1000; rests++) {
      const before = world.time;
      inquiry.warm();
      if (world.time === before) break;
      assert.ok(world.time - before <= 8);
      spent++;
    }
    assert.ok(spent > 10 && spent < 1000, `${spent} moments`);
    assert.deepEqual([world.immediates, inquiry.take()], [[], null]);
  });

  it('does not warm up while it is asked', () => {
    const { inquiry, world } = build(1);
    inquiry.ask(question);
    const before = world.time;
    inquiry.warm();
    assert.equal(world.time, before);
  });

  it('ends with what is under way', () => {
    const { inquiry, world } = build(1);
    inquiry.ask(question);
    inquiry.close();
    inquiry.close();
    assert.deepEqual([world.immediates, inquiry.take()], [[], null]);
  });
});
