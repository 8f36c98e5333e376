'use strict';

// However a program ends, nobody of its replicas outlives it.

const assert = require('node:assert/strict');
const path = require('node:path');
const { isAlive } = require('../spawn/sets');
const { Family } = require('../helpers/family');
const { until } = require('../helpers/until');

const APP = path.join(__dirname, '../fixtures/end/app.js');

describe('a program that ends takes its replicas with it', function () {
  this.timeout(240_000);
  /** @type {Family} */
  let family;

  /** @param {string} how @param {object} [options] */
  async function start(how, options) {
    family = new Family([APP, how], options);
    const { pids } = await family.told();
    // Two that take calls, and one where a module lives; a spare may be on its way.
    assert.equal(new Set(pids).size, 3);
    // Whoever exits at once may be gone before it is looked for.
    if (process.platform === 'linux' && how !== 'exit') assert.ok(family.living().length >= 4, 'they are found by their mark');
    return pids;
  }
  /** @param {number[]} pids */
  async function gone(pids) {
    await family.gone();
    for (const pid of pids) await until(() => !isAlive(pid), `the end of ${pid}`);
  }
  afterEach(() => family.end());

  it('by SIGKILL', async () => {
    const pids = await start('live');
    process.kill(family.pid, 'SIGKILL');
    assert.equal((await family.ended).signal, 'SIGKILL');
    await gone(pids);
  });

  it('by SIGKILL while they compute for ever', async () => {
    const pids = await start('busy');
    process.kill(family.pid, 'SIGKILL');
    await gone(pids);
  });

  it('by SIGINT to its process group', async () => {
    const pids = await start('live', { detached: true });
    process.kill(-family.pid, 'SIGINT');
    assert.equal((await family.ended).signal, 'SIGINT');
    await gone(pids);
  });

  it('by a close() after SIGINT to its process group, in which calls are still answered', async () => {
    const pids = await start('drain', { detached: true });
    process.kill(-family.pid, 'SIGINT');
    assert.deepEqual(await family.ended, { code: 3, signal: null });
    assert.equal(family.out.split('\n')[1], '{"value":"answered"}');
    await gone(pids);
  });

  it('by an exception, also while they start', async () => {
    for (const how of ['throws', 'rejects', 'throws at start']) {
      family = new Family([APP, how]);
      assert.equal((await family.ended).code, 1, how);
      assert.match(family.err, /on purpose/);
      await family.gone();
    }
  });

  it('by process.exit()', async () => {
    const pids = await start('exit');
    assert.equal((await family.ended).code, 5);
    await gone(pids);
  });
});
