'use strict';

// A program that starts processes and threads of its own runs as before, and Ignis is active in each process, and in threads where it is
// asked for them.

const assert = require('node:assert/strict');
const path = require('node:path');
const { Family } = require('../helpers/family');

const FORKS = path.join(__dirname, '../fixtures/end/forks.js');
const REGISTER = path.join(__dirname, '../../lib/register.js');

describe('a program that forks, uses cluster, and has a thread of its own', function () {
  this.timeout(300_000);

  /** @param {string[]} args of node @param {Record<string, string>} [env] */
  async function run(args, env) {
    const family = new Family([...args, FORKS], { env });
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
    const [plain, watched, all] = [await run([]), await run(['-r', REGISTER]), await run(['-r', REGISTER], { IGNIS_WORKERS: '1' })];
    const shown = (/** @type {any[]} */ seen) => seen.map(({ role, sum }) => ({ role, sum }));
    const active = (/** @type {any[]} */ seen) => seen.filter(({ isActive, watches }) => isActive && watches).map(({ role }) => role);
    assert.deepEqual([shown(watched), shown(all)], [shown(plain), shown(plain)]);
    assert.deepEqual(active(watched), ['main', 'child', 'cluster']);
    assert.deepEqual(active(all), ['main', 'child', 'cluster', 'thread']);
    assert.ok(plain.every(({ isActive }) => !isActive));
  });
});
