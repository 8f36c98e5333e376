'use strict';

const assert = require('node:assert/strict');
const fs = require('node:fs');
const os = require('node:os');
const path = require('node:path');
const { limit } = require('../../lib/spawn/deadline');
const { TestSet } = require('./sets');
const { until } = require('../helpers/until');

const LIMIT = { timeoutMs: 60, module: 'work.js' };
/** For what is to be in time, on whatever machine. */
const LONG = { ...LIMIT, timeoutMs: 15_000 };

/** What tells a replica to go on, and what it tells. */
let folder;
let sign;
beforeEach(() => {
  folder = fs.mkdtempSync(path.join(os.tmpdir(), 'ignis-deadline-'));
  sign = path.join(folder, 'sign');
});
afterEach(() => fs.rmSync(folder, { recursive: true }));

describe('the limit of a call', () => {
  /** No multiple of five, of which Ignis makes another length. */
  const MS = 21;
  /** A call, and two replicas, that note what becomes of them. */
  function made() {
    const seen = [];
    const plan = { path: ['f'], module: 'm', timeoutMs: MS };
    const call = /** @type {any} */ ({ plan, giveUp: (error) => seen.push(error.code) });
    const replicas = ['a', 'b'].map((name) => /** @type {any} */ ({ abandon: () => seen.push(name) }));
    return { call, replicas, seen };
  }
  /** Timers of the same length end in the order in which they began; then comes one look at what has come. */
  const asLong = async () => {
    await new Promise((resolve) => setTimeout(resolve, MS));
    for (let turn = 0; turn < 2; turn++) await new Promise(setImmediate);
  };

  it('is over with the last replica that had it, and all of it begins anew with the next', async () => {
    const { call, replicas, seen } = made();
    limit(call, replicas[0]);
    call.deadline.leave(replicas[0]);
    await asLong();
    assert.deepEqual(seen, []);
    limit(call, replicas[1]);
    await asLong();
    assert.deepEqual(seen, ['IGNIS_CALL_TIMEOUT', 'b']);
  });

  it('goes on while another replica has it, from when the first one got it', async () => {
    const { call, replicas, seen } = made();
    limit(call, replicas[0]);
    const over = asLong();
    limit(call, replicas[1]);
    call.deadline.leave(replicas[0]);
    await over;
    assert.deepEqual(seen, ['IGNIS_CALL_TIMEOUT', 'b']);
  });
});

describe('killMs', function () {
  this.timeout(60_000);
  for (const where of /** @type {const} */ (['thread', 'process'])) {
    it(`ends a ${where} that computes for ever, and its other calls go on elsewhere`, async () => {
      const on = new TestSet(where);
      try {
        await on.set.resize(1);
        const spun = on.start('spin', [1e9], { timeoutMs: 100, killMs: 50, canRerun: true });
        const waiting = on.callPure('add', 1, 2);
        await assert.rejects(spun.result, { code: 'IGNIS_CALL_TIMEOUT' });
        assert.equal(await waiting, 3);
        assert.match(on.failures[0].message, /'spin' went on for 50 ms after its timeout of 100 ms/);
        assert.deepEqual([on.set.lost, on.atHome], [1, []]);
      } finally {
        await on.close();
      }
    });
  }

  it('leaves a replica alone whose call ends in that time', async () => {
    const on = new TestSet('thread');
    try {
      await on.set.resize(1);
      const late = on.start('spinUntil', [sign], { timeoutMs: 50, killMs: 25_000 });
      await assert.rejects(late.result, { code: 'IGNIS_CALL_TIMEOUT' });
      fs.writeFileSync(sign, '');
      assert.equal(await on.call('add', 1, 2), 3);
      assert.equal(on.set.replicas[0].stuckMs(performance.now()), 0);
      assert.equal(on.set.lost, 0);
    } finally {
      await on.close();
    }
  });
});

for (const where of ['process', 'thread']) {
  describe(`a call with a limit in a replica that is a ${where}`, function () {
    this.timeout(20000);

    /** @type {TestSet} */
    let on;
    beforeEach(() => {
      on = new TestSet(where);
    });
    afterEach(() => on.close());

    it('fails when it is not answered in time, and says which it was and that it may have run', async () => {
      await on.set.resize(1);
      await assert.rejects(on.start('sleep', [30000, 'late'], { ...LIMIT, mode: 'promise' }).result, {
        name: 'IgnisError',
        code: 'IGNIS_CALL_TIMEOUT',
        ran: 'maybe',
        module: 'work.js',
        message: /'sleep' of work\.js has not answered in 60 ms/,
      });
      assert.equal(on.set.pending, 0);
      assert.equal(on.failures.length, 0, 'that is no failure of the replica');
      assert.equal(await on.call('add', 1, 2), 3);
    });

    it('is answered when there is time enough', async () => {
      await on.set.resize(1);
      assert.equal(await on.start('sleep', [20, 'soon'], { ...LONG, mode: 'promise' }).result, 'soon');
    });

    it('leaves its replica to others when that can take some, though its answer never comes', async () => {
      await on.set.resize(1);
      const never = [1, 2, 3].map(() => on.start('sleep', [3000], { ...LIMIT, mode: 'promise' }).result);
      for (const one of never) await assert.rejects(one, { code: 'IGNIS_CALL_TIMEOUT' });
      for (let i = 0; i < 20; i++) assert.equal(await on.call('add', i, 1), i + 1);
      assert.equal(on.set.ready, 1);
    });

    it('keeps others from a replica that computes, and lets them there when it has ended', async () => {
      await on.set.resize(2);
      const places = new Set([await on.call('who')]);
      await until(async () => {
        const [first, second] = await Promise.all([on.start('spin', [6]).result, on.call('who')]);
        void first;
        places.add(second);
        return places.size === 2;
      }, 'an answer from each');
      const spinning = on.start('spinUntil', [sign], LIMIT);
      await assert.rejects(spinning.result, { code: 'IGNIS_CALL_TIMEOUT' });
      const answers = new Set();
      for (let i = 0; i < 30; i++) answers.add(await on.start('who', [], LONG).result);
      assert.equal(answers.size, 1, 'only the other one was asked');
      fs.writeFileSync(sign, '');
      const all = on.set.replicas;
      await until(() => all.every((replica) => replica.hasRoom(performance.now())), 'room in both');
    });

    it('does not count the time that it waits for a replica', async () => {
      await on.set.resize(1);
      const [first, second] = [on.start('spinUntil', [sign, 1], LONG), on.start('add', [1, 1], LONG)];
      assert.equal(on.set.queued, 1);
      await new Promise(setImmediate);
      assert.deepEqual([!first.call.deadline, !second.call.deadline], [false, true], 'only one has begun to count');
      fs.writeFileSync(sign, '');
      assert.equal(await first.result, 1);
      await until(() => second.call.deadline, 'its turn');
      assert.equal(await second.result, 2);
    });

    it('is answered when it is run again', async () => {
      await on.set.resize(1);
      const [replica] = on.set.replicas;
      const { result } = on.start('sleep', [250, 'twice'], { ...LONG, mode: 'promise', canRerun: true });
      replica.kill('the test ends it');
      assert.equal(await result, 'twice');
    });

    it('is not told of when it has been lost before', async () => {
      await on.set.resize(1);
      const { result } = on.start('exit', [1], { ...LIMIT, timeoutMs: 30000 });
      await assert.rejects(result, { code: 'IGNIS_REPLICA_LOST' });
    });

    it('is in time when home was too busy to look', async () => {
      await on.set.resize(1);
      const { result } = on.start('addAndTell', [1, 2, sign], LIMIT);
      // The call leaves at the end of this tick.
      await new Promise((resolve) => setImmediate(resolve));
      const end = performance.now() + 2 * LIMIT.timeoutMs;
      while (performance.now() < end || !fs.existsSync(sign));
      assert.equal(await result, 3);
    });

    it('lets a replica end that has nothing else to do', async () => {
      await on.set.resize(1);
      const { result } = on.start('sleep', [30000], { ...LIMIT, mode: 'promise' });
      const [replica] = on.set.replicas;
      const gone = on.set.resize(0);
      await assert.rejects(result, { code: 'IGNIS_CALL_TIMEOUT' });
      await gone;
      await replica.ended;
      assert.equal(replica.endedWhy, 'scaled in');
    });
  });
}
