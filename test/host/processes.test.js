'use strict';

// What the system tells of the processes of this machine.

const assert = require('node:assert/strict');
const path = require('node:path');
const { once } = require('node:events');
const { spawn } = require('node:child_process');
const { isGone, isStopped, sinceOf } = require('../../lib/host/processes');
const { aboutProcess } = require('../../lib/host/own-process');
const { startUnreaped } = require('../helpers/unreaped');
const { until } = require('../helpers/until');

const LIB = path.join(__dirname, '../../lib/host');

describe('a process of this machine', function () {
  this.timeout(60000);
  before(function () {
    // Elsewhere only its number is known.
    if (process.platform !== 'linux') this.skip();
  });

  it('is known to live, to be no more, and to be another one that has its number', async () => {
    const code = `console.log(JSON.stringify(require('${LIB}/own-process').aboutProcess().mark)); setInterval(() => {}, 1e6)`;
    const child = spawn(process.execPath, ['-e', code], { stdio: ['ignore', 'pipe', 'inherit'] });
    const told = JSON.parse((await once(child.stdout.setEncoding('utf8'), 'data'))[0]);
    assert.deepEqual([told.pid, told.machine], [child.pid, aboutProcess().mark.machine]);
    for (const since of [told.since, '']) assert.equal(isGone({ ...told, since }), false);
    assert.equal(isGone({ ...told, since: '1' }), true);
    child.kill('SIGKILL');
    await once(child, 'exit');
    for (const since of [told.since, '']) assert.equal(isGone({ ...told, since }), true);
  });

  it('is known to be stopped, and to go on', async () => {
    const child = spawn(process.execPath, ['-e', 'setInterval(() => {}, 1e6)'], { stdio: 'ignore' });
    await once(child, 'spawn');
    assert.equal(isStopped(child.pid), false);
    for (const [signal, is] of [
      ['SIGSTOP', true],
      ['SIGCONT', false],
    ]) {
      child.kill(signal);
      await until(() => isStopped(child.pid) === is, `${signal} has come`);
    }
    child.kill('SIGKILL');
    await once(child, 'exit');
    assert.deepEqual([isStopped(child.pid), isStopped(0)], [false, false]);
  });

  it('is no more where nobody has taken note of its end', async () => {
    const one = await startUnreaped();
    const mark = { pid: one.pid, since: sinceOf(one.pid) };
    assert.equal(isGone(mark), false);
    await one.end();
    assert.equal(isGone(mark), true);
    assert.equal(sinceOf(one.pid), mark.since, 'its number is its own yet');
    await one.forget();
  });
});
