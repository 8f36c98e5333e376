'use strict';

const assert = require('node:assert/strict');
const { Replica } = require('../../lib/spawn/replica');
const { KIND, VERSION } = require('../../lib/wire/frame');
const { FakeAgent } = require('./fake-agent');
const { until } = require('../helpers/until');

describe('Replica', () => {
  const TARGET = /** @type {any} */ ({ kind: 'file', name: 'm.js', place: '/m.js', argv: [] });
  const hooks = () => {
    const seen = { ended: [], broken: 0 };
    return {
      seen,
      onEnded: (_replica, pending, { why }) => seen.ended.push({ pending, why }),
      onBroken: () => {
        seen.broken += 1;
      },
      onIdle() {},
      wantedMs: () => 0,
      errorClass: () => undefined,
    };
  };

  /** A replica that is ready. */
  async function ready() {
    const agent = new FakeAgent();
    const replica = new Replica(agent.launched);
    const on = hooks();
    const loaded = replica.load(TARGET, on, 5000);
    agent.hello();
    await until(() => agent.frames.length === 1, 'the load');
    agent.channel.send([KIND.RESULT, agent.frames[0][1], null, null]);
    await loaded;
    return { agent, replica, on };
  }

  /** @param {Replica} replica */
  function send(replica) {
    const call = {
      plan: { key: 'f', path: ['f'], mode: 'await' },
      signals: [],
      packFor: () => ({ value: [], special: null, attachments: null, weight: 0 }),
      finish() {},
      fail() {},
      leave() {},
    };
    replica.send(/** @type {any} */ (call), performance.now());
  }

  it('goes from starting over warm and loading to ready', async () => {
    const agent = new FakeAgent();
    const replica = new Replica(agent.launched);
    assert.equal(replica.state, 'starting');
    const loaded = replica.load(TARGET, hooks(), 5000);
    agent.hello();
    await until(() => agent.frames.length === 1, 'the load');
    assert.equal(replica.state, 'loading');
    assert.deepEqual(agent.frames[0].slice(2), [TARGET]);
    agent.channel.send([KIND.RESULT, 0, null, null]);
    await loaded;
    assert.equal(replica.state, 'ready');
    assert.ok(replica.startedMs > 0);
    replica.kill('done');
    await replica.ended;
    assert.equal(replica.state, 'ended');
    assert.equal(replica.endedWhy, 'done');
  });

  it('is asked for what is no module without anything waiting for the answer, which may never come', async () => {
    const { agent, replica } = await ready();
    const answers = [];
    replica.ask({ kind: 'rest' }, { finish: (value) => answers.push(value), fail: assert.fail });
    assert.equal(replica.pending, 0);
    await until(() => agent.frames.length === 2, 'the question');
    agent.channel.send([KIND.RESULT, agent.frames[1][1], 7, null]);
    await until(() => answers.length === 1, 'the answer');
    assert.deepEqual([answers, replica.pending], [[7], 0]);
    replica.kill('done');
    await replica.ended;
  });

  it('fails to load with the reason: a time limit, an exit, another version', async () => {
    const late = new FakeAgent();
    await assert.rejects(new Replica(late.launched).load(TARGET, hooks(), 20), {
      code: 'IGNIS_START_FAILED',
      message: /m\.js: did not start within 20 ms$/,
    });
    assert.ok(late.wasKilled);
    const gone = new FakeAgent();
    const loaded = new Replica(gone.launched).load(TARGET, hooks(), 5000);
    gone.exit('exit code 9');
    await assert.rejects(loaded, { code: 'IGNIS_START_FAILED', message: /m\.js: exit code 9$/ });
    const old = new FakeAgent();
    const refused = new Replica(old.launched).load(TARGET, hooks(), 5000);
    old.hello(VERSION + 1);
    await assert.rejects(refused, { code: 'IGNIS_START_FAILED', message: new RegExp(`speaks ${VERSION + 1}`) });
  });

  it('has no room from the moment its link has ended, and says so before its end', async () => {
    const { agent, replica, on } = await ready();
    assert.equal(replica.hasRoom(performance.now()), true);
    agent.channel.destroy();
    await until(() => on.seen.broken === 1, 'the link to end');
    assert.equal(replica.hasRoom(performance.now()), false);
    assert.ok(agent.wasKilled);
    await replica.ended;
    assert.deepEqual(on.seen, { broken: 1, ended: [{ pending: [], why: 'killed' }] });
  });

  it('ends once, for the first reason', async () => {
    const { replica, on } = await ready();
    replica.kill('first');
    replica.kill('second');
    await replica.ended;
    replica.kill('third');
    assert.deepEqual(on.seen.ended, [{ pending: [], why: 'first' }]);
  });

  it('is not taken for stuck while a call travels', async () => {
    const agent = new FakeAgent();
    const far = new Replica({ ...agent.launched, where: 'host h', travelMs: () => 60 });
    const near = new Replica(new FakeAgent().launched);
    assert.deepEqual([far.isFar, near.isFar, near.travelMs], [true, false, 0]);
    for (const replica of [far, near]) {
      Object.defineProperty(replica, 'pending', { value: 1 });
      replica.calls = 1;
      replica.busySince = 1000;
    }
    assert.deepEqual([far.stuckMs(1050), far.stuckMs(1070), near.stuckMs(1050)], [0, 10, 50]);
    for (const replica of [far, near]) replica.kill('done');
  });

  it('takes more while those that it has wait for something else than its event loop, and is not stuck', async () => {
    const { agent, replica } = await ready();
    send(replica);
    assert.deepEqual([replica.pending, replica.ahead, replica.hasRoom(performance.now())], [1, 1, false]);
    // A call that was slow, once: until others have run only one goes at a time.
    agent.channel.send([KIND.USAGE, 1, 700, 700, 700, 0, 0]);
    await until(() => replica.usage.busyMs === 700, 'the report');
    const later = performance.now() + 10_000;
    assert.deepEqual([replica.pending, replica.ahead, replica.hasRoom(later), replica.stuckMs(later)], [1, 0, true, 0]);
    send(replica);
    assert.deepEqual([replica.pending, replica.ahead, replica.hasRoom(later)], [2, 1, false]);
    assert.ok(replica.stuckMs(performance.now()) < 5000 && replica.stuckMs(later) > 5000, 'stuck since it was sent, not since the first');
    replica.kill('done');
    await replica.ended;
  });

  it('does not wait for calls to run that could not travel', async () => {
    const { agent, replica } = await ready();
    // Whatever fails, it is not left.
    try {
      send(replica);
      const [{ id }] = replica.outstanding();
      agent.launched.channel.onRefused([KIND.CALL, id, 0, [], null], new Error('too large'));
      assert.deepEqual([replica.pending, replica.ahead], [0, 0]);
      send(replica);
      agent.channel.send([KIND.USAGE, 1, 1, 1, 1, 0, 0]);
      await until(() => replica.usage.busyMs === 1, 'the report');
      assert.deepEqual([replica.pending, replica.ahead], [1, 0]);
    } finally {
      replica.kill('done');
    }
    await replica.ended;
  });

  it('opens its window by how long its calls take, and closes it after a rare long one', async () => {
    const { agent, replica } = await ready();
    const room = () => {
      let calls = 0;
      while (replica.hasRoom(performance.now()) && calls < 2000) {
        send(replica);
        calls += 1;
      }
      return calls;
    };
    const answer = async () => {
      await until(() => agent.frames.filter(([kind]) => kind === KIND.CALL).length === replica.pending, 'the calls');
      for (const [kind, id] of agent.frames.splice(0)) if (kind === KIND.CALL) agent.channel.send([KIND.RESULT, id, null, null]);
      await until(() => replica.pending === 0, 'the answers');
    };
    assert.equal(room(), 1, 'one until it is known how long calls take');
    await answer();
    agent.channel.send([KIND.USAGE, 1000, 10, 0.1, 12, 38, 0]);
    await until(() => replica.usage.busyMs === 10, 'the report');
    const many = room();
    assert.ok(many > 100, `${many} short calls at once`);
    await answer();
    agent.channel.send([KIND.USAGE, 100, 301, 300, 301, 0, 0]);
    await until(() => replica.usage.busyMs === 311, 'the report');
    assert.equal(room(), 1, 'one after a long call among short ones');
    assert.equal(replica.takeLongestMs(), 300);
    assert.equal(replica.takeLongestMs(), 0);
    replica.kill('done');
    await replica.ended;
  });
});
