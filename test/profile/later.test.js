'use strict';

// Whose time it is, in modules on disk that are loaded through the hook. The clock stands still but for what the modules themselves let
// pass.

const assert = require('node:assert/strict');
const { executionAsyncId } = require('node:async_hooks');
const { allowFollowing, followByNeed, hurryFollowed, stopFollowing } = require('../../lib/profile/later');
const { childMs } = require('../../lib/profile/inside');
const { onLongCall } = require('../../lib/profile/attribution');
const { callAtHome } = require('../../lib/wrap/at-home');
const engine = require('../../lib/engine');
const { watched } = require('../helpers/watched');

const { now } = engine.performance;
let time = 0;
/** @type {ReturnType<typeof watched>} */
let program;
/** @type {any} */
let main;

/** @param {object} [recipe] of all modules */
function load(recipe = {}) {
  program = watched({ recipe });
  main = program.load('time-main.js');
}

/** @param {string} edge 'top -> leaf' @returns {import('../../lib/profile/meter').MeterTotals} */
function totals(edge) {
  const [parent, child] = edge
    .split(' -> ')
    .map((name) => (name === 'main' ? 'time-main.js' : name === 'fs' ? 'node:fs' : `time/${name}.js`));
  const boundary = program.boundaries.find(({ id }) => id === `${parent} -> ${child}`);
  assert.ok(boundary !== undefined, `${edge} is not watched`);
  const all = [...boundary.points.values()].map(({ meter }) => meter.read());
  const sum = (/** @type {(one: any) => number} */ of) => all.reduce((total, one) => total + of(one), 0);
  return {
    exclusiveMs: sum((one) => one.exclusiveMs),
    inclusiveMs: sum((one) => one.inclusiveMs),
    laterMs: sum((one) => one.laterMs),
    calls: sum((one) => one.calls),
    failures: sum((one) => one.failures),
  };
}

/** @param {Record<string, number>} expected edge to exclusive ms */
function assertOwn(expected) {
  const found = Object.fromEntries(Object.keys(expected).map((edge) => [edge, Math.round(totals(edge).exclusiveMs * 1e4) / 1e4]));
  assert.deepEqual(found, expected);
}

/**
 * Runs something often enough for each function in it to have been followed.
 *
 * @param {() => Promise<unknown>} run
 * @param {number} [rounds]
 */
async function oftenEnough(run, rounds = 60) {
  for (let i = 0; i < rounds; i++) {
    time += 60_000;
    // As the window does at each tick.
    for (const { points } of program.boundaries) for (const { meter } of points.values()) hurryFollowed(meter);
    await run();
    // What is followed ends with its promise, or at a look of its own.
    await new Promise((resolve) => setImmediate(resolve));
  }
  return rounds;
}

describe('attribution of modules on disk', () => {
  beforeEach(() => {
    time = 1000;
    engine.performance.now = () => time;
    performance.pass = (/** @type {number} */ ms) => void (time += ms);
    onLongCall(null);
  });

  afterEach(() => {
    stopFollowing();
    engine.performance.now = now;
    delete performance.pass;
    program.end();
    // Nothing that was marked is left at the bottom.
    assert.ok(childMs[0] >= 0);
  });

  describe('of calls', () => {
    it('gives each of A -> B -> C its own', () => {
      load();
      main.top.chain(1);
      assertOwn({ 'main -> top': 1, 'top -> middle': 2, 'middle -> leaf': 4, 'top -> leaf': 0 });
      assert.equal(totals('main -> top').inclusiveMs, 7);
      assert.equal(totals('top -> middle').inclusiveMs, 6);
    });

    it('puts the load on the edge that it came by', () => {
      load();
      main.top.uneven();
      assertOwn({ 'main -> top': 0, 'top -> leaf': 3, 'middle -> leaf': 30, 'top -> middle': 1 });
    });

    it('is not put off by an exception', () => {
      load();
      for (let i = 0; i < 10; i++) main.top.catches(4);
      assertOwn({ 'main -> top': 40, 'top -> middle': 10, 'middle -> leaf': 20 });
      assert.equal(totals('middle -> leaf').failures, 10);
      assert.throws(() => main.leaf.fails(1), /leaf/);
      main.top.chain(1);
      assertOwn({ 'main -> top': 41, 'main -> leaf': 1 });
    });

    it('counts a recursion once', () => {
      load();
      main.top.recursive(4);
      assertOwn({ 'main -> top': 5, 'top -> leaf': 1 });
    });

    it('tells two modules apart that call each other', () => {
      load();
      main.ping.hit(5);
      assertOwn({ 'main -> ping': 2, 'ping -> pong': 15, 'pong -> ping': 4 });
      assert.equal(totals('main -> ping').inclusiveMs, 21);
      assert.equal(totals('ping -> pong').inclusiveMs, 19);
    });
  });

  describe('of callbacks that run inside the call they were given to', () => {
    it('gives the time back to the module that passed them', () => {
      load({ hot: true });
      assert.deepEqual(main.top.visits(7, 10), [1, 2, 3]);
      assertOwn({ 'main -> top': 21, 'top -> sorter': 3, 'top -> leaf': 30 });
    });

    it('and stays right when only some of many are timed', () => {
      load({ hot: true });
      for (let i = 0; i < 5000; i++) main.top.visits(0.01, 0.1);
      const near = (/** @type {number} */ actual, /** @type {number} */ expected) =>
        assert.ok(Math.abs(actual - expected) < 0.05 * expected, `${actual} is not ${expected}`);
      near(totals('main -> top').exclusiveMs, 150);
      near(totals('top -> sorter').exclusiveMs, 15_000);
    });

    it('also when they are passed on to a third', () => {
      load({ hot: true });
      main.top.visitsFar(7);
      assertOwn({ 'main -> top': 14, 'top -> sorter': 1, 'sorter -> far': 100 });
    });

    it('also when they call the same function again, with themselves', () => {
      load({ hot: true });
      main.top.visitsTwice(7);
      assertOwn({ 'main -> top': 21, 'top -> sorter': 3 });
    });

    it('leaves it to the callee where callbacks are not touched', () => {
      load();
      main.top.visits(7, 10);
      assertOwn({ 'main -> top': 0, 'top -> sorter': 24, 'top -> leaf': 30 });
    });
  });

  describe('of what comes later', () => {
    it('is nobody’s until calls are followed', async () => {
      load();
      await oftenEnough(() => main.leaf.later(1, 2), 5);
      assertOwn({ 'main -> leaf': 5 });
    });

    it('finds what is done after an await', async () => {
      load();
      allowFollowing(true);
      const rounds = await oftenEnough(() => main.leaf.later(1, 2));
      assertOwn({ 'main -> leaf': 5 * rounds });
      assert.equal(totals('main -> leaf').laterMs, 4 * rounds);
    });

    it('leaves no hooks of promises on when it is over, on which each promise would cost more', async () => {
      /** @returns {Promise<boolean>} whether each continuation is one of its own to Node, as it is with such hooks only */
      const areOn = async () => {
        await null;
        const before = executionAsyncId();
        await null;
        return before !== executionAsyncId();
      };
      load();
      assert.equal(await areOn(), false);
      allowFollowing(true);
      const found = { during: 0, after: 0 };
      await oftenEnough(async () => {
        const call = main.leaf.later(1, 2);
        if (await areOn()) found.during++;
        await call;
        await null;
        if (await areOn()) found.after++;
      });
      assert.ok(found.during > 0);
      assert.equal(found.after, 0);
    });

    it('finds what is done by then', async () => {
      load();
      allowFollowing(true);
      const rounds = await oftenEnough(() => main.leaf.chained(3));
      assertOwn({ 'main -> leaf': 6 * rounds });
    });

    it('finds what is done in a timer, and not what is done by the callback given to it', async () => {
      load({ hot: true });
      allowFollowing(true);
      const rounds = await oftenEnough(
        () =>
          new Promise((resolve) =>
            main.leaf.inTimer(3, () => {
              performance.pass(100);
              resolve();
            }),
          ),
      );
      assertOwn({ 'main -> leaf': 3 * rounds });
    });

    it('finds what is done in a callback that was given to a built-in', async () => {
      load();
      allowFollowing(true);
      const rounds = await oftenEnough(() => main.leaf.reads(__filename, 6));
      assertOwn({ 'main -> leaf': 6 * rounds, 'leaf -> fs': 0 });
    });

    it('tells continuations of one module from those of the modules it called', async () => {
      load();
      allowFollowing(true);
      const rounds = await oftenEnough(() => main.middle.later(5, 7));
      // What the leaf does in its calls, and after them.
      assertOwn({ 'main -> middle': 5 * rounds, 'middle -> leaf': (14 + 7) * rounds });
      assert.equal(totals('middle -> leaf').laterMs, 14 * rounds);
    });

    it('tells those of several calls at once apart', async () => {
      load();
      allowFollowing(true);
      const rounds = await oftenEnough(() => main.top.atOnce(11));
      assertOwn({
        'main -> top': 11 * rounds,
        'top -> leaf': (1 + 3 + 4 * 2) * rounds,
        'top -> middle': 5 * rounds,
        'middle -> leaf': 21 * rounds,
      });
    });

    it('is not put off by a rejection', async () => {
      load();
      allowFollowing(true);
      const rounds = await oftenEnough(() => main.top.rejected(9));
      assertOwn({ 'main -> top': 9 * rounds, 'top -> leaf': 4 * rounds });
    });

    it('is looked for only while the loop is busy with what the calls do not explain', async () => {
      load();
      const reading = { exclusiveMs: 500, laterMs: 0, windowMs: 1000 };
      followByNeed([reading], { utilisation: 0.55 });
      await oftenEnough(() => main.leaf.later(1, 2), 5);
      assert.equal(totals('main -> leaf').laterMs, 0);
      followByNeed([reading], { utilisation: 0.9 });
      await oftenEnough(() => main.leaf.later(1, 2), 5);
      assert.ok(totals('main -> leaf').laterMs > 0);
    });

    it('is not what Ignis puts off when a call inside was long', async () => {
      load();
      onLongCall(() => setImmediate(() => performance.pass(100)));
      allowFollowing(true);
      const rounds = await oftenEnough(() => main.middle.later(5, 25));
      assertOwn({ 'main -> middle': 5 * rounds, 'middle -> leaf': 75 * rounds });
    });

    it('is not of calls that left', async () => {
      load({ hot: true });
      allowFollowing(true);
      const rounds = await oftenEnough(() => main.leaf.later(1, 2));
      assertOwn({ 'main -> leaf': 5 * rounds });
      const point = program.boundaries.find(({ id }) => id === 'time-main.js -> time/leaf.js')?.points.get('later');
      point.divert = async () => 'away';
      await oftenEnough(async () => assert.equal(await main.leaf.later(1, 2), 'away'), 10);
      assertOwn({ 'main -> leaf': 5 * rounds });
      point.divert = (/** @type {any} */ self, /** @type {any[]} */ args) => callAtHome(point, self, args);
      await oftenEnough(() => main.leaf.later(1, 2), 10);
      assertOwn({ 'main -> leaf': 5 * (rounds + 10) });
      assert.equal(totals('main -> leaf').calls, rounds + 20);
    });

    it('is told of at once when it kept the loop for long', async () => {
      load();
      /** @type {[string, number][]} */
      const told = [];
      onLongCall((point, ms) => told.push([point.name, ms]));
      allowFollowing(true);
      await main.leaf.later(1, 30);
      assert.deepEqual(told, [
        ['later', 30],
        ['later', 30],
      ]);
    });
  });
});
