'use strict';

// Ignis in a replica: what the replica's module imports is measured there, replicated from there, and told at home; and it ends with its
// home, however that ends.

const assert = require('node:assert/strict');
const path = require('node:path');
const { isAlive } = require('../spawn/sets');
const { Family } = require('../helpers/family');
const { until } = require('../helpers/until');

const MAIN = path.join(__dirname, '../fixtures/nested/main.js');
const LIB = path.join(__dirname, '../../lib') + path.sep;

describe('Ignis in a replica (nested: true)', function () {
  this.timeout(240_000);
  /** @type {Family} */
  let family;

  /** @param {string[]} args @returns {Promise<any[]>} what it tells */
  async function run(...args) {
    family = new Family([MAIN, ...args]);
    const { code } = await family.ended;
    assert.equal(code, 0, family.err);
    await family.gone();
    return family.out
      .trim()
      .split('\n')
      .map((line) => JSON.parse(line));
  }
  afterEach(() => family.end());

  it('starts replicas of what its module imports: results and errors are those of the plain program, and home tells of all', async () => {
    const [[plain], [values, report, seen, last]] = [await run('counts', 'plain'), await run('counts')];
    assert.deepEqual(values, plain);

    const home = `./render.js #${report.outer.id}`;
    const row = report.boundaries.find(({ child }) => child === './words.js');
    assert.deepEqual([row.home, row.parent, row.state, row.replicas], [home, './render.js', 'distributed', 1]);
    assert.equal(row.id, `render.js -> words.js (in ${home})`);
    assert.equal(row.failures, 1);
    assert.deepEqual(
      report.replicas.map((one) => [one.home, one.module, one.state]).sort(),
      ['./letters.js', './words.js'].map((module) => [home, module, 'ready']),
    );
    const started = report.decisions.filter(
      ({ home: by, module, reason }) => by === home && module === './words.js' && reason === 'minimum',
    );
    assert.equal(started.length, 1);
    assert.match(report.why, new RegExp(`\\(in ${home}\\): synchronous.*in 1 replica`));
    // Metrics are those of one process: two rows with the same labels would be none.
    assert.equal(report.metrics, false);

    assert.equal(seen.boundaries, 2);
    assert.equal(seen.detail.boundary.id, row.id);
    assert.deepEqual(
      seen.detail.replicas.map(({ module }) => module),
      ['./words.js'],
    );
    assert.deepEqual(
      seen.replicas.map(({ home: by }) => by),
      [home, home],
    );

    // What ran at home and what ran from the replica is all that was asked, to the last call before the end.
    assert.equal(last.sum, last.asked);
    assert.deepEqual(
      last.edges.map(({ home: by }) => by),
      [undefined, './render.js, ended'],
    );
    assert.ok(last.replicas.every(({ state, endedWhy }) => state === 'ended' && endedWhy === 'Ignis closed'));
  });

  it('ends with the program, and does not keep it alive', async () => {
    const [{ pids }] = await run('ends');
    for (const pid of pids) await until(() => !isAlive(pid), `the end of ${pid}`);
  });

  it('ends with the program that gets SIGKILL, also while the innermost computes for ever', async () => {
    family = new Family([MAIN, 'busy']);
    const { pids } = await family.told();
    assert.equal(new Set(pids).size, 3);
    process.kill(pids[0], 'SIGKILL');
    await family.gone();
    for (const pid of pids) await until(() => !isAlive(pid), `the end of ${pid}`);
  });

  it('leaves nothing behind when the replica in between gets SIGKILL, also while the innermost computes for ever', async () => {
    family = new Family([MAIN, 'busy']);
    const [home, between, inner] = (await family.told()).pids;
    process.kill(between, 'SIGKILL');
    await until(() => !isAlive(inner), 'the end of the innermost', 20_000);
    assert.ok(isAlive(home));
    process.kill(home, 'SIGKILL');
    await family.gone();
  });

  it('goes on after the loss of the replica, from the next one; what the lost one told stays', async () => {
    const [{ again, homes }] = await run('killed');
    assert.equal(again, 2);
    assert.ok(
      homes.every((home) => /^\.\/render\.js( #\d+|, ended)$/.test(home)),
      homes.join(),
    );
  });

  it('loads nothing more in a replica without it, and shows the module no more of us with it', async () => {
    const [[without], [nested]] = [await run('files', 'without'), await run('files')];
    const own = (/** @type {any} */ { files }) =>
      files.filter((/** @type {string} */ file) => file.startsWith(LIB)).map((/** @type {string} */ file) => file.slice(LIB.length));
    for (const file of [
      'program.js',
      'index.js',
      'nested/inside.js',
      'wire/inside-frame.js',
      'spawn/insides.js',
      'spawn/fleet.js',
      'import/hook.js',
    ])
      assert.ok(!own(without).includes(file), file);
    assert.ok(own(nested).includes('nested/inside.js'));
    assert.deepEqual({ ...nested.shown, argv: [] }, { ...without.shown, argv: [] });
    assert.deepEqual(nested.shown.argv, ['files']);
    assert.deepEqual(
      nested.shown.own.filter((/** @type {string} */ name) => name !== 'IGNIS_TEST_FAMILY' && process.env[name] === undefined),
      [],
    );
  });

  it('is active in a replica that is a thread, too, and leaves nothing behind when that ends', async () => {
    const [told, last] = await run('thread', 'thread');
    assert.ok(told.outer > 0);
    assert.match(told.home, /^\.\/render\.js #\d+$/);
    assert.equal(told.state, 'distributed');
    assert.deepEqual(new Set(last.replicas.map(([, , state]) => state)), new Set(['ended']));
    const [seen] = await run('thread', 'thread', 'exit');
    for (const { inner } of [told, seen]) await until(() => !isAlive(inner), `the end of ${inner}`);
  });

  it('watches what an ES module imports, too', async () => {
    family = new Family([path.join(path.dirname(MAIN), 'main-es.mjs')]);
    const { pids, row } = await family.told();
    assert.equal(new Set(pids).size, 3);
    assert.deepEqual(row, ['./render-es.mjs', './words.js']);
    assert.equal((await family.ended).code, 0, family.err);
    await family.gone();
  });

  it('goes further inside where the recipe of a module in it says so, too', async () => {
    const [{ chain, homes }] = await run('deep');
    assert.equal(new Set(chain).size, 4);
    assert.match(homes[0].home, /^\.\/render\.js #\d+ > \.\/words\.js #\d+$/);
    assert.deepEqual([homes[0].module, homes[0].pid], ['./letters.js', chain[3]]);
  });
});
