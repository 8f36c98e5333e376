'use strict';

const assert = require('node:assert/strict');
const { spawn } = require('node:child_process');
const { once } = require('node:events');
const { ChildTime } = require('../../lib/spawn/child-time');

const BUSY = 'const until = Date.now() + 300; while (Date.now() < until); process.stdout.write("done"); setInterval(() => {}, 1000)';

describe('spawn/child-time', () => {
  before(function () {
    if (process.platform !== 'linux') this.skip();
  });

  it('tells what children used, from their starts on, and keeps what those that have ended did', async () => {
    const pids = new Set();
    const time = new ChildTime(pids);
    assert.equal(time.read(), 0);
    const child = spawn(process.execPath, ['-e', BUSY], { stdio: ['ignore', 'pipe', 'inherit'] });
    pids.add(child.pid);
    try {
      await once(/** @type {import('node:stream').Readable} */ (child.stdout), 'data');
      const used = time.read();
      // On a full machine it had no core for some of the time.
      assert.ok(used > 0 && used < 60_000, String(used));
      pids.delete(child.pid);
      assert.equal(time.read(), used);
    } finally {
      child.kill();
      await once(child, 'exit');
    }
  });

  it('leaves out one that the system does not show (any more), and says that it does not know of a crowd', () => {
    const pids = new Set([process.pid, 2 ** 30]);
    const time = new ChildTime(pids);
    const first = time.read();
    assert.ok(first > 0, String(first));
    const later = time.read();
    assert.ok(later >= first && later < 2 * first, `${first}, ${later}: counted once`);
    for (let at = 1; at <= 15; at++) pids.add(2 ** 30 + at);
    assert.ok(isNaN(time.read()));
  });
});
