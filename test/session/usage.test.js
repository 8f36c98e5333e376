'use strict';

const assert = require('node:assert/strict');
const { once } = require('node:events');
const path = require('node:path');
const { Worker } = require('node:worker_threads');
const { UsageReport } = require('../../lib/session/usage');
const { Link } = require('../helpers/link');
const { until } = require('../helpers/until');
const { burn, share } = require('./usage-load');

describe('what a replica reports of itself', () => {
  /** @type {Link} */
  let link;
  beforeEach(async () => {
    const turn = (/** @type {number} */ ms) => new Promise((resolve) => setTimeout(resolve, ms));
    link = new Link({
      burn,
      later: async (ms) => void setImmediate(burn, ms),
      waits: async (ms) => (await turn(1), burn(ms)),
      sleeps: (ms) => turn(ms),
      leaves: async (times, ms) => {
        const again = (/** @type {number} */ left) => left > 0 && setTimeout(() => (burn(ms), again(left - 1)), 1);
        again(times);
        await turn(1);
      },
    });
    await link.load();
  });
  afterEach(() => link.close());

  it('is told again when there were no more calls, and then no more', async () => {
    const [{ calls, whenQuiet, later }] = await once(new Worker(path.join(__dirname, 'usage-thread.js')), 'message');
    assert.equal(calls, 5, 'each call is reported once');
    assert.equal(later, whenQuiet);
  });

  it('says how busy the event loop was, also with what a call left to be done later', async () => {
    await link.call('burn', 0);
    await until(() => link.usage.at(-1)?.calls === 0, 'quiet');
    link.usage.length = 0;
    // The first report also has the quiet before it.
    const busy = () => link.usage.filter(({ calls }) => calls > 0).slice(1);
    await until(async () => {
      await link.call('later', 20);
      return busy().length >= 2;
    }, 'reports of a busy loop');
    assert.ok(
      busy().every((usage) => usage.busyMs < usage.activeMs && share(usage) > 0.3),
      JSON.stringify(busy()),
    );
    await until(() => link.usage.at(-1)?.calls === 0 && share(link.usage.at(-1)) < 0.5, 'quiet again');
  });

  it('counts as busy in module code what a call does after it first waits, and nothing that it only waits for', async () => {
    await link.call('burn', 0);
    const told = (/** @type {'busyMs' | 'calls' | 'waitedMs'} */ field) => link.usage.reduce((sum, usage) => sum + usage[field], 0);
    const quiet = () => until(() => link.usage.at(-1)?.calls === 0 && share(link.usage.at(-1)) < 0.05, 'quiet');
    await quiet();
    link.usage.length = 0;
    for (let i = 0; i < 5; i++) await link.call('waits', 30);
    await quiet();
    assert.equal(told('calls'), 5);
    // Each burns for 30 ms at least; a report leaves out half a millisecond for itself, a call a tenth.
    assert.ok(told('busyMs') > 5 * 30 * 0.9, JSON.stringify(link.usage));
    assert.ok(
      link.usage.every(({ busyMs, longestMs, activeMs }) => busyMs <= activeMs + longestMs),
      JSON.stringify(link.usage),
    );
    link.usage.length = 0;
    await link.call('sleeps', 200);
    await quiet();
    // On a full machine the loop waits for a core, with whatever else this process has to do.
    assert.ok(told('busyMs') - told('waitedMs') < 100, JSON.stringify(link.usage));
  });

  it('does not count as busy in module code what goes on when all calls have their answers', async () => {
    await link.call('burn', 0);
    link.usage.length = 0;
    await link.call('leaves', 20, 30);
    await until(() => link.usage.reduce((sum, { activeMs }) => sum + activeMs, 0) > 20 * 30 * 0.9, 'all has been burnt');
    // The reports until the answer has gone have the first of it.
    const busyMs = link.usage.reduce((sum, usage) => sum + usage.busyMs, 0);
    // Each may have taken longer than it was to.
    const activeMs = link.usage.reduce((sum, usage) => sum + usage.activeMs, 0);
    assert.ok(busyMs < activeMs * 0.5, JSON.stringify(link.usage));
  });

  it('counts as idle the time in which its event loop only stayed awake for the next call', () => {
    const told = [];
    const channel = { state: 'open', lingeredMs: 0 };
    const peer = /** @type {any} */ ({ usage: (/** @type {any} */ usage) => told.push(usage), channel });
    const report = new UsageReport();
    const begun = performance.now();
    report.begin();
    burn(60);
    channel.lingeredMs += 40;
    report.count(peer, 20, performance.now());
    const [{ activeMs, idleMs, busyMs }] = told;
    assert.ok(activeMs >= 20 && activeMs <= performance.now() - begun - 40, `${activeMs}`);
    assert.ok(idleMs >= 40, `${idleMs}`);
    assert.equal(busyMs, 20);
    burn(60);
    report.count(peer, 0, performance.now());
    assert.ok(told[1].activeMs >= 60, 'once');
  });

  it('is told soon while calls that have run wait for their answers, and as always when they are answered', async () => {
    const told = [];
    const peer = /** @type {any} */ ({ usage: ({ calls }) => told.push(calls), channel: { state: 'open', lingeredMs: 0 } });
    const report = new UsageReport();
    const serve = (isPromise, isSettled, now = performance.now()) => {
      report.count(peer, 0.1, now);
      if (isPromise !== null) report.leaveOpen(peer, isPromise);
      if (isSettled) report.open -= 1;
    };
    // It runs before the timer of each 50 ms and behind sooner ones, however late all of them are.
    const soon = () => new Promise((resolve) => setTimeout(() => resolve(told.splice(0)), 25));
    // Behind two of these timers: whoever would still tell something, since the loop is busy, has told it.
    const later = async () => {
      do {
        told.length = 0;
        await new Promise((resolve) => setTimeout(resolve, 110));
      } while (told.length > 0);
    };
    serve(null, false);
    assert.deepEqual(told.splice(0), [1], 'the first one at once');
    await later();
    for (const [isPromise, isSettled, expected] of [
      [null, false, []],
      [true, true, []],
      [true, false, [1]],
      [false, false, [1]],
    ]) {
      report.count(peer, 0.1, performance.now());
      await later();
      // Both at one time: a busy machine may stand still between them for as long as reports are apart.
      const now = performance.now();
      report.count(peer, 0.1, now);
      told.length = 0;
      serve(isPromise, isSettled, now);
      const calls = await soon();
      assert.deepEqual(calls.length, expected.length, `${isPromise} ${isSettled}: ${calls}`);
      report.open = 0;
      await later();
    }
  });
});
