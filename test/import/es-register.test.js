'use strict';

const assert = require('node:assert/strict');
const { spawnSync } = require('node:child_process');
const Module = require('node:module');

const REGISTER = require.resolve('../../lib/register.js');

/** @param {string[]} args @param {Record<string, string>} [env] */
function run(args, env = {}) {
  const { status, stdout, stderr } = spawnSync(process.execPath, args, {
    encoding: 'utf8',
    timeout: 15_000,
    env: { ...process.env, ...env },
  });
  return { status, stdout, stderr };
}

describe('a program under Ignis', () => {
  it('goes on where the thread of hooks for ES modules cannot be started', function () {
    if (/** @type {any} */ (Module).registerHooks !== undefined) return this.skip();
    const before = `require('node:module').register = () => { throw new Error('no thread') };`;
    const script = `${before} require(${JSON.stringify(REGISTER)}); import('node:fs').then((fs) => console.log(typeof fs.statSync))`;
    assert.deepEqual(run(['-e', script]), { status: 0, stdout: 'function\n', stderr: '' });
  });

  it("leaves the program's own worker threads alone, unless it is asked for them, checks, or forces", () => {
    const script = `
      const { Worker } = require('node:worker_threads');
      const source = "require('node:worker_threads').parentPort.postMessage(Object.keys(require.cache).some((file) => file.endsWith('program.js')))";
      const worker = new Worker(source, { eval: true });
      worker.on('message', (is) => console.log(is)).on('error', console.error);`;
    const inThread = (/** @type {Record<string, string>} */ env) => run(['-r', REGISTER, '-e', script], env);
    assert.deepEqual(inThread({}), { status: 0, stdout: 'false\n', stderr: '' });
    assert.deepEqual(inThread({ IGNIS_WORKERS: '0' }), { status: 0, stdout: 'false\n', stderr: '' });
    assert.deepEqual(inThread({ IGNIS_WORKERS: '1' }), { status: 0, stdout: 'true\n', stderr: '' });
    assert.deepEqual(inThread({ IGNIS_FORCE: 'lodash' }), { status: 0, stdout: 'true\n', stderr: '' });
  });

  it('may have timers of its own that are only numbers, before Ignis has settled', () => {
    const script = `
      const wait = setTimeout;
      globalThis.setTimeout = globalThis.setInterval = () => 5;
      globalThis.clearTimeout = globalThis.clearInterval = () => {};
      require('node:crypto').createHash('md5');
      wait(() => console.log('end'), 400);`;
    assert.deepEqual(run(['-r', REGISTER, '-e', script]), { status: 0, stdout: 'end\n', stderr: '' });
  });
});
