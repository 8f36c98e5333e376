'use strict';

const assert = require('node:assert/strict');
const { SparePool } = require('../../lib/spawn/spare-pool');
const { StartGate } = require('../../lib/spawn/start-gate');
const { FakeAgent } = require('./fake-agent');
const { until } = require('../helpers/until');

const THREAD = { where: 'thread', comm: 'auto', codec: 'msgpackr' };

/** A pool that launches fakes. @param {number} [startMs] @param {StartGate} [gate] */
function fakePool(startMs, gate = new StartGate(9)) {
  const agents = [];
  const pool = new SparePool(
    async () => {
      const agent = new FakeAgent();
      agents.push(agent);
      return agent.launched;
    },
    startMs,
    gate,
  );
  return { pool, agents };
}

describe('SparePool', () => {
  it('ends with those that were too many, though they were still on their way', async () => {
    const { pool, agents } = fakePool();
    void pool.keep(THREAD, 2);
    await until(() => agents.length === 2, 'two launches');
    void pool.keep(THREAD, 0);
    const closed = pool.close();
    for (const agent of agents) agent.hello();
    await closed;
    assert.ok(agents.every(({ wasKilled }) => wasKilled));
  });

  it('waits for none that is not up yet when it closes', async () => {
    const { pool, agents } = fakePool(600_000, new StartGate(1));
    const kept = pool.keep(THREAD, 2);
    await until(() => agents.length === 1, 'the launch of the first');
    await Promise.all([pool.close(), kept]);
    assert.deepEqual(
      agents.map(({ wasKilled }) => wasKilled),
      [true],
    );
  });

  it('waits until its spares are warm', async () => {
    const { pool, agents } = fakePool();
    let isWarm = false;
    const kept = pool.keep(THREAD, 2).then(() => {
      isWarm = true;
    });
    await until(() => agents.length === 2, 'two launches');
    agents[0].hello();
    await new Promise(setImmediate);
    assert.equal(isWarm, false);
    agents[1].hello();
    await kept;
    assert.equal(pool.size, 2);
    await pool.close();
    assert.ok(agents.every(({ wasKilled }) => wasKilled));
  });

  it('gives each spare once, then starts afresh', async () => {
    const { pool, agents } = fakePool();
    const kept = pool.keep(THREAD, 1);
    await until(() => agents.length === 1, 'a launch');
    agents[0].hello();
    await kept;
    const one = await pool.take(THREAD);
    assert.equal(one.state, 'warm');
    const two = await pool.take(THREAD);
    assert.notEqual(two, one);
    assert.equal(two.state, 'starting');
    assert.equal(agents.length, 2);
    for (const replica of [one, two]) {
      replica.kill('done');
      await replica.ended;
    }
    await pool.close();
  });

  it('leaves out a spare that fails to start or ends before it is needed', async () => {
    const { pool, agents } = fakePool();
    const kept = pool.keep(THREAD, 2);
    await until(() => agents.length === 2, 'two launches');
    agents[0].exit('no luck');
    agents[1].hello();
    await kept;
    await until(() => pool.size === 1, 'one to be left out');
    agents[1].exit('later');
    await until(() => pool.size === 0, 'the other too');
    await pool.close();
  });

  it('ends a spare that never says that it is up, and whoever waits for it gets another one', async () => {
    const { pool, agents } = fakePool(50);
    try {
      const kept = pool.keep(THREAD, 1);
      await until(() => agents.length === 1, 'a launch');
      const other = await pool.take(THREAD);
      await kept;
      assert.deepEqual([agents.length, agents[0].wasKilled, pool.size, other.state], [2, true, 0, 'starting']);
      other.kill('done');
      await other.ended;
    } finally {
      for (const agent of agents) agent.exit('the test is over');
      await pool.close();
    }
  });

  it('keeps spares of each kind apart', async () => {
    const { pool, agents } = fakePool();
    const other = { where: /** @type {const} */ ('process'), comm: 'auto', codec: 'msgpackr' };
    const kept = [pool.keep(THREAD, 1), pool.keep(other, 1)];
    await until(() => agents.length === 2, 'two launches');
    for (const agent of agents) agent.hello();
    await Promise.all(kept);
    await pool.keep(THREAD, 0);
    assert.equal(pool.size, 1);
    await pool.close();
    assert.equal(pool.size, 0);
  });

  it('starts as many at a time as there are turns: the next when one is up, or gone', async () => {
    const { pool, agents } = fakePool(30_000, new StartGate(2, 30_000));
    const kept = pool.keep(THREAD, 4);
    await until(() => agents.length === 2, 'two launches');
    await new Promise(setImmediate);
    assert.equal(agents.length, 2);
    agents[1].hello();
    await until(() => agents.length === 3, 'the next, once one is up');
    agents[0].exit('no luck');
    await until(() => agents.length === 4, 'the next, once one is gone');
    for (const agent of agents.slice(2)) agent.hello();
    await kept;
    assert.equal(pool.size, 3);
    await pool.close();
  });

  it('has nobody wait longer than a turn for one that does not come up', async () => {
    const { pool, agents } = fakePool(30_000, new StartGate(1, 20));
    void pool.keep(THREAD, 2);
    await until(() => agents.length === 2, 'the second launch');
    for (const agent of agents) agent.hello();
    await pool.close();
  });

  it('starts none that was in the line when it was closed', async () => {
    const { pool, agents } = fakePool(30_000, new StartGate(1, 30_000));
    void pool.keep(THREAD, 2);
    const taken = pool.take({ ...THREAD, codec: 'json' });
    await until(() => agents.length === 1, 'a launch');
    const closed = pool.close();
    agents[0].hello();
    await assert.rejects(taken, { code: 'IGNIS_START_FAILED' });
    await closed;
    assert.equal(agents.length, 1);
  });

  it('starts none once it is closed', async () => {
    const { pool, agents } = fakePool();
    await pool.close();
    await pool.keep(THREAD, 3);
    assert.equal(agents.length, 0);
  });
});
