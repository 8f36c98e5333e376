'use strict';

const assert = require('node:assert/strict');
const { TestSet } = require('./sets');
const { until } = require('../helpers/until');

for (const where of ['process', 'thread']) {
  describe(`what replicas measure, each a ${where}`, function () {
    this.timeout(30000);

    /** @type {TestSet} */
    let on;
    afterEach(() => on.close());

    /** @param {string} sched */
    const open = async (sched) => {
      on = new TestSet(where, { sched });
      await on.set.resize(2);
      await until(async () => {
        await Promise.all([on.call('spin', 8), on.call('spin', 8)]);
        return on.set.replicas.every(({ meanMs, utilisation }) => meanMs !== null && utilisation !== null);
      }, 'a report of each');
      return on;
    };

    it("decides with sched: 'elu': calls go where the event loop is less busy, though as many pend", async () => {
      await open('elu');
      await until(() => on.set.replicas.every(({ utilisation }) => Number(utilisation) < 0.3), 'quiet in both');
      const busy = await on.call('goOn', 1500);
      await until(() => on.set.replicas.some(({ utilisation }) => Number(utilisation) > 0.6), 'a busy one');
      const other = on.set.replicas.reduce((a, b) => (Number(a.utilisation) < Number(b.utilisation) ? a : b));
      const before = other.calls;
      for (let i = 0; i < 15; i++) assert.notEqual(await on.call('who'), busy);
      assert.equal(other.calls, before + 15);
    });

    it("decides with sched: 'weighted': a faster replica gets more of the calls, and a slow one some", async () => {
      await open('weighted');
      const slow = await on.call('slowDown', 12);
      // The other one: the first may come in its turn again.
      await until(async () => (await on.call('slowDown', 3)) !== slow, 'the other one');
      await until(async () => (await on.call('slowDown', 12)) === slow, 'the slow one');
      const [first, second] = on.set.replicas;
      const ratio = () => Math.max(Number(first.meanMs), Number(second.meanMs)) / Math.min(Number(first.meanMs), Number(second.meanMs));
      const seen = [];
      await until(async () => {
        seen.push(await on.call('paced'));
        return seen.length > 40 && ratio() > 2;
      }, 'a difference');
      const places = [];
      for (let i = 0; i < 60; i++) places.push(await on.call('paced'));
      const share = places.filter((place) => place === slow).length;
      assert.ok(share > 2 && share < 27, `${share} of 60 went to the slow one, by means of ${first.meanMs} and ${second.meanMs} ms`);
    });
  });
}
