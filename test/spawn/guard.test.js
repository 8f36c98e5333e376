'use strict';

// The process that outlives home: test/walk/end-orphans.test.js shows what it is for, this file that it goes when it is not needed.

const assert = require('node:assert/strict');
const { spawn } = require('node:child_process');
const { once } = require('node:events');
const { createInterface } = require('node:readline');
const { isAlive } = require('./sets');
const { until } = require('../helpers/until');

/** Ends by itself only after a minute. */
const SLEEPER = 'setTimeout(() => {}, 60_000)';

/**
 * A program that guards some sleepers, releases some, and tells all pids; then it does `how`, and `next` gives what it tells.
 *
 * @param {string} how
 * @param {string[]} [flags]
 */
async function program(how, flags = []) {
  const text = `
    const processes = require('node:child_process');
    const { spawn } = processes;
    const shells = [];
    let full = false;
    processes.spawn = (...given) => {
      if (full) return full();
      const one = spawn(...given);
      if (given[0] === '/bin/sh') shells.push(one);
      return one;
    };
    const { performance } = require(${JSON.stringify(require.resolve('../../lib/engine'))});
    const { guard, release } = require(${JSON.stringify(require.resolve('../../lib/spawn/guard'))});
    const sleepers = [1, 2, 3].map(() => spawn(process.execPath, ['-e', ${JSON.stringify(SLEEPER)}], { stdio: 'ignore', detached: true }));
    for (const { pid } of sleepers) guard(pid);
    release(sleepers[1].pid);
    console.log(JSON.stringify({ sleepers: sleepers.map(({ pid }) => pid) }));
    ${how}`;
  const child = spawn(process.execPath, [...flags, '-e', text], { stdio: ['ignore', 'pipe', 'inherit'] });
  const lines = createInterface({ input: child.stdout })[Symbol.asyncIterator]();
  const next = async () => JSON.parse((await lines.next()).value);
  return { child, next, ...(await next()) };
}

describe('the guard', function () {
  this.timeout(60_000);
  if (process.platform === 'win32') return;
  /** @type {number[]} */
  let mine = [];
  afterEach(() => {
    for (const pid of mine) if (isAlive(pid)) process.kill(pid, 'SIGKILL');
    mine = [];
  });

  it('ends those that are left when home is killed, and nobody else', async () => {
    const { child, sleepers } = await program('setInterval(() => {}, 1000);');
    mine = sleepers;
    // Its lines have reached the shell once the pipe is empty; a kill does not take them back.
    child.kill('SIGKILL');
    await until(() => !isAlive(sleepers[0]) && !isAlive(sleepers[2]), 'the end of the guarded', 30_000);
    assert.ok(isAlive(sleepers[1]), 'the one that was released lives');
  });

  it('is there again when somebody has ended it', async () => {
    const again = `
      const { now } = performance;
      performance.now = () => now.call(performance) + 60_000;
      shells[0].once('exit', () => {
        release(sleepers[0].pid);
        console.log(shells.length);
      });
      shells[0].kill('SIGKILL');
      setInterval(() => {}, 1000);`;
    const { child, sleepers, next } = await program(again);
    mine = sleepers;
    assert.equal(await next(), 2);
    child.kill('SIGKILL');
    await until(() => !isAlive(sleepers[2]), 'the end of the guarded', 30_000);
    assert.ok(isAlive(sleepers[0]) && isAlive(sleepers[1]), 'those that were released live');
  });

  for (const [what, refuse] of [
    ['memory', "throw Object.assign(new Error('spawn ENOMEM'), { code: 'ENOMEM' });"],
    ['descriptors', 'return Object.assign(new processes.ChildProcess(), { stdin: undefined });'],
  ])
    it(`does not end the program that has no ${what} for another one`, async () => {
      const again = `
      const { now } = performance;
      performance.now = () => now.call(performance) + 60_000;
      shells[0].once('exit', () => {
        full = false;
        guard(sleepers[0].pid);
        console.log(shells.length);
      });
      full = () => { ${refuse} };
      shells[0].kill('SIGKILL');
      setInterval(() => {}, 1000);`;
      const { child, sleepers, next } = await program(again);
      mine = sleepers;
      assert.equal(await next(), 2);
      child.kill('SIGKILL');
      await until(() => !isAlive(sleepers[0]) && !isAlive(sleepers[2]), 'the end of the guarded', 30_000);
    });

  it('is another one where home has given up rights, and the same where it can take them back', async function () {
    if (process.getuid?.() !== 0) this.skip();
    const { child, sleepers, next } = await program(`
      const counts = [];
      for (const give of [() => process.seteuid(65_534), () => process.seteuid(0), () => process.umask(0), () => process.setgroups([]), () => process.setgid(0)]) {
        give();
        counts.push(shells.length);
      }
      console.log(JSON.stringify(counts));
      setInterval(() => {}, 1000);`);
    mine = sleepers;
    assert.deepEqual(await next(), [1, 1, 1, 2, 3]);
    child.kill('SIGKILL');
    await until(() => !isAlive(sleepers[0]) && !isAlive(sleepers[2]), 'the end of the guarded', 30_000);
    assert.ok(isAlive(sleepers[1]), 'the one that was released lives');
  });

  it('stays where home has forbidden itself to start any', async function () {
    if (Number.parseInt(process.versions.node, 10) < 24) return this.skip();
    const flags = ['--no-warnings', '--permission', '--allow-fs-read=*', '--allow-child-process'];
    const { child, sleepers, next } = await program(
      `process.permission.drop?.('child');
      console.log(JSON.stringify(process.permission.has('child')));
      setInterval(() => {}, 1000);`,
      flags,
    );
    mine = sleepers;
    const isStill = await next();
    child.kill('SIGKILL');
    if (isStill) return this.skip();
    await until(() => !isAlive(sleepers[0]) && !isAlive(sleepers[2]), 'the end of the guarded', 30_000);
    assert.ok(isAlive(sleepers[1]), 'the one that was released lives');
  });

  it('is gone with the last one, and keeps no program alive', async () => {
    const { child, sleepers } = await program('for (const one of sleepers) { release(one.pid); one.unref(); }');
    mine = sleepers;
    assert.deepEqual(await once(child, 'exit'), [0, null]);
    for (const pid of sleepers) assert.ok(isAlive(pid));
  });
});
