'use strict';

// Random programs of which each step is done by the program or by its module: values, classes, getters, traps and errors cross in every
// way, and come back. With the module in a replica each says what it says without. IGNIS_TEST_SEED=n runs that program alone.

const assert = require('node:assert/strict');
const { spawnSync } = require('node:child_process');
const fs = require('node:fs');
const os = require('node:os');
const path = require('node:path');

const REGISTER = path.join(__dirname, '../../lib/register.js');
const FIXTURES = path.join(__dirname, '../fixtures/either-side');
const RANDOM = path.join(__dirname, '../helpers/random.js');
const ONLY = process.env.IGNIS_TEST_SEED;
const ARGS = [ONLY ?? '1', ONLY === undefined ? '120' : '1', '30'];

describe('random programs that both sides run', function () {
  this.timeout(300_000);
  /** @type {string} */
  let folder;
  before(() => {
    folder = fs.mkdtempSync(path.join(os.tmpdir(), 'ignis-either-side-'));
    fs.mkdirSync(path.join(folder, 'module'));
    fs.copyFileSync(RANDOM, path.join(folder, 'random.js'));
    fs.copyFileSync(path.join(FIXTURES, 'program.js'), path.join(folder, 'program.js'));
    for (const at of ['.', 'module']) fs.copyFileSync(path.join(FIXTURES, 'operations.js'), path.join(folder, at, 'operations.js'));
  });
  after(() => fs.rmSync(folder, { recursive: true }));

  /** @param {string[]} options @param {Record<string, string>} [env] @returns {string[]} */
  function linesOf(options, env) {
    const { stdout, stderr, signal } = spawnSync(process.execPath, [...options, 'program.js', ...ARGS], {
      encoding: 'utf8',
      cwd: folder,
      env: { ...process.env, ...env },
      maxBuffer: 2 ** 27,
      timeout: 280_000,
    });
    assert.deepEqual([stderr, signal], ['', null]);
    return stdout.trim().split('\n');
  }

  it('say the same with the module in a thread', () => {
    const plain = linesOf([]);
    const found = linesOf(['-r', REGISTER], { IGNIS_FORCE: './module', IGNIS_WHERE: 'thread' });
    assert.ok(plain.length > 30 * Number(ARGS[1]));
    // The first that differs says more than all of them.
    const at = plain.findIndex((line, i) => line !== found[i]);
    assert.deepEqual(found.slice(Math.max(0, at - 3), at + 1), plain.slice(Math.max(0, at - 3), at + 1));
    assert.equal(found.length, plain.length);
  });
});
