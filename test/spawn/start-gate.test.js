'use strict';

const assert = require('node:assert/strict');
const { SparePool } = require('../../lib/spawn/spare-pool');
const { StartGate } = require('../../lib/spawn/start-gate');
const { FakeAgent } = require('./fake-agent');
const { until } = require('../helpers/until');

const THREAD = { where: 'thread', comm: 'auto', codec: 'msgpackr' };

/** Asks for so many turns; those that have begun are in `begun`, each with its end. */
function asked(gate, count) {
  const begun = [];
  for (let number = 0; number < count; number++) void gate.enter().then((end) => begun.push({ number, end }));
  return begun;
}

const turn = () => new Promise(setImmediate);

describe('StartGate', () => {
  for (const [free, most] of [
    [null, 1],
    [0, 1],
    [0.4, 1],
    [1.6, 2],
    [7.7, 8],
  ]) {
    it(`lets ${most} start at once where ${free} cores are free, and the others in their order`, async () => {
      const gate = new StartGate(() => free);
      const begun = asked(gate, 10);
      await turn();
      assert.deepEqual(
        begun.map(({ number }) => number),
        Array.from({ length: most }, (_, i) => i),
      );
      for (let ended = 0; ended < 10; ended++) {
        begun[ended].end();
        begun[ended].end();
        await turn();
      }
      assert.deepEqual(
        begun.map(({ number }) => number),
        Array.from({ length: 10 }, (_, i) => i),
      );
    });
  }

  it('counts the free cores before the first of those that start together', async () => {
    let free = 2;
    const gate = new StartGate(() => free);
    const begun = asked(gate, 2);
    await turn();
    free = 0;
    begun[0].end();
    const more = asked(gate, 1);
    await turn();
    assert.equal(more.length, 1, 'another one starts, as the first two did');
    begun[1].end();
    more[0].end();
    const last = asked(gate, 2);
    await turn();
    assert.equal(last.length, 1);
  });

  it('lets the next one start where one takes long', async () => {
    const gate = new StartGate(() => 1);
    const begun = asked(gate, 2);
    await turn();
    assert.equal(begun.length, 1);
    await until(() => begun.length === 2, 'the second turn', 10_000);
    begun[0].end();
    const more = asked(gate, 1);
    await turn();
    assert.equal(more.length, 0, 'the end of a turn that was over long ago gives nobody another');
  });

  it('keeps spares from starting while replicas do, but not replicas from a spare that is there', async () => {
    const agents = [];
    const gate = new StartGate(() => 1);
    const launch = async () => {
      const agent = new FakeAgent();
      agents.push(agent);
      return agent.launched;
    };
    const pool = new SparePool(launch, gate);
    const end = await pool.turn(THREAD);
    const kept = pool.keep(THREAD, 1);
    await turn();
    assert.equal(agents.length, 0);
    end();
    await until(() => agents.length === 1, 'the spare is launched', 10_000);
    agents[0].hello();
    await kept;
    const held = await gate.enter();
    (await pool.turn(THREAD))();
    assert.equal((await pool.take(THREAD)).state, 'warm');
    held();
    await pool.close();
  });

  it('starts as many spares as were wanted last', async () => {
    const agents = [];
    const gate = new StartGate(() => 1);
    const pool = new SparePool(async () => {
      const agent = new FakeAgent();
      agents.push(agent);
      return agent.launched;
    }, gate);
    const end = await pool.turn(THREAD);
    const first = pool.keep(THREAD, 3);
    const second = pool.keep(THREAD, 1);
    end();
    await until(() => agents.length > 0, 'the spare is launched', 10_000);
    for (const agent of agents) agent.hello();
    await Promise.all([first, second]);
    assert.equal(agents.length, 1);
    await pool.close();
  });
});
