'use strict';

const assert = require('node:assert/strict');
const fs = require('node:fs');
const os = require('node:os');
const path = require('node:path');
const { subscribe } = require('../../lib/diagnostics');
const { Change } = require('../../lib/session/change');
const { TestSet, fixture } = require('./sets');
const { until } = require('../helpers/until');

/** @param {string} folder @returns {string[]} folders for the socket of a node-ipc channel */
const linksIn = (folder) => fs.readdirSync(folder).filter((name) => /^ignis-.{6}$/.test(name));

for (const where of ['process', 'thread']) {
  describe(`a replica set, each replica a ${where}`, function () {
    this.timeout(20000);

    /** @type {TestSet} */
    let on;
    const open = (settings) => {
      on = new TestSet(where, settings);
      return on;
    };

    afterEach(async () => {
      await on.close();
    });

    it('loads a module and serves it', async () => {
      const { set } = open();
      assert.deepEqual(on.call('add', 1, 2) instanceof Promise && (await on.call('add', 1, 2)), ['at home', 1, 2]);
      await set.resize(1);
      assert.equal(set.ready, 1);
      assert.equal(await on.call('add', 1, 2), 3);
      assert.notEqual(await on.call('who'), `${process.pid}/0`);
      await assert.rejects(on.call('fail', 'no'), { name: 'Error', message: 'no' });
      assert.ok(set.startMs > 0);
    });

    it('takes an answer that came before the end, also when home sees both at once', async () => {
      const { set } = open();
      await set.resize(1);
      const answer = on.call('answerAndThrow', 7);
      // The call leaves at the end of this tick; then home looks away until the replica has ended.
      await new Promise(setImmediate);
      Atomics.wait(new Int32Array(new SharedArrayBuffer(4)), 0, 0, 400);
      assert.equal(await answer, 7);
      await until(() => on.failures.length === 1, 'the loss of the replica');
    });

    it('serves a built-in module', async () => {
      const { set } = open({ target: { kind: 'builtin', name: 'node:path', place: 'node:path', argv: [] } });
      await set.resize(1);
      assert.equal(await on.call('basename', '/a/b.txt', '.txt'), 'b');
    });

    it('serves an ES module, its default export too', async () => {
      const { set } = open({ target: fixture('module.mjs') });
      await set.resize(1);
      assert.equal(await on.call('add', 2, 3), 5);
      assert.equal(await on.call('default', 'shout'), 'SHOUT');
    });

    it('calls back, and lends functions to a replica', async () => {
      const { set } = open();
      await set.resize(1);
      const told = new Promise((resolve) => {
        const { call } = on.start(
          'tell',
          [
            'value',
            (...args) => {
              call.finish(undefined);
              resolve(args);
            },
          ],
          { mode: 'callback' },
        );
      });
      assert.deepEqual((await told).slice(0, 2), [null, 'value']);
      assert.equal(await on.start('call', [(value) => value * 2, 21], { mode: 'promise' }).result, 42);
    });

    it('moves large buffers there and back', async () => {
      const { set } = open({ target: { kind: 'builtin', name: 'buffer', place: 'buffer', argv: [] } });
      await set.resize(1);
      const parts = [Buffer.alloc(1 << 20, 1), Buffer.alloc(100, 2), Buffer.alloc(5000, 3)];
      const { result } = on.start('concat', [parts], { path: ['Buffer', 'concat'] });
      assert.ok(Buffer.concat(parts).equals(await result));
    });

    it('gives each call a large buffer as it was when the call was made, also where several are given one', async () => {
      const { set } = open({ target: { kind: 'builtin', name: 'buffer', place: 'buffer', argv: [] } });
      await set.resize(1);
      const given = Buffer.alloc(100_000, 1);
      const concat = () => on.start('concat', [[given]], { path: ['Buffer', 'concat'], pool: set.pool }).result;
      for (let round = 0; round < 3; round++) {
        const before = Buffer.from(given);
        const answers = [concat(), concat()];
        given[99_999]++;
        const after = Buffer.from(given);
        answers.push(concat(), concat());
        given[0]++;
        const results = await Promise.all(answers);
        assert.deepEqual(
          results.map((result, i) => result.equals(i < 2 ? before : after)),
          [true, true, true, true],
        );
        assert.equal(new Set(results.map(({ buffer }) => buffer)).size, 4, 'each has its own');
      }
    });

    it('shows a replica the arguments of home, and nothing of ours in its environment', async () => {
      const { set } = open();
      await set.resize(1);
      if (where === 'process') assert.deepEqual((await on.call('argv')).slice(1), process.argv.slice(1));
      assert.deepEqual(
        Object.keys(await on.call('env')).filter((name) => name.startsWith('IGNIS_') && !(name in process.env)),
        [],
      );
    });

    it('says why a module cannot be loaded, leaves it alone for a while, and goes on', async () => {
      const { set } = open({ target: fixture('throws.js') });
      const events = [];
      const end = subscribe('ignis:replica', (event) => events.push(event.event));
      await set.resize(2);
      end();
      assert.equal(set.ready, 0);
      assert.match(set.failure, /this module is broken/);
      assert.equal(on.failures[0].code, 'IGNIS_START_FAILED');
      assert.match(on.failures[0].message, /throws\.js/);
      assert.ok(on.failures[0].cause instanceof RangeError);
      assert.equal(on.failures[0].cause.code, 'E_BROKEN');
      assert.ok(events.includes('failed') && !events.includes('ready'));
      // On a full machine the first pause may be over by now; each one is twice as long.
      await until(() => set.isFailing, 'a pause');
      const { launches } = on;
      await set.resize(2);
      assert.equal(on.launches, launches, 'not tried again at once');
      assert.deepEqual(await on.call('add', 1, 2), ['at home', 1, 2]);
    });

    for (const before of [0, 1])
      it(`starts again after the pause what could not be started, of itself, where ${before} serve meanwhile`, async () => {
        const flag = path.join(os.tmpdir(), `ignis-test-${process.pid}-${where}`);
        process.env.IGNIS_TEST_FLAG = flag;
        try {
          const { set } = open({ target: fixture('throws-while.js') });
          await set.resize(before);
          fs.writeFileSync(flag, '');
          await set.resize(before + 1);
          assert.equal(set.ready, before);
          fs.rmSync(flag);
          await until(() => set.ready === before + 1, 'a replica');
          assert.equal(await on.call('ready'), true);
          assert.equal(set.failure, '');
          assert.ok(!set.isFailing);
        } finally {
          fs.rmSync(flag, { force: true });
          delete process.env.IGNIS_TEST_FLAG;
        }
      });

    /** Modules that cannot be loaded, and what is said of each. */
    const BROKEN = {
      'a file that is not there': [fixture('missing.js'), /Cannot find module/],
      'a built-in that is none': [{ kind: 'builtin', name: 'node:nothing', place: 'node:nothing', argv: [] }, /nothing/],
      'one that exits': [fixture('exits.js'), /exit code 3/],
    };
    for (const [what, [target, said]] of Object.entries(BROKEN)) {
      it(`takes ${what} for a module that cannot be loaded`, async () => {
        const { set } = open({ target });
        await set.resize(1);
        assert.equal(set.ready, 0);
        assert.equal(on.failures.length, 1);
        assert.equal(on.failures[0].code, 'IGNIS_START_FAILED');
        assert.match(on.failures[0].message, said);
        assert.ok(on.failures[0].message.includes(target.name));
      });
    }

    it('gives up on a module that takes too long to load', async () => {
      const { set } = open({ target: fixture('spins.js'), startMs: 500 });
      await set.resize(1);
      assert.equal(set.ready, 0);
      assert.match(on.failures[0].message, /spins\.js.*did not start within 500 ms/);
    });

    it('tells callers of a lost replica that their calls may have run, and starts another', async () => {
      const { set } = open();
      await set.resize(1);
      const [{ id }] = set.replicas;
      const { result } = on.start('exit', [5]);
      await assert.rejects(result, (error) => {
        assert.equal(error.code, 'IGNIS_REPLICA_LOST');
        assert.equal(error.ran, 'maybe');
        assert.match(error.message, /work\.js, replica \d+: exit code 5/);
        return true;
      });
      await until(() => set.ready === 1, 'another replica');
      assert.notEqual(set.replicas[0].id, id);
      assert.equal(await on.call('add', 1, 2), 3);
      assert.equal(set.lost, 1);
      assert.equal(on.failures[0].code, 'IGNIS_REPLICA_LOST');
      assert.deepEqual(
        set.ended.map((record) => [record.id, record.endedWhy]),
        [[String(id), 'exit code 5']],
      );
    });

    it('says what a replica wrote last, or threw', async () => {
      const { set } = open();
      await set.resize(1);
      await assert.rejects(on.call('crash', 'the last straw'), { code: 'IGNIS_REPLICA_LOST', message: /the last straw/ });
    });

    it('runs again in another replica what may run again, and nothing at home', async () => {
      const { set } = open();
      const flag = path.join(os.tmpdir(), `ignis-test-once-${process.pid}-${where}`);
      fs.writeFileSync(flag, '');
      await set.resize(1);
      // One after the other, so that the window lets several in at once.
      for (let i = 0; i < 30; i++) await on.callPure('add', i, i);
      const first = on.callPure('exitOnce', flag, 'again');
      const others = Array.from({ length: 5 }, (_, i) => on.callPure('add', i, 1));
      const lost = on.call('add', 1, 1).catch((error) => error.code);
      assert.equal(await first, 'again');
      assert.deepEqual(await Promise.all(others), [1, 2, 3, 4, 5]);
      assert.ok([2, 'IGNIS_REPLICA_LOST'].includes(await lost));
      assert.deepEqual(on.atHome, []);
      assert.equal(set.lost, 1);
    });

    it('does not run again without end what ends each replica that it meets, and those behind it do run', async () => {
      const { set } = open();
      await set.resize(1);
      for (let i = 0; i < 30; i++) await on.callPure('add', i, i);
      const poison = on.callPure('exit', 6);
      const innocent = Array.from({ length: 4 }, (_, i) => on.callPure('add', i, i));
      await assert.rejects(poison, { code: 'IGNIS_REPLICA_LOST', ran: 'maybe' });
      assert.deepEqual(await Promise.all(innocent), [0, 2, 4, 6]);
      assert.deepEqual(on.atHome, []);
      assert.ok(set.lost <= 4, `${set.lost} replicas were lost`);
    });

    it('tells who called a function that a lost replica had handed out that it may have run', async () => {
      const { set } = open();
      await set.resize(1);
      let held;
      await on.start('offer', [60000, (fn) => void (held = fn)], { mode: 'promise' }).result;
      const waiting = held();
      await assert.rejects(on.call('exit', 3), { code: 'IGNIS_REPLICA_LOST' });
      await assert.rejects(waiting, { code: 'IGNIS_REPLICA_LOST', ran: 'maybe' });
    });

    it('starts another one for one that ended as soon as it had loaded', async () => {
      const { set, pool } = open({ target: fixture('ends-soon.js'), state: 'shared', startMs: 2000 });
      // It would repeat this next.
      set.change(new Change({ plan: null, path: ['option'], values: [2] }));
      await pool.keep(on.launch, 1);
      const started = set.resize(1);
      await new Promise(setImmediate);
      await new Promise(setImmediate);
      // Home computes until it has ended, so that its answer and its end come at once.
      Atomics.wait(new Int32Array(new SharedArrayBuffer(4)), 0, 0, 300);
      await started;
      assert.equal(set.starting, 0);
      await set.close();
    });

    it('keeps what waits for a replica that is to have its state while another start fails', async () => {
      const { set, pool } = open({ state: 'keyed' });
      const start = pool.launch;
      let failed = 0;
      pool.launch = async (wanted) => {
        if (failed++ > 0) return start(wanted);
        await new Promise(setImmediate);
        throw new Error('no process can be had');
      };
      const done = set.resize(2);
      const { call, result } = on.start('add', [1, 2]);
      call.key = 'k';
      assert.equal(await result, 3);
      assert.deepEqual(on.atHome, []);
      await done;
    });

    it('sends nothing more to a replica from the moment its link has ended', async () => {
      const { set } = open({ sched: 'hash' });
      await set.resize(2);
      const lost = on.call('exit', 1).catch((error) => error.code);
      const results = [];
      await until(() => {
        results.push(on.callPure('add', 1, 1));
        return set.lost === 1;
      }, 'the loss');
      assert.equal(await lost, 'IGNIS_REPLICA_LOST');
      for (const value of await Promise.all(results)) assert.ok(value === 2 || value[0] === 'at home');
    });

    it('does not start replicas without end when each is lost', async () => {
      const { set } = open();
      await set.resize(1);
      await until(
        async () => {
          const { isTaken, result } = on.start('exit', [1]);
          if (isTaken) await assert.rejects(result);
          return set.isFailing;
        },
        'a pause',
        25_000,
      );
      assert.ok(set.lost <= 8, `${set.lost} were lost`);
      assert.match(set.failure, /do not last/);
      const { launches } = on;
      await set.resize(1);
      assert.equal(on.launches, launches);
    });

    it('grows and shrinks; those that leave finish what they have', async () => {
      const { set } = open();
      await set.resize(3);
      assert.equal(set.ready, 3);
      const slow = Array.from({ length: 3 }, (_, i) => on.start('sleep', [150, i], { mode: 'promise' }).result);
      const shrunk = set.resize(1);
      assert.equal(set.ready, 1);
      assert.equal(set.replicas.length, 3);
      await shrunk;
      assert.deepEqual(await Promise.all(slow), [0, 1, 2]);
      await until(() => set.replicas.length === 1, 'two to end');
      assert.deepEqual(
        set.ended.map((record) => record.endedWhy),
        ['scaled in', 'scaled in'],
      );
      assert.equal(set.lost, 0);
      await set.resize(2);
      assert.equal(set.ready, 2);
      assert.deepEqual(
        set.records().map(({ state }) => state),
        ['ended', 'ended', 'ready', 'ready'],
      );
    });

    it('runs at home what waits when the last replica goes', async () => {
      const { set } = open();
      await set.resize(1);
      const running = on.call('sleep', 100, 'slept');
      const waiting = Array.from({ length: 3 }, (_, i) => on.call('add', i, 1));
      assert.equal(set.queued, 3);
      void set.resize(0);
      assert.deepEqual(await Promise.all(waiting), [
        ['at home', 0, 1],
        ['at home', 1, 1],
        ['at home', 2, 1],
      ]);
      assert.equal(await running, 'slept');
    });

    it('runs at home what waits when it shrinks to nothing while another replica starts', async () => {
      const { set } = open();
      await set.resize(1);
      const running = on.call('sleep', 50, 'slept');
      const waiting = on.call('add', 1, 1);
      const started = set.resize(2);
      await set.resize(0);
      await started;
      assert.deepEqual(await waiting, ['at home', 1, 1]);
      assert.equal(await running, 'slept');
    });

    it('lets a call take as long as it takes where its replica is not wanted any more, and no longer than that when it is closed', async () => {
      const { set } = open({ closeMs: 0 });
      await set.resize(1);
      const long = on.call('sleep', 200, 'slept');
      void set.resize(0);
      assert.equal(await long, 'slept');
      await set.resize(1);
      const stuck = on.call('sleep', 60000);
      void set.resize(0);
      void set.close('it was closed');
      await assert.rejects(stuck, { code: 'IGNIS_REPLICA_LOST', message: /it was closed/ });
    });

    it('leaves a call open that nothing will ever answer, as it would be at home, and does not wait for it', async () => {
      const { set } = open({ closeMs: 0 });
      await set.resize(1);
      const [{ ended }] = set.replicas;
      let outcome = 'open';
      on.call('never').then(
        () => (outcome = 'answered'),
        () => (outcome = 'failed'),
      );
      void set.resize(0);
      await ended;
      await new Promise(setImmediate);
      assert.equal(outcome, 'open');
    });

    it('has few replicas wait for calls that take long: of more the first has as long as for a close', async () => {
      const { set } = open({ closeMs: 0 });
      /** @type {Promise<any>[]} */
      const calls = [];
      for (let i = 0; i < 5; i++) {
        await set.resize(1);
        calls.push(on.call('sleep', 60000));
        void set.resize(0, `for the ${i}. time`);
      }
      await assert.rejects(calls[0], { code: 'IGNIS_REPLICA_LOST', message: /for the 0\. time/ });
      assert.equal(set.replicas.length, 4);
    });

    it('takes a warm spare instead of a fresh start', async () => {
      const { set, pool } = open();
      await pool.keep(on.launch, 2);
      assert.equal(pool.size, 2);
      assert.equal(on.launches, 2);
      const { pids } = on;
      await set.resize(1);
      assert.equal(on.launches, 2);
      assert.equal(pool.size, 1);
      if (where === 'process') assert.ok(pids.includes(set.replicas[0].pid));
      await set.resize(3);
      assert.equal(on.launches, 3);
      assert.equal(pool.size, 0);
      await pool.keep(on.launch, 1);
      await pool.keep(on.launch, 0);
      assert.equal(pool.size, 0);
    });

    it('takes the replica that was loaded before there was load', async () => {
      const { set } = open();
      await set.preload();
      assert.equal(set.ready, 0);
      assert.equal(on.launches, 1);
      await set.resize(1);
      assert.equal(set.ready, 1);
      assert.equal(on.launches, 1);
      assert.equal(await on.call('add', 1, 2), 3);
    });

    it('keeps what was preloaded and never used for its end', async () => {
      const { set } = open();
      await set.preload();
      assert.equal(set.replicas.length, 0);
      // afterEach closes, and asserts that nothing is left over
    });

    it('lets calls behind a long one be answered by another replica', async () => {
      const { set } = open({ sched: 'rr' });
      await set.resize(2);
      await Promise.all(Array.from({ length: 200 }, (_, i) => on.callPure('add', i, i)));
      for (let i = 0; i < 200; i++) await on.callPure('add', i, i);
      const answered = [];
      const long = on.callPure('spin', 700, 'long').then(() => answered.push('long'));
      // Some in the same turn as the long one, some in the turns after it.
      const shorts = [];
      for (let i = 0; i < 6; i++) {
        if (i >= 3) await new Promise(setImmediate);
        shorts.push(on.callPure('add', i, i).then((value) => answered.push(value)));
      }
      await Promise.all([long, ...shorts]);
      assert.equal(answered.length, 7);
      assert.equal(answered[6], 'long');
      assert.deepEqual(
        [...answered.slice(0, 6)].sort((a, b) => a - b),
        [0, 2, 4, 6, 8, 10],
      );
    });

    it('leaves a call where its key belongs, though it waits behind a long one', async () => {
      const { set } = open({ sched: 'hash' });
      await set.resize(2);
      const plan = { affinity: () => 'one key', canRerun: true };
      const answered = [];
      const long = on.start('spin', [150, 'long'], plan).result.then((value) => answered.push(value));
      await new Promise(setImmediate);
      const short = on.start('count', [], plan).result.then((value) => answered.push(value));
      await Promise.all([long, short]);
      assert.deepEqual(answered, ['long', 1]);
      assert.equal(await on.start('count', [], plan).result, 2, 'it ran once, where the key belongs');
    });

    it('refuses calls that pend deeper than qDepth', async () => {
      const { set } = open({ qDepth: 2 });
      await set.resize(1);
      const first = [on.start('sleep', [50, 1]), on.start('sleep', [10, 2])];
      assert.equal(set.whyFull({ lends: false }) !== '', true);
      assert.equal(set.pending, 2);
      const third = on.start('add', [1, 2]);
      assert.equal(third.isTaken, false);
      assert.deepEqual(await Promise.all(first.map(({ result }) => result)), [1, 2]);
      assert.equal(set.whyFull({ lends: false }), '');
      assert.equal(await on.call('add', 1, 2), 3);
    });

    it('says what it sees to the coordinator', async () => {
      const { set } = open();
      await set.resize(2);
      set.read(performance.now(), [0, 4]);
      await Promise.all(Array.from({ length: 100 }, () => on.call('spin', 0.2)));
      await on.call('spin', 60);
      const begun = performance.now();
      await until(() => set.read(performance.now(), [0, 4]).longestMs >= 50, 'the long call to be seen');
      const state = set.read(begun + 900, [0, 4]);
      assert.deepEqual(
        [state.module, state.ready, state.starting, state.wanted, state.pending, state.queued, state.lost],
        ['work.js', 2, 0, 2, 0, 0, 0],
      );
      assert.deepEqual(state.copies, [0, 4]);
      assert.ok(state.callsPerSecond > 0 && state.busyMsPerSecond > 0 && state.callOverheadMs > 0 && state.startMs > 0);
    });

    it('can be closed while replicas start, and starts no more', async () => {
      const { set } = open();
      const started = set.resize(2);
      await set.close();
      await started;
      assert.equal(set.ready, 0);
      await set.resize(2);
      assert.equal(set.ready + set.starting, 0);
      assert.deepEqual(on.failures, []);
      assert.deepEqual(await on.call('add', 1, 2), ['at home', 1, 2]);
    });

    it('finishes its calls when it is closed', async () => {
      const { set } = open();
      await set.resize(2);
      const calls = [1, 2].map((i) => on.call('sleep', 60, i));
      await set.close();
      assert.deepEqual(await Promise.all(calls), [1, 2]);
    });
  });
}

describe('a replica set, each replica a process', function () {
  this.timeout(20000);

  it('runs again what may run again when a replica gets SIGKILL, and says of what has begun that it may have run', async () => {
    const on = new TestSet('process');
    await on.set.resize(2);
    const pids = on.set.replicas.map(({ pid }) => pid);
    const pure = Array.from({ length: 4 }, (_, i) => on.callPure('sleep', 100, i));
    const { other } = await new Promise((resolve) => {
      const begun = () => new Promise(() => resolve({ other: result }));
      const { result } = on.start('call', [begun, 0], { mode: 'promise' });
    });
    for (const pid of pids) process.kill(pid, 'SIGKILL');
    assert.deepEqual(await Promise.all(pure), [0, 1, 2, 3]);
    await assert.rejects(other, { code: 'IGNIS_REPLICA_LOST', ran: 'maybe', message: /signal SIGKILL/ });
    await until(() => on.set.ready === 2, 'two others');
    assert.deepEqual(
      on.set.replicas.filter(({ pid }) => pids.includes(pid)),
      [],
    );
    await on.close();
  });

  it('ends a link that carries garbage, says so, and goes on with another', async () => {
    const on = new TestSet('process');
    await on.set.resize(2);
    const others = Array.from({ length: 3 }, (_, i) => on.callPure('sleep', 50, i));
    await assert.rejects(on.call('garble'), { code: 'IGNIS_REPLICA_LOST', message: /not valid.*mark/ });
    assert.deepEqual(await Promise.all(others), [0, 1, 2]);
    await until(() => on.set.ready === 2, 'another');
    assert.equal(on.set.lost, 1);
    await on.close();
  });

  for (const launch of [{ codec: 'msgpack-lite' }, { comm: 'node-ipc' }, { comm: 'node-ipc', codec: 'msgpack-lite' }]) {
    it(`works the same with ${JSON.stringify(launch)}`, async () => {
      // Other programs of this machine may have some, too.
      const folder = fs.mkdtempSync(path.join(os.tmpdir(), 'ignis-links-'));
      const { TMPDIR } = process.env;
      process.env.TMPDIR = folder;
      const on = new TestSet('process', { launch });
      await on.set.resize(2);
      assert.deepEqual(
        await Promise.all(Array.from({ length: 50 }, (_, i) => on.call('add', i, 1))),
        Array.from({ length: 50 }, (_, i) => i + 1),
      );
      assert.equal((await on.call('repeat', 'é', 100000)).length, 100000);
      await assert.rejects(on.call('exit', 2), { code: 'IGNIS_REPLICA_LOST' });
      await until(() => on.set.ready === 2, 'another');
      await on.close();
      assert.deepEqual(linksIn(folder), []);
      if (TMPDIR === undefined) delete process.env.TMPDIR;
      else process.env.TMPDIR = TMPDIR;
      fs.rmSync(folder, { recursive: true });
    });
  }

  it('fails a call or a result that is too large, and nothing else', async () => {
    const on = new TestSet('process', { launch: { maxBlockBytes: 100000 } });
    await on.set.resize(1);
    await assert.rejects(on.call('repeat', 'x', 200000), { code: 'IGNIS_FRAME_TOO_LARGE' });
    await assert.rejects(on.call('repeat', 'x'.repeat(200000), 1), { code: 'IGNIS_FRAME_TOO_LARGE' });
    assert.equal(await on.call('add', 1, 2), 3);
    assert.equal(on.set.lost, 0);
    await on.close();
  });

  it('refuses a codec that there is not', async () => {
    const on = new TestSet('process', { launch: { codec: 'json' } });
    await on.set.resize(1);
    assert.match(on.set.failure, /no codec 'json'/);
    await on.close();
  });
});
