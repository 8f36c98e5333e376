'use strict';

const assert = require('node:assert/strict');
const { UsageReport } = require('../../lib/session/usage');
const { Link } = require('../helpers/link');
const { until } = require('../helpers/until');

/** @param {number} ms */
function burn(ms) {
  const end = performance.now() + ms;
  while (performance.now() < end);
}

/** @param {import('../../lib/session/usage').Usage} usage */
const share = ({ activeMs, idleMs }) => activeMs / (activeMs + idleMs);

describe('what a replica reports of itself', () => {
  /** @type {Link} */
  let link;
  beforeEach(async () => {
    link = new Link({ burn, later: async (ms) => void setImmediate(burn, ms) });
    await link.load();
  });
  afterEach(() => link.close());

  it('is told again when there were no more calls, and then no more', async () => {
    await link.call('burn', 1);
    for (let i = 0; i < 4; i++) await link.call('burn', 1);
    const reported = () => link.usage.reduce((sum, { calls }) => sum + calls, 0);
    await until(() => reported() >= 5 && link.usage.at(-1)?.calls === 0, 'a report of nothing');
    assert.equal(reported(), 5, 'each call is reported once');
    await until(() => share(link.usage.at(-1)) <= 0.05, 'quiet');
    const { length } = link.usage;
    // Both sides share this event loop, which is idle meanwhile: a timer of theirs would run before this one.
    await new Promise((resolve) => setTimeout(resolve, 200));
    assert.equal(link.usage.length, length);
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

  it('is told soon while calls that have run wait for their answers, and as always when they are answered', async () => {
    const told = [];
    const peer = /** @type {any} */ ({ usage: ({ calls }) => told.push(calls), channel: { state: 'open' } });
    const report = new UsageReport();
    const serve = (isPromise, isSettled) => {
      report.count(peer, 0.1, performance.now());
      if (isPromise !== null) report.leaveOpen(peer, isPromise);
      if (isSettled) report.open -= 1;
    };
    // It runs before the timer of each 50 ms and behind sooner ones, however late all of them are.
    const soon = () => new Promise((resolve) => setTimeout(() => resolve(told.splice(0)), 25));
    const later = () => until(() => told.splice(0).includes(0), 'a report of nothing');
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
      report.count(peer, 0.1, performance.now());
      told.length = 0;
      serve(isPromise, isSettled);
      const calls = await soon();
      assert.deepEqual(calls.length, expected.length, `${isPromise} ${isSettled}: ${calls}`);
      report.open = 0;
      await later();
    }
  });
});
