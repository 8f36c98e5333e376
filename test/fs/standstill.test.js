'use strict';

const assert = require('node:assert/strict');
const { spawn } = require('node:child_process');
const { once } = require('node:events');
const { LOOKS, Standstill } = require('../../lib/fs/standstill');
const { until } = require('../helpers/until');

/** @param {boolean[]} found one a look */
function watch(...found) {
  const standstill = new Standstill(1000, () => found.shift() ?? false);
  let times = 0;
  standstill.whom = () => (found.length > 0 ? 1 : null);
  standstill.onStill = () => (times += 1);
  return { look: () => standstill.look(), times: () => times, left: () => found.length };
}

describe('a process that stands still', () => {
  it('is found so at each of several looks in a row, and told once', () => {
    const { look, times, left } = watch(...Array(LOOKS - 1).fill(true), false, ...Array(LOOKS).fill(true), false);
    for (let i = 0; i < 2 * LOOKS - 1; i++) look();
    assert.equal(times(), 0);
    look();
    assert.deepEqual([times(), left()], [1, 1]);
  });

  it('does not matter while nobody waits for it', () => {
    const { look, times } = watch();
    for (let i = 0; i < 3 * LOOKS; i++) look();
    assert.equal(times(), 0);
  });

  it('is told from one that waits or computes', async function () {
    if (process.platform !== 'linux') return this.skip();
    const child = spawn(process.execPath, ['-e', 'process.stdout.write("!"); for (;;);'], { stdio: ['ignore', 'pipe', 'ignore'] });
    await once(child.stdout, 'data');
    let isStill = false;
    const standstill = new Standstill(1000);
    standstill.whom = () => child.pid ?? null;
    standstill.onStill = () => (isStill = true);
    for (let i = 0; i < 2 * LOOKS; i++) standstill.look();
    assert.equal(isStill, false);
    child.kill('SIGSTOP');
    await until(() => (standstill.look(), isStill), 'it is seen to be stopped');
    child.kill('SIGKILL');
    await once(child, 'exit');
    return undefined;
  });
});
