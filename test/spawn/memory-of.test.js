'use strict';

const assert = require('node:assert/strict');
const { spawn } = require('node:child_process');
const { once } = require('node:events');
const fs = require('node:fs');
const { memoryOf } = require('../../lib/spawn/memory-of');

describe('the memory of processes', function () {
  this.timeout(30_000);

  it('is told of those that live', async () => {
    const child = spawn(process.execPath, ['-e', 'process.stdin.resume()'], { stdio: ['pipe', 'ignore', 'ignore'] });
    const pid = /** @type {number} */ (child.pid);
    try {
      const found = await memoryOf([process.pid, pid]);
      assert.deepEqual([...found.keys()].sort(), [process.pid, pid].sort());
      const own = process.memoryUsage().rss;
      assert.ok(Math.abs((found.get(process.pid) ?? 0) / own - 1) < 0.5, `${found.get(process.pid)} of ${own}`);
    } finally {
      child.stdin?.end();
      await once(child, 'exit');
    }
    if (process.platform === 'linux') assert.deepEqual([...(await memoryOf([process.pid, pid])).keys()], [process.pid]);
  });

  it('keeps no file of them open', async function () {
    if (process.platform !== 'linux') return this.skip();
    await memoryOf([process.pid]);
    const open = fs.readdirSync('/proc/self/fd').flatMap((fd) => {
      try {
        return [fs.readlinkSync(`/proc/self/fd/${fd}`)];
      } catch {
        return [];
      }
    });
    assert.deepEqual(
      open.filter((file) => file === `/proc/${process.pid}/status` || file === `/proc/${process.pid}/stat`),
      [],
    );
  });
});
