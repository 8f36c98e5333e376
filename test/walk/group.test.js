'use strict';

// `group` of a recipe: several modules in the same replicas, from their imports to what their callers get.

const assert = require('node:assert/strict');
const path = require('node:path');
const { Boundary } = require('../../lib/wrap/boundary');
const { Distribution } = require('../../lib/wrap/distribution');
const { Fleet } = require('../../lib/spawn/fleet');
const { checkRecipe } = require('../../lib/recipe/fields');
const { consentOf, mergeLayers } = require('../../lib/recipe/merge');
const { loadAnew } = require('../helpers/distributed');
const { until } = require('../helpers/until');

const fileOf = (/** @type {string} */ name) => path.join(__dirname, '../fixtures/group', `${name}.js`);
const idOf = (/** @type {string} */ name) => ({ name, kind: 'file', filename: name, packageName: null, version: null, inside: '' });
const SET = 'group both';

for (const where of /** @type {const} */ (['thread', 'process'])) {
  describe(`modules of one group, in a ${where}`, function () {
    this.timeout(20000);
    /** @type {Boundary[]} */
    let boundaries;
    /** @type {Fleet} */
    let fleet;
    /** @type {Distribution} */
    let distribution;
    /** @type {Error[]} */
    let failures;

    beforeEach(() => {
      boundaries = [];
      failures = [];
      fleet = new Fleet({ spares: 0, startMs: 8000, closeMs: 3000, maxFrameBytes: 1 << 28 });
      distribution = new Distribution({ fleet, boundaries: () => boundaries, consent: consentOf });
    });
    afterEach(async () => {
      distribution.close();
      await fleet.close();
    });

    /** @param {string} name @param {object} [recipe] @param {{exports?: any, parent?: string, isInner?: boolean}} [more] */
    const open = (name, recipe = {}, { exports = loadAnew(fileOf(name)), parent = './app.js', isInner = false } = {}) => {
      const given = checkRecipe('module', {
        where,
        group: 'both',
        call: 'await',
        state: 'private',
        copies: [0, 4],
        onFail: (/** @type {Error} */ error) => failures.push(error),
        ...recipe,
      });
      const effective = mergeLayers([{ by: 'import', where: 'a test', recipe: given }], 4);
      const boundary = new Boundary({
        parent: idOf(parent),
        child: idOf(fileOf(name)),
        recipe: effective,
        exports,
        mayDistribute: !isInner,
        isInner,
      });
      boundaries.push(boundary);
      distribution.add(boundary);
      return boundary.wrapped;
    };
    const setOf = () => /** @type {import('../../lib/spawn/replica-set').ReplicaSet} */ (fleet.get(SET));

    it('are in the same replica, loaded once each, and share what they remember', async () => {
      const [report, counter] = [open('report'), open('counter')];
      await setOf().resize(1);
      assert.deepEqual(await report.twice(), [1, 2]);
      assert.equal(await counter.next(), 3);
      assert.equal(await counter.place(), await report.place());
      assert.notEqual(await report.place(), `${process.pid}/0`);
      assert.equal(await report.loads(), 1);
      assert.deepEqual([...fleet.sets].length, 1);
      assert.deepEqual(
        fleet.records().map(({ module }) => module),
        [SET],
      );
    });

    it('may come when replicas are there already: each loads the new one before its first call', async () => {
      const report = open('report', { sched: 'rr' });
      await setOf().resize(2);
      const [greet, counter] = [open('callable'), open('counter')];
      // At once, and to both.
      const greetings = await Promise.all(Array.from({ length: 10 }, (_, i) => greet(String(i))));
      assert.deepEqual(greetings[7], ['hello 7', true]);
      const places = new Set();
      await until(async () => {
        for (const place of await Promise.all([counter.place(), counter.place(), report.place()])) places.add(place);
        return places.size === 2;
      }, 'answers of both');
      assert.ok(!places.has(`${process.pid}/0`));
    });

    it('are all in a replica that is started later, and in one after a loss', async () => {
      const [report, counter] = [open('report'), open('counter')];
      await setOf().resize(1);
      const [first] = setOf().replicas;
      first.kill('the test ends it');
      await first.ended;
      await until(() => setOf().ready === 1, 'another');
      assert.equal(await counter.place(), await report.place());
    });

    it('keep their writes and error classes apart', async () => {
      const [report, counter] = [open('report'), open('counter')];
      report.tag = 'written';
      await setOf().resize(1);
      assert.equal(await report.tagged(), 'written');
      report.tag = 'again';
      assert.equal(await report.tagged(), 'again');
      await assert.rejects(counter.fail('no'), (error) => error instanceof boundaries[1].exports.CounterError && error.message === 'no');
    });

    it('have their state in one place, whichever of them is called', async () => {
      const shared = { state: 'shared', copies: 1 };
      const report = open('report', { ...shared, functions: { tagged: { pure: true } } });
      const counter = open('counter', { ...shared, functions: { CounterError: { call: 'local' } } });
      assert.ok(distribution.permission(SET).allowed, distribution.permission(SET).why);
      const all = await Promise.all([report.twice(), counter.next(), report.twice()]);
      assert.deepEqual(all, [[1, 2], 3, [4, 5]]);
    });

    it('stay at home with their state when one of them is also imported for other replicas', () => {
      open('report', { state: 'shared' });
      const exports = loadAnew(fileOf('counter'));
      open('counter', { state: 'shared' }, { exports });
      assert.ok(distribution.permission(SET).allowed);
      open('counter', { state: 'shared', group: 'other' }, { exports, parent: './other.js' });
      assert.match(String(distribution.permission(SET).why), /other\.js imports .*counter\.js for other replicas/);
    });

    it('have as many replicas as each of them may, and each hears of a failure', async () => {
      const told = [];
      open('report', { copies: [0, 3], onFail: () => told.push('report') });
      assert.deepEqual(distribution.permission(SET).copies, [0, 3]);
      open('counter', { copies: [0, 2], onFail: () => told.push('counter') });
      open('counter', { copies: [0, 1] }, { exports: boundaries[1].exports, parent: './other.js' });
      assert.deepEqual(distribution.permission(SET).copies, [0, 2]);
      await setOf().resize(1);
      const [replica] = setOf().replicas;
      replica.kill('the test ends it');
      await replica.ended;
      assert.deepEqual(told, ['report', 'counter']);
    });

    it('call each other at home as plain modules', async () => {
      open('report');
      const inner = open('counter', {}, { parent: fileOf('report'), isInner: true });
      await setOf().resize(1);
      assert.equal(inner.next(), 1);
    });

    it('say which of them cannot be loaded', async () => {
      process.env.IGNIS_TEST_HOME = String(process.pid);
      try {
        open('report');
        const { f } = open('broken');
        await setOf().resize(1);
        assert.equal(setOf().ready, 0);
        assert.match(failures[0].message, /group both: .*broken\.js.*only at home/s);
        assert.equal(f(), 'home');
      } finally {
        delete process.env.IGNIS_TEST_HOME;
      }
    });

    it('go on in new replicas when one of them was loaded anew', async () => {
      const [report, counter] = [open('report'), open('counter')];
      await setOf().resize(1);
      const before = setOf();
      assert.equal(await counter.next(), 1);
      const again = open('counter');
      assert.notEqual(setOf(), before);
      await setOf().resize(1);
      assert.deepEqual([await again.next(), await report.twice()], [1, [2, 3]]);
      assert.equal(typeof counter.next(), 'number', 'the old one is at home');
    });
  });
}
