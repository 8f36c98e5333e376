'use strict';

const assert = require('node:assert/strict');
const fs = require('node:fs');
const path = require('node:path');
const { Fleet } = require('../../lib/spawn/fleet');
const { until } = require('../helpers/until');
const { Call } = require('../../lib/session/call');
const { FIXTURES } = require('./sets');

const OPTIONS = { spares: 1, startMs: 8000, closeMs: 1000, maxFrameBytes: 1 << 20 };
const MODULE = { name: './work.js', kind: 'file', filename: path.join(FIXTURES, 'work.js') };

describe('Fleet', function () {
  this.timeout(15000);

  it('has one set a module, with spares, measures its replicas, and keeps a record of each', async () => {
    const fleet = new Fleet(OPTIONS);
    const recipe = { where: 'process' };
    const set = fleet.open(MODULE, recipe, () => undefined);
    assert.equal(
      fleet.open(MODULE, { where: 'thread' }, () => undefined),
      set,
    );
    assert.equal(fleet.get('./work.js'), set);
    assert.equal(fleet.get('./other.js'), undefined);
    assert.deepEqual([...fleet.sets], [set]);
    await fleet.prepare(recipe);
    assert.equal(fleet.spares.size, 1);
    await set.resize(1);
    assert.equal(fleet.spares.size, 0);
    const sum = await new Promise((resolve, reject) => {
      const call = new Call(
        { key: 'add', path: ['add'], mode: 'await', canRerun: false, affinity: null, runAtHome: () => 'at home' },
        null,
        [1, 2],
      );
      Object.assign(call, { resolve, reject });
      assert.ok(set.submit(call, performance.now()));
    });
    assert.equal(sum, 3);
    await fleet.measure();
    const [record] = fleet.records();
    assert.ok(record.rssBytes > 1e7 && record.rssBytes < 1e9);
    assert.deepEqual(
      { ...record, id: typeof record.id, startedMs: 0, rssBytes: 0, pid: 0 },
      { id: 'string', module: './work.js', where: 'process', pid: 0, startedMs: 0, calls: 1, rssBytes: 0, state: 'ready', endedWhy: null },
    );
    await fleet.close();
    assert.deepEqual(
      fleet.records().map(({ state, endedWhy }) => [state, endedWhy]),
      [['ended', 'Ignis closed']],
    );
    await fleet.prepare(recipe);
    assert.equal(fleet.spares.size, 0);
  });

  it('ends a set that another one takes the place of when its calls have ended, but for those that nothing will ever answer', async () => {
    const fleet = new Fleet({ ...OPTIONS, spares: 0, closeMs: 0 });
    const set = fleet.open(MODULE, { where: 'thread' }, () => undefined);
    await set.resize(2);
    const outcomes = [];
    const send = (name, args) => {
      const call = new Call({ key: name, path: [name], mode: 'await', canRerun: false, affinity: null, runAtHome: () => 'at home' }, null, args); // prettier-ignore
      Object.assign(call, { resolve: (value) => outcomes.push(value), reject: (error) => outcomes.push(error.code) });
      assert.ok(set.submit(call, performance.now()));
    };
    send('never', []);
    send('sleep', [200, 'slept']);
    fleet.retire(MODULE.name);
    await until(() => fleet.records().every(({ state }) => state === 'ended'), 'the end of both replicas');
    assert.deepEqual(outcomes, ['slept']);
    await fleet.close();
  });

  it('replaces a spare that was taken some time later, for a recipe that still holds then, and not when it has ended', async () => {
    const fleet = new Fleet(OPTIONS);
    const recipe = { where: 'thread' };
    await fleet.prepare(recipe);
    const set = fleet.open(MODULE, recipe, () => undefined);
    await set.resize(1);
    let asked = 0;
    const never = { isFull: () => false };
    const ask = () => void asked++;
    fleet.prepareLater('./other.js', ask, never);
    fleet.prepareLater('./other.js', ask, never);
    fleet.prepareLater('./work.js', () => recipe, never);
    await new Promise(setImmediate);
    assert.deepEqual([fleet.spares.size, asked], [0, 0]);
    await until(() => fleet.spares.size === 1 && asked === 1, 'another spare');
    const begun = performance.now();
    fleet.prepareLater('./other.js', ask, never);
    await fleet.close();
    await until(() => performance.now() > begun + 3000, 'the time of the next one');
    assert.deepEqual([fleet.spares.size, asked], [0, 1]);
  });

  it('replaces it when a processor is free', async () => {
    const fleet = new Fleet(OPTIONS);
    const looks = [true, false];
    const seen = [];
    const isFull = () => {
      seen.push(fleet.spares.size);
      return looks[seen.length - 1];
    };
    fleet.prepareLater('./work.js', () => ({ where: 'thread' }), { isFull });
    await until(() => fleet.spares.size === 1, 'a spare');
    assert.deepEqual(seen, [0, 0]);
    await fleet.close();
  });

  it('counts as own what it takes to begin a replica, and not how long that takes to be up', async () => {
    const counted = [];
    const count = (/** @type {() => any} */ run) => {
      const result = run();
      counted.push(result);
      return result;
    };
    const fleet = new Fleet(/** @type {any} */ ({ ...OPTIONS, own: { count } }));
    await fleet.prepare({ where: 'thread' });
    await fleet.open(MODULE, { where: 'process' }, () => undefined).resize(1);
    assert.deepEqual(
      (await Promise.all(counted)).map(({ where }) => where),
      ['thread', 'process'],
    );
    await fleet.close();
  });

  it('ends after a look at memory that is under way, and has one at a time', async () => {
    const fleet = new Fleet({ ...OPTIONS, spares: 0 });
    await fleet.open(MODULE, { where: 'process' }, () => undefined).resize(1);
    let isMeasured = false;
    const measured = fleet.measure();
    assert.equal(fleet.measure(), measured);
    void measured.then(() => {
      isMeasured = true;
    });
    await fleet.close();
    assert.ok(isMeasured);
  });

  it('does not look at the memory of replicas whose signs of life tell it', async function () {
    if (process.platform !== 'linux') this.skip();
    const fleet = new Fleet({ ...OPTIONS, spares: 0, heartbeatMs: 1000 });
    const set = fleet.open(MODULE, { where: 'process' }, () => undefined);
    await set.resize(1);
    const [replica] = set.replicas;
    await until(() => replica.baseBytes > 1e7, 'a sign of life since it is ready');
    const { readFile } = fs.promises;
    let reads = 0;
    fs.promises.readFile = (...args) => (reads++, readFile(...args));
    try {
      await fleet.measure();
    } finally {
      fs.promises.readFile = readFile;
    }
    assert.equal(reads, 0);
    assert.ok(replica.rssBytes > 1e7);
    await fleet.close();
  });

  it('names a built-in module by its own name', async () => {
    const fleet = new Fleet({ ...OPTIONS, spares: 0 });
    const set = fleet.open({ name: 'node:path', kind: 'builtin', filename: null }, { where: 'thread' }, () => undefined);
    await fleet.prepare({ where: 'thread' });
    assert.equal(fleet.spares.size, 0);
    await set.resize(1);
    assert.equal(set.ready, 1);
    await fleet.measure();
    await fleet.close();
    assert.equal(set.ready, 0);
  });
});
