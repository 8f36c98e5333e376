'use strict';

// A program that starts processes and threads of its own runs as before, and Ignis is active in each of them.

const assert = require('node:assert/strict');
const path = require('node:path');
const { Family } = require('../helpers/family');

const FORKS = path.join(__dirname, '../fixtures/end/forks.js');
const REGISTER = path.join(__dirname, '../../lib/register.js');

describe('a program that forks, uses cluster, and has a thread of its own', function () {
  this.timeout(300_000);

  /** @param {string[]} args of node */
  async function run(args) {
    const family = new Family([...args, FORKS]);
    try {
      assert.deepEqual(await family.ended, { code: 0, signal: null }, family.out + family.err);
      assert.equal(family.err, '');
      await family.gone();
      return JSON.parse(family.out);
    } finally {
      family.end();
    }
  }

  it('sees the same with Ignis and without, and has replicas in each part', async () => {
    const [plain, watched] = [await run([]), await run(['-r', REGISTER])];
    const shown = (/** @type {any[]} */ seen) => seen.map(({ role, sum }) => ({ role, sum }));
    assert.deepEqual(shown(watched), shown(plain));
    assert.deepEqual(
      watched.map(({ role, isActive, watches }) => [role, isActive && watches]),
      ['main', 'child', 'cluster', 'thread'].map((role) => [role, true]),
    );
    assert.ok(plain.every(({ isActive }) => !isActive));
  });
});
