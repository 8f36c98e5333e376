'use strict';

const assert = require('node:assert/strict');
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
});
