'use strict';

// Promises that break while nobody looks after them, of the program and of its module, handed to and fro: with the module in a replica
// those are unhandled rejections that are in a plain program, and no others.

const assert = require('node:assert/strict');
const { spawnSync } = require('node:child_process');
const path = require('node:path');

const REGISTER = path.join(__dirname, '../../lib/register.js');
const FOLDER = path.join(__dirname, '../fixtures/unhandled');

/** @param {string[]} args @param {Record<string, string>} [env] @returns {string[]} its lines */
function linesOf(args, env) {
  const { stdout, stderr } = spawnSync(process.execPath, ['--expose-gc', ...args, 'program.js'], {
    encoding: 'utf8',
    cwd: FOLDER,
    env: { ...process.env, ...env },
    timeout: 50_000,
  });
  assert.equal(stderr, '');
  return stdout.trim().split('\n');
}

describe('promises that nobody looks after', function () {
  this.timeout(120_000);
  /** @type {string[]} */
  let plain;
  before(() => {
    plain = linesOf([]);
    assert.ok(plain.length > 50);
  });

  for (const where of ['thread', 'process']) {
    it(`are the same with their module in a ${where}`, () => {
      assert.deepEqual(linesOf(['-r', REGISTER], { IGNIS_FORCE: './module', IGNIS_WHERE: where }), plain);
    });
  }
});
