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
    await until(() => link.usage.at(-1)?.calls === 0, 'a report of nothing');
    assert.equal(
      link.usage.reduce((sum, { calls }) => sum + calls, 0),
      5,
      'each call is reported once',
    );
    const { length } = link.usage;
    // Both sides share this event loop, which is idle meanwhile.
    await new Promise((resolve) => setTimeout(resolve, 200));
    assert.equal(link.usage.length, length);
  });

  it('says how busy the event loop was, also with what a call left to be done later', async () => {
    await link.call('burn', 0);
    await until(() => link.usage.at(-1)?.calls === 0, 'quiet');
    link.usage.length = 0;
    const end = performance.now() + 250;
    while (performance.now() < end) await link.call('later', 20);
    const busy = link.usage.filter(({ calls }) => calls > 0).slice(1);
    assert.ok(busy.length > 0 && busy.every((usage) => share(usage) > 0.5 && usage.busyMs < usage.activeMs), JSON.stringify(busy));
    await until(() => link.usage.at(-1)?.calls === 0 && share(link.usage.at(-1)) < 0.5, 'quiet again');
  });
});
