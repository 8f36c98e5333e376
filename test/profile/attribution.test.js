'use strict';

const assert = require('node:assert/strict');
const { childMs, onLongCall } = require('../../lib/profile/attribution');
const { startCoarseClock, stopCoarseClock, ticks } = require('../../lib/profile/coarse-clock');
const { performance } = require('../../lib/engine');
const { SLOT } = require('../../lib/profile/meter');
const { Window } = require('../../lib/profile/window');
const { boundaryAround } = require('../helpers/watched');

/** Keeps this thread busy in true time. @param {number} ms */
function spin(ms) {
  const end = performance.now() + ms;
  while (performance.now() < end);
}

let time = 0;
const { now } = performance;

/** Lets the time of a test pass, which stands still otherwise. @param {number} ms */
function pass(ms) {
  time += ms;
}

/** @param {ReturnType<typeof boundaryAround>} boundary @param {string} name */
const read = (boundary, name) => boundary.points.get(name).meter.read();

/** @param {number} actual @param {number} expected @param {number} [slack] */
const near = (actual, expected, slack = 1e-6) => assert.ok(Math.abs(actual - expected) <= slack, `${actual} is not ${expected}`);

describe('attribution', () => {
  beforeEach(() => {
    time = 1000;
    performance.now = () => time;
  });

  afterEach(() => {
    performance.now = now;
    assert.equal(onLongCall(null), undefined);
    return stopCoarseClock();
  });

  it('subtracts a crossing from the one around it', () => {
    const inner = boundaryAround({ work: () => pass(6) });
    const outer = boundaryAround({
      work: () => {
        pass(3);
        inner.wrapped.work();
        inner.wrapped.work();
      },
    });
    outer.wrapped.work();
    const a = read(outer, 'work');
    const b = read(inner, 'work');
    near(b.exclusiveMs, 12);
    near(a.exclusiveMs, 3);
    near(a.inclusiveMs, 15);
  });

  it('goes on through three files', () => {
    const c = boundaryAround({ f: () => pass(4) });
    const b = boundaryAround({
      f: () => {
        pass(2);
        c.wrapped.f();
      },
    });
    const a = boundaryAround({
      f: () => {
        b.wrapped.f();
        pass(1);
      },
    });
    a.wrapped.f();
    near(read(a, 'f').exclusiveMs, 1);
    near(read(b, 'f').exclusiveMs, 2);
    near(read(c, 'f').exclusiveMs, 4);
  });

  it('leaves nothing behind when a function throws', () => {
    const inner = boundaryAround({
      f: () => {
        pass(2);
        throw new Error('inner');
      },
    });
    const outer = boundaryAround({
      f: () => {
        try {
          inner.wrapped.f();
        } catch {}
        pass(2);
      },
    });
    for (let i = 0; i < 100; i++) outer.wrapped.f(i);
    const a = read(outer, 'f');
    assert.equal(read(inner, 'f').failures, 100);
    assert.equal(a.failures, 0);
    near(a.exclusiveMs, 200);
    const after = boundaryAround({ f: () => pass(3) });
    after.wrapped.f();
    near(read(after, 'f').exclusiveMs, 3);
  });

  it('counts a recursive call once in inclusive time', () => {
    const exports = {
      f: (n) => {
        pass(1);
        return n === 0 ? 0 : recursive.wrapped.f(n - 1) + 1;
      },
    };
    const recursive = boundaryAround(exports);
    assert.equal(recursive.wrapped.f(9), 9);
    const { calls, exclusiveMs, inclusiveMs } = read(recursive, 'f');
    assert.equal(calls, 10);
    near(exclusiveMs, 10);
    near(inclusiveMs, 10);
  });

  it('is right on average when most inner calls are not timed', () => {
    const inner = boundaryAround({ f: (ms) => pass(ms) });
    const outer = boundaryAround({
      g: () => {
        for (let i = 0; i < 20_000; i++) inner.wrapped.f(i % 2 ? 0.01 : 0.03);
        pass(20);
      },
    });
    for (let i = 0; i < 5; i++) outer.wrapped.g();
    const a = read(outer, 'g');
    near(a.inclusiveMs, 5 * 420, 1);
    near(read(inner, 'f').exclusiveMs, 5 * 400, 150);
    near(a.exclusiveMs, 5 * 20, 150);
    assert.ok(inner.points.get('f').meter.slots[SLOT.samples] < 3000);
  });

  it('passes on the true time of what an untimed call called', () => {
    const deep = boundaryAround({ f: (ms) => pass(ms) });
    const middle = boundaryAround({
      f: (ms) => {
        if (ms > 0) deep.wrapped.f(ms);
      },
    });
    const outer = boundaryAround({
      f: (ms) => {
        pass(1);
        middle.wrapped.f(ms);
      },
    });
    for (let i = 0; i < 1000; i++) middle.wrapped.f(0);
    // The callers are timed each time, the one in the middle hardly ever.
    for (let i = 0; i < 50; i++) outer.wrapped.f(15);
    near(read(outer, 'f').exclusiveMs, 50);
    near(read(deep, 'f').exclusiveMs, 50 * 15);
    assert.equal(read(middle, 'f').exclusiveMs, 0);
  });

  it('does not count what an async function does after its first await', async () => {
    const boundary = boundaryAround({
      f: async () => {
        await null;
        pass(10);
      },
    });
    await boundary.wrapped.f();
    assert.equal(read(boundary, 'f').exclusiveMs, 0);
  });

  it('finds the one long call among many untimed ones, by the coarse clock, and tells of it at once', async () => {
    performance.now = now;
    startCoarseClock();
    const before = ticks[0];
    while (ticks[0] - before < 2) await new Promise((resolve) => setImmediate(resolve));
    const told = [];
    onLongCall((point, ms) => told.push([point.name, ms]));
    let took = 0;
    const inner = boundaryAround({
      f: (ms) => {
        if (ms === 0) return;
        const begun = now.call(performance);
        spin(ms);
        took = now.call(performance) - begun;
      },
    });
    const outer = boundaryAround({ g: (ms) => inner.wrapped.f(ms) });
    for (let i = 0; i < 5000; i++) outer.wrapped.g(0);
    // Neither of the two is due for a timer now.
    const { slots } = inner.points.get('f').meter;
    while (slots[SLOT.due] < 3 || outer.points.get('g').meter.slots[SLOT.due] < 3) outer.wrapped.g(0);
    // A timed call that the machine was taken from stands for others: what was booked until now is not the long call's.
    const [inBefore, outBefore] = [read(inner, 'f').exclusiveMs, read(outer, 'g').exclusiveMs];
    outer.wrapped.g(100);
    assert.deepEqual(
      told.map(([name]) => name),
      ['f'],
    );
    // More than was asked for where the machine was taken away meanwhile.
    near(told[0][1], took, 40);
    near(read(inner, 'f').longest, told[0][1], 1e-9);
    near(read(inner, 'f').exclusiveMs - inBefore, took, 40);
    assert.ok(read(outer, 'g').exclusiveMs - outBefore < 40);
  });

  it('tells of a long call that was timed, too, and not of its caller', () => {
    const told = [];
    onLongCall((point, ms) => told.push([point.name, ms]));
    const inner = boundaryAround({ slow: () => pass(30) });
    const outer = boundaryAround({ outer: () => inner.wrapped.slow() });
    outer.wrapped.outer();
    assert.deepEqual(
      told.map(([name]) => name),
      ['slow'],
    );
    near(told[0][1], 30);
  });

  describe('a function that begins to throw when most of its calls are not timed any more', () => {
    /**
     * @returns what runs `outer`, which catches what the function throws, and then takes 3 ms itself; the call of the function takes 5 ms,
     *   of which 4 are of a third one
     */
    function three() {
      let fails = false;
      const leaf = boundaryAround({ work: () => pass(4) });
      const inner = boundaryAround({
        f: () => {
          pass(1);
          leaf.wrapped.work();
          if (fails) throw new Error('now');
        },
      });
      const outer = boundaryAround({
        g: () => {
          try {
            inner.wrapped.f();
          } catch {}
          pass(3);
        },
      });
      for (let i = 0; i < 500; i++) inner.wrapped.f();
      const f = inner.points.get('f');
      return { leaf, inner, outer, f, begin: () => (fails = true) };
    }

    it('is counted as failed when nothing is on the stack, and seen at once from then on', () => {
      const { f, begin, inner } = three();
      begin();
      f.meter.slots[SLOT.due] = 1000;
      for (let i = 0; i < 3; i++) assert.throws(() => inner.wrapped.f(), /now/);
      assert.deepEqual([f.meter.peek().failures, f.meter.open, f.isPlain], [0, 3, true]);
      f.meter.settleThrown();
      assert.deepEqual([f.meter.peek().failures, f.meter.open, f.isPlain], [3, 0, false]);
      f.meter.settleThrown();
      assert.throws(() => inner.wrapped.f(), /now/);
      assert.deepEqual([f.meter.peek().calls, f.meter.peek().failures, f.meter.open], [504, 4, 0]);
    });

    it('leaves to its caller what is its own, but for the call that was not seen', () => {
      const { f, begin, outer, leaf } = three();
      outer.wrapped.g();
      near(read(outer, 'g').exclusiveMs, 3);
      begin();
      f.meter.slots[SLOT.due] = 1000;
      const before = [read(outer, 'g').exclusiveMs, read(leaf, 'work').calls];
      outer.wrapped.g();
      near(read(outer, 'g').exclusiveMs - before[0], 3 + 1);
      assert.equal(read(leaf, 'work').calls - before[1], 1);
      f.meter.settleThrown();
      const settled = read(outer, 'g').exclusiveMs;
      outer.wrapped.g();
      near(read(outer, 'g').exclusiveMs - settled, 3, 0.01);
    });

    it('is settled at the ticks of a window', () => {
      const { f, begin, inner } = three();
      const window = new Window({ now: () => time });
      window.track(inner);
      pass(100);
      window.tickInTurn();
      begin();
      f.meter.slots[SLOT.due] = 1000;
      assert.throws(() => inner.wrapped.f(), /now/);
      pass(100);
      window.tick();
      assert.equal(window.totals(inner.id).failures, 0, 'who asks may be called by what has not returned');
      pass(100);
      window.tickInTurn();
      assert.equal(window.totals(inner.id).failures, 1);
      assert.equal(childMs[0], 0);
    });
  });

  it('is back at the program when all have returned', () => {
    const before = childMs[0];
    const boundary = boundaryAround({ f: () => pass(1) });
    boundary.wrapped.f();
    assert.ok(childMs[0] > before);
  });
});
