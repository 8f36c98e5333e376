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

    /**
     * @param {string} name
     * @param {...any} args
     * @returns {Promise<import('../../lib/spawn/replica').Replica>} the one that gets a call made now
     */
    const takerOf = async (name, ...args) => {
      const { replicas } = on.set;
      const before = replicas.map(({ calls }) => calls);
      const answer = on.call(name, ...args);
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
      const slow = await on.call('who');
      const [first, second] = on.set.replicas;
      // A call is worth the speeds of both as they are when it is made, and each is due its own speed of that. What one is owed never
      // exceeds what a call was worth at most, however its speed is measured to change.
      let most = 2; // while nothing was known each counted as 1
      let owed = 0;
      let byTurns = 0; // what it would be owed if each got every second call
      let calls = 0;
      const isTold = () => calls >= 80 && Math.abs(byTurns) > 3 * most;
      const next = async () => {
        const [one, other] = [1 / Number(first.meanMs), 1 / Number(second.meanMs)];
        most = Math.max(most, one + other);
        calls += 1;
        byTurns += (one - other) / 2;
        owed += one - ((await takerOf('paced', slow)) === first ? one + other : 0);
        assert.ok(Math.abs(owed) < most + 1e-6, `after ${calls} calls one is owed ${owed}, where a call was worth ${most}`);
        return isTold();
      };
      await until(next, 'speeds that differ', 20000);
    });

    it('fails a call for which its function throws, also when that is to run again, and no other', async () => {
      /** @type {Map<string, number>} for what it throws, after how many times */
      const wrong = new Map([
        ['sent', 0],
        ['again', 1],
      ]);
      const sched = (_replicas, { args: [, value] }) => {
        const left = wrong.get(value) ?? Infinity;
        wrong.set(value, left - 1);
        if (left === 0) throw new Error(`no choice for ${value}`);
        return 0;
      };
      on = new TestSet(where, { sched });
      await on.set.resize(1);
      await assert.rejects(on.call('sleep', 1, 'sent'), { message: 'no choice for sent' });
      const ends = ['first', 'again', 'last'].map((value) => on.callPure('sleep', 50, value));
      on.set.replicas[0].kill('the test ends it');
      assert.deepEqual(
        (await Promise.allSettled(ends)).map((end) => end.value ?? end.reason.message),
        ['first', 'no choice for again', 'last'],
      );
      assert.deepEqual([on.set.failure, on.set.queued], ['', 0]);
    });
  });
}
