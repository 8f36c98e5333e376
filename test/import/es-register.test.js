'use strict';

const assert = require('node:assert/strict');
const { spawnSync } = require('node:child_process');
const Module = require('node:module');

const REGISTER = require.resolve('../../lib/register.js');

/** @param {string[]} args */
function run(...args) {
  const { status, stdout, stderr } = spawnSync(process.execPath, args, { encoding: 'utf8', timeout: 15_000 });
  return { status, stdout, stderr };
}

describe('a program under Ignis', () => {
  it('goes on where the thread of hooks for ES modules cannot be started', function () {
    if (/** @type {any} */ (Module).registerHooks !== undefined) return this.skip();
    const before = `require('node:module').register = () => { throw new Error('no thread') };`;
    const script = `${before} require(${JSON.stringify(REGISTER)}); import('node:fs').then((fs) => console.log(typeof fs.statSync))`;
    assert.deepEqual(run('-e', script), { status: 0, stdout: 'function\n', stderr: '' });
  });

  it('may have timers of its own that are only numbers, before Ignis has settled', () => {
    const script = `
      const wait = setTimeout;
      globalThis.setTimeout = globalThis.setInterval = () => 5;
      globalThis.clearTimeout = globalThis.clearInterval = () => {};
      require('node:crypto').createHash('md5');
      wait(() => console.log('end'), 400);`;
    assert.deepEqual(run('-r', REGISTER, '-e', script), { status: 0, stdout: 'end\n', stderr: '' });
  });
});
