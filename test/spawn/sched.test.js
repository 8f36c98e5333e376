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

    /** @param {string} name @returns {Promise<import('../../lib/spawn/replica').Replica>} the one that gets a call made now */
    const takerOf = async (name) => {
      const { replicas } = on.set;
      const before = replicas.map(({ calls }) => calls);
      const answer = on.call(name);
      const taker = replicas.find(({ calls }, i) => calls > before[i]);
      assert.ok(taker !== undefined);
      await answer;
      return taker;
    };

    it("decides with sched: 'elu': a call goes where the event loop was less busy when it was reported last", async () => {
      await open('elu');
      const stepOf = (/** @type {any} */ { utilisation }) => Math.floor(utilisation * 10);
      let differed = 0;
      await until(async () => {
        await on.call('goOn', 300);
        for (let i = 0; i < 20; i++) {
          const steps = on.set.replicas.map((replica) => [replica, stepOf(replica)]);
          const [[, least], [, most]] = steps.sort(([, a], [, b]) => Number(a) - Number(b));
          const taker = await takerOf('who');
          assert.equal(steps.find(([replica]) => replica === taker)?.[1], least);
          if (least !== most) differed += 1;
        }
        return differed > 20;
      }, 'loops that differ');
    });

    it("decides with sched: 'weighted': each gets as many of the calls as its measured speed says", async () => {
      await open('weighted');
      const slow = await on.call('slowDown', 12);
      // Turn and turn about, so that the other one comes soon.
      await until(async () => (await on.call('slowDown', 1)) !== slow, 'the other one');
      await until(async () => (await on.call('slowDown', 12)) === slow, 'the slow one');
      const [first, second] = on.set.replicas;
      let expected = 0;
      let taken = 0;
      for (let i = 0; i < 80; i++) {
        const [one, other] = [1 / Number(first.meanMs), 1 / Number(second.meanMs)];
        expected += one / (one + other);
        if ((await takerOf('paced')) === first) taken += 1;
      }
      assert.ok(Math.abs(taken - expected) < 4, `${taken} of 80 calls, where speed says ${expected}`);
    });
  });
}
