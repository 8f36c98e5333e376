'use strict';

const assert = require('node:assert/strict');
const { subscribe, unsubscribe } = require('node:diagnostics_channel');
const { IgnisError } = require('../../lib/errors');
const { MOST_CHANGES } = require('../../lib/spawn/journal');
const { Call } = require('../../lib/session/call');
const { MOST_LENT } = require('../../lib/spawn/members');
const { ReplicaSet } = require('../../lib/spawn/replica-set');
const { SparePool } = require('../../lib/spawn/spare-pool');
const { Starter } = require('../../lib/spawn/starter');
const { KIND } = require('../../lib/wire/frame');
const { FakeAgent } = require('./fake-agent');
const { until } = require('../helpers/until');

const LAUNCH = /** @type {const} */ ({ where: 'thread', comm: 'auto', codec: 'msgpackr' });

/** A set over fakes, and the fakes in the order of their launch. */
function fakeSet(settings = {}) {
  /** @type {FakeAgent[]} */
  const agents = [];
  const pool = new SparePool(async () => {
    const agent = new FakeAgent();
    agents.push(agent);
    return agent.launched;
  });
  const target = /** @type {any} */ ({ kind: 'file', name: 'm.js', place: '/m.js', argv: [] });
  const set = new ReplicaSet(
    { target, launch: LAUNCH, sched: 'hash', qDepth: Infinity, startMs: 5000, closeMs: 100, errorClass: () => undefined, ...settings },
    pool,
  );
  return { set, pool, agents };
}

/** @param {FakeAgent} agent */
async function answerLoad(agent) {
  agent.hello();
  await until(() => agent.frames.some(([kind]) => kind === KIND.LOAD), 'the load');
  const [[, id]] = agent.frames.filter(([kind]) => kind === KIND.LOAD);
  agent.channel.send([KIND.RESULT, id, null, null]);
}

describe('Starter', () => {
  it('forgets no preloaded replica when another start fails beside it', async () => {
    const { set, pool, agents } = fakeSet();
    const first = set.preload();
    await until(() => agents.length === 1, 'the first launch');
    // A scale-out takes the one that is on its way, and another one is preloaded meanwhile.
    const grown = set.resize(1);
    const second = set.preload();
    await until(() => agents.length === 2, 'the second launch');
    await answerLoad(agents[1]);
    await second;
    agents[0].exit('exit code 1');
    await Promise.all([first, grown]);
    await Promise.all([set.close(), pool.close()]);
    assert.ok(agents[1].wasKilled, 'the second one has ended');
  });

  it('waits for no module that is being preloaded when it closes', async () => {
    const { set, pool, agents } = fakeSet({ startMs: 600_000 });
    const preloaded = set.preload();
    await until(() => agents.length === 1, 'the launch');
    agents[0].hello();
    await until(() => agents[0].frames.some(([kind]) => kind === KIND.LOAD), 'the load');
    await Promise.all([set.close(), pool.close(), preloaded]);
    assert.ok(agents[0].wasKilled);
  });

  it('warns once of an option that is wrong, which no other start mends, and of another one that is', async () => {
    const { pool } = fakeSet();
    let missing = 'a';
    pool.launch = async () => {
      // What may pass by itself is for reports alone.
      if (missing === '') throw new IgnisError('IGNIS_START_FAILED', 'no memory');
      throw new IgnisError('IGNIS_BAD_OPTION', `comm '${missing}' needs the package ${missing}`);
    };
    const target = { kind: 'file', name: 'm.js', place: '/m.js', argv: [] };
    const hooks = { target: () => target, onReady: () => {}, onFailed: () => {}, onMore: () => {} };
    /** @type {string[]} */
    const told = [];
    const hear = (/** @type {any} */ warning) => warning.code === 'IGNIS_BAD_OPTION' && told.push(warning.message);
    process.on('warning', hear);
    try {
      const starter = new Starter(/** @type {any} */ ({ target, launch: LAUNCH }), pool, /** @type {any} */ (hooks));
      for (const name of ['a', 'a', '', 'b']) {
        missing = name;
        await starter.begin();
      }
      await new Promise(setImmediate);
      await starter.close();
    } finally {
      process.off('warning', hear);
    }
    const of = (/** @type {string} */ name) => `no replica of m.js can be started: comm '${name}' needs the package ${name}`;
    assert.deepEqual(told, [of('a'), of('b')]);
    await pool.close();
  });

  it('ends a preloaded replica whose host is being stopped', async () => {
    const { set, pool, agents } = fakeSet();
    let stop = () => {};
    const { launch } = pool;
    pool.launch = async (settings) => Object.assign(await launch(settings), { stopping: new Promise((resolve) => (stop = resolve)) });
    const preloaded = set.preload();
    await until(() => agents.length === 1, 'the launch');
    await answerLoad(agents[0]);
    await preloaded;
    stop();
    await until(() => agents[0].wasKilled, 'its end');
    await Promise.all([set.close(), pool.close()]);
  });

  it('tries again after a failed start, also where others serve already', async () => {
    const { set, pool, agents } = fakeSet();
    const grown = set.resize(1);
    await until(() => agents.length === 1, 'the first launch');
    await answerLoad(agents[0]);
    await grown;
    const failed = set.resize(2);
    await until(() => agents.length === 2, 'the second launch');
    agents[1].exit('exit code 1');
    await failed;
    assert.deepEqual([set.ready, set.isFailing], [1, true]);
    await until(() => {
      void set.resize(2);
      return agents.length === 3;
    }, 'the third launch');
    await answerLoad(agents[2]);
    await until(() => set.ready === 2, 'both serve');
    await Promise.all([set.close(), pool.close()]);
  });

  it('starts all that are wanted once one could be started after failures', async () => {
    const { set, pool, agents } = fakeSet();
    const grown = set.resize(4);
    await until(() => agents.length === 4, 'four launches');
    for (const agent of agents) agent.exit('exit code 1');
    await grown;
    assert.deepEqual([set.ready, set.isFailing], [0, true]);
    await until(() => {
      void set.resize(4);
      return agents.length === 5;
    }, 'one launch when the time of rest is over');
    await answerLoad(agents[4]);
    await until(() => agents.length === 8, 'the other three');
    await Promise.all(agents.slice(5).map(answerLoad));
    await until(() => set.ready === 4, 'all to be ready');
    await Promise.all([set.close(), pool.close()]);
  });

  it('has failed where a replica never ends what it repeats of home', async () => {
    const { set, pool, agents } = fakeSet({ startMs: 300 });
    const errors = [];
    set.onFail = (error) => errors.push(error.message);
    try {
      set.change({
        plan: null,
        path: ['a'],
        pack: () => ({ value: 1, special: null, attachments: null, weight: 1 }),
        hasFailed: null,
        at: 0,
      });
      const grown = set.resize(1);
      await until(() => agents.length === 1, 'the launch');
      await answerLoad(agents[0]);
      await until(() => errors.length > 0, 'the failure');
      await grown;
      assert.match(errors[0], /m\.js: did not repeat what had changed its module within 300 ms/);
      assert.deepEqual([set.starting, set.ready, agents[0].wasKilled], [0, 0, true]);
    } finally {
      for (const agent of agents) agent.exit('the test is over');
      await Promise.all([set.close(), pool.close()]);
    }
  });

  it('counts none as starting any more when what is to be done with the one that is ready throws', async () => {
    let throws = true;
    const sched = () => {
      if (!throws) return 0;
      throws = false;
      throw new Error('sched once');
    };
    const { set, pool, agents } = fakeSet({ sched, state: 'shared' });
    const plan = { key: 'f', path: ['f'], mode: 'promise', canRerun: true, runAtHome: () => 1 };
    const grown = set.resize(1);
    set.submit(new Call(/** @type {any} */ (plan), undefined, []), performance.now());
    await until(() => agents.length === 1, 'the launch');
    await answerLoad(agents[0]);
    await grown;
    assert.equal(throws, false, 'it was asked');
    assert.equal(set.starting, 0);
    await Promise.all([set.close(), pool.close()]);
  });

  it('hands over no replica whose link ended while it was made like home', async () => {
    const { set, pool, agents } = fakeSet();
    set.journal.add(
      /** @type {any} */ ({ plan: null, path: ['x'], pack: () => ({ value: [1], special: null }), hasFailed: Promise.resolve(false) }),
      true,
    );
    const grown = set.resize(1);
    await until(() => agents.length === 1, 'the launch');
    const [agent] = agents;
    // Its exit, which explains the end of the link, comes later than that end.
    agent.launched.kill = () => {
      agent.closed = true;
    };
    await answerLoad(agent);
    await until(() => agent.frames.some(([kind]) => kind === KIND.WRITE), 'the change');
    agent.channel.destroy();
    let isExited = false;
    const ready = [];
    set.onChange = () => ready.push([set.ready, isExited]);
    await until(() => agent.closed, 'the end of the link, at home');
    isExited = true;
    agent.exit('exit code 1');
    await grown;
    assert.ok(
      ready.every(([count]) => count === 0),
      'it was never ready',
    );
    assert.match(set.failure, /exit code 1/);
    await Promise.all([set.close(), pool.close()]);
  });
});

describe('a replica set that is set up again and again', () => {
  const change = () => /** @type {any} */ ({ plan: {}, path: ['use'], pack: () => ({ value: [1], special: null }), hasFailed: false });

  it('refuses further changes at home, where the module can be served instead', () => {
    const { set } = fakeSet();
    for (let i = 0; i < MOST_CHANGES; i++) set.change(change());
    assert.throws(() => set.change(change()), { code: 'IGNIS_REFUSED', message: /was set up and written to 10000 times/ });
    assert.equal(set.journal.size, MOST_CHANGES);
  });

  it('goes on with a warning where its state is in replicas', () => {
    const { set } = fakeSet();
    set.isAway = true;
    const warnings = [];
    const listen = ({ message }) => warnings.push(message);
    subscribe('ignis:warning', listen);
    try {
      for (let i = 0; i <= MOST_CHANGES + 1; i++) set.change(change());
    } finally {
      unsubscribe('ignis:warning', listen);
    }
    assert.equal(set.journal.size, MOST_CHANGES + 2);
    assert.equal(warnings.length, 1);
    assert.match(warnings[0], /m\.js was set up and written to 10000 times/);
  });
});

describe('a replica set whose replicas hold many functions', () => {
  it('takes no further call that lends one', async () => {
    const { set, pool, agents } = fakeSet();
    const grown = set.resize(1);
    await until(() => agents.length === 1, 'the launch');
    await answerLoad(agents[0]);
    await grown;
    let lent = MOST_LENT;
    Object.defineProperty(set.replicas[0], 'lent', { get: () => lent });
    const plan = /** @type {any} */ ({ key: 'f', path: ['f'], mode: 'await', canRerun: true, affinity: null, pool: null });
    const submit = (args) => {
      const call = new Call(plan, undefined, args);
      return [set.submit(call, performance.now()), set.whyFull(call)];
    };
    assert.deepEqual(submit([() => {}]), [false, 'holds 1000000 functions that it was given']);
    assert.deepEqual(submit([1]), [true, '']);
    lent -= 1;
    assert.deepEqual(submit([() => {}]), [true, '']);
    await Promise.all([set.close(), pool.close()]);
  });
});
