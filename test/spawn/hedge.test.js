'use strict';

const assert = require('node:assert/strict');
const { callsBehind, hedgeMsOf, HEDGE_MS } = require('../../lib/spawn/hedge');
const { Burst } = require('../../lib/spawn/burst');
const { KIND } = require('../../lib/wire/frame');
const { FakeAgent } = require('./fake-agent');
const { TestSet } = require('./sets');
const { until } = require('../helpers/until');

/** @param {object} [given] @returns {any} */
const call = ({
  burst = 2,
  mode = 'await',
  canRerun = true,
  canReplay = true,
  isSettled = false,
  isHedged = false,
  hedgeMs = 20,
} = {}) => ({
  burst,
  mark: 0,
  canReplay,
  isSettled,
  isHedged,
  plan: { mode, canRerun, hedgeMs },
});

/** @param {number} stuckMs @param {any[]} calls @param {number} [ahead] that may not have run yet @returns {any} */
const replica = (stuckMs, calls, ahead = calls.length, typicalMs = 0) => ({
  ahead,
  stuckMs: () => stuckMs,
  outstanding: () => calls,
  pace: { typicalMs },
});
/** One that could take them. */
const idle = replica(0, []);

describe('the calls behind a long one', () => {
  const running = call({ burst: 1 });

  it('are those that wait behind the one that runs, each once, also those made in the same turn', () => {
    const [one, two] = [call(), call({ burst: 1 })];
    const list = [replica(25, [running, one, two]), idle];
    assert.deepEqual(callsBehind(list, 0), [one, two]);
    assert.deepEqual(callsBehind(list, 0), []);
  });

  it('are not those that have run, and only wait for what they asked for', () => {
    const [waiting, one] = [call({ burst: 1 }), call()];
    assert.deepEqual(callsBehind([replica(25, [waiting, running, one], 2), idle], 0), [one]);
    assert.deepEqual(callsBehind([replica(25, [waiting, call(), running], 1), idle], 0), []);
  });

  it('are none while a replica is not stuck, or has only one call', () => {
    assert.deepEqual(callsBehind([replica(19, [running, call()]), replica(500, [running])], 0), []);
    assert.deepEqual(callsBehind([replica(500, [running, call()])], 0), [], 'nobody else could take it');
  });

  it('are not those that may run only once, run asynchronously, are settled, or whose recipe says later or never', () => {
    const not = [
      { canRerun: false },
      { mode: 'promise' },
      { mode: 'callback' },
      { canReplay: false },
      { isSettled: true },
      { isHedged: true },
      { hedgeMs: 101 },
      { hedgeMs: Infinity },
    ];
    assert.deepEqual(callsBehind([replica(100, [running, ...not.map(call)]), idle], 0), []);
  });
});

describe('a call that is to be answered by whoever is first', () => {
  /**
   * A set of two replicas that answer when the test says so, each with room for any number of calls, and stuck for as long as it says.
   *
   * @param {string} sched
   */
  async function twoReplicas(sched) {
    const on = new TestSet('thread', { sched });
    /** @type {FakeAgent[]} */
    const agents = [];
    on.pool.launch = async () => {
      const agent = new FakeAgent();
      agents.push(agent);
      agent.channel.onFrames = (frames) => {
        agent.frames.push(...frames);
        for (const [kind, id] of frames) if (kind === KIND.LOAD) agent.channel.send([KIND.RESULT, id, null, null]);
      };
      agent.hello();
      return /** @type {any} */ (agent.launched);
    };
    await on.set.resize(2);
    const now = { stuckMs: 0 };
    for (const one of on.set.replicas) Object.assign(one, { hasRoom: () => true, stuckMs: () => now.stuckMs });
    const callsOf = (/** @type {FakeAgent} */ { frames }) => frames.filter(([kind]) => kind === KIND.CALL);
    const sent = () => agents.reduce((sum, agent) => sum + callsOf(agent).length, 0);
    const start = async (/** @type {string} */ name) => {
      const before = sent();
      const started = on.start(name, [], { canRerun: true, isPure: true, hedgeMs: 1 });
      await until(() => sent() > before, `${name} in a replica`);
      return started;
    };
    const answer = (/** @type {FakeAgent} */ agent, /** @type {number} */ index, /** @type {string} */ value) =>
      agent.channel.send([KIND.RESULT, callsOf(agent)[index][1], value, null]);
    const end = async () => {
      for (const agent of agents) agent.exit('over');
      await on.set.close();
    };
    return { on, agents, now, callsOf, answer, start, end };
  }

  it('is not sent to the replica that has it, and is run again once where that one ends', async () => {
    const { on, agents, now, callsOf, answer, start, end } = await twoReplicas('least');
    const [first, , behind] = [await start('first'), await start('second'), await start('behind')];
    const [holder, other] = callsOf(agents[0]).length === 2 ? agents : agents.toReversed();
    now.stuckMs = 10;
    await until(() => behind.call.isHedged, 'that it waits for another replica');
    const [mine, busy] = on.set.replicas[0].pending === 2 ? on.set.replicas : on.set.replicas.toReversed();
    mine.stuckMs = () => 0;
    answer(holder, 0, 'one');
    assert.equal(await first.result, 'one');
    await until(() => !behind.call.isHedged, 'that only its own replica takes calls');
    assert.deepEqual([callsOf(holder).length, callsOf(other).length, behind.call.held], [2, 1, 1]);
    busy.hasRoom = () => false;
    holder.exit('gone');
    await until(() => agents.length === 3 && callsOf(agents[2]).length > 0, 'a third one has it');
    answer(agents[2], 0, 'two');
    assert.equal(await behind.result, 'two');
    assert.deepEqual(
      agents.map((agent) => callsOf(agent).length),
      agents[0] === holder ? [2, 1, 1] : [1, 2, 1],
    );
    await end();
  });

  it('goes to another replica where the turn is that of the one that has it', async () => {
    const { on, agents, now, callsOf, start, end } = await twoReplicas('rr');
    for (const name of ['first', 'second', 'third', 'fourth']) await start(name);
    now.stuckMs = 5;
    await until(() => agents.every((agent) => callsOf(agent).length === 3), 'both calls that wait in both replicas');
    for (const one of on.set.replicas) assert.equal(new Set(one.outstanding()).size, 3);
    await end();
  });
});

describe('hedge of a recipe', () => {
  it('is a time, one by itself, or never', () => {
    assert.deepEqual([undefined, true, 50, false].map(hedgeMsOf), [undefined, undefined, 50, Infinity]);
  });

  it('is by itself a time that no call of the replica takes, whatever it takes for most', () => {
    const behind = (stuckMs, typicalMs, hedgeMs) => {
      const waiting = call({ hedgeMs });
      if (hedgeMs === undefined) delete waiting.plan.hedgeMs;
      return callsBehind([replica(stuckMs, [call(), waiting], 2, typicalMs), idle], 0).length;
    };
    assert.equal(behind(HEDGE_MS - 1, 0.1), 0);
    assert.equal(behind(HEDGE_MS, 0.1), 1);
    assert.equal(behind(20, 7), 0, 'calls of 7 ms that take turns on the cores');
    assert.equal(behind(28, 7), 1);
    assert.equal(behind(28, 70), 0);
    assert.equal(behind(28, 70, 20), 1, 'as its recipe says');
  });
});

describe('Burst', () => {
  it('gives all calls of one tick the same number', async () => {
    const burst = new Burst();
    const first = burst.current();
    assert.equal(burst.current(), first);
    await new Promise((resolve) => process.nextTick(resolve));
    assert.equal(burst.current(), first + 1);
  });

  it('lets calls of one burst join the replica of the last while its batch is open', () => {
    const burst = new Burst();
    const target = /** @type {any} */ ({ hasOpenBatch: true });
    assert.equal(burst.companion(1), null);
    burst.note(target, 1);
    assert.equal(burst.companion(1), target);
    assert.equal(burst.companion(2), null);
    target.hasOpenBatch = false;
    assert.equal(burst.companion(1), null);
  });
});
