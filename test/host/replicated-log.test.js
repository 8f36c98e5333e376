'use strict';

const assert = require('node:assert/strict');
const { randomUUID } = require('node:crypto');
const { openEngine } = require('../../lib/host/engine.js');
const { ReplicatedLog } = require('../../lib/host/replicated-log.js');
const { breakable } = require('../helpers/breakable-engine.js');
const { until } = require('../helpers/until.js');

const bytes = (text) => Buffer.from(text);

describe('a replicated log', () => {
  let engine;
  const copies = [];
  beforeEach(async () => {
    engine = await openEngine('embedded', { app: `log-${randomUUID()}` });
  });
  afterEach(async () => {
    for (const copy of copies.splice(0)) copy.close();
    await engine.close();
  });

  function replica({ over = engine, afterSeq, state = [], apply = (got) => state.push(Buffer.from(got).toString()) } = {}) {
    const states = [];
    const log = new ReplicatedLog(over, { log: 'module', apply, afterSeq, onState: (now) => states.push(now) });
    copies.push(log);
    return { log, state, states };
  }

  it('has applied a change where it was made when that is said to be done', async () => {
    const { log, state } = replica();
    await log.start();
    for (let n = 0; n < 10; n++) {
      await log.change(bytes(`${n}`));
      assert.equal(state.at(-1), `${n}`);
    }
  });

  it('applies the same changes in the same order in all replicas', async () => {
    const all = [replica(), replica(), replica()];
    await Promise.all(all.map(({ log }) => log.start()));
    await Promise.all(all.flatMap(({ log }, at) => Array.from({ length: 30 }, (_, n) => log.change(bytes(`${at}.${n}`)))));
    await Promise.all(all.map(({ log }) => log.catchUp()));
    assert.equal(all[0].state.length, 90);
    assert.deepEqual(all[1].state, all[0].state);
    assert.deepEqual(all[2].state, all[0].state);
    for (const at of [0, 1, 2]) {
      const own = all[0].state.filter((text) => text.startsWith(`${at}.`));
      assert.deepEqual(
        own,
        Array.from({ length: 30 }, (_, n) => `${at}.${n}`),
        'those of one replica keep their order',
      );
    }
  });

  it('is not ready before it has applied all that was acknowledged', async () => {
    const first = replica();
    await first.log.start();
    for (let n = 0; n < 50; n++) await first.log.change(bytes(`${n}`));
    const late = replica();
    await assert.rejects(late.log.change(bytes('x')), (error) => error.code === 'IGNIS_REFUSED' && error.ran === 'no');
    await late.log.start();
    assert.deepEqual(late.state, first.state);
    assert.deepEqual(late.states, ['catching-up', 'ready']);
  });

  it('goes on from a snapshot, over a log that was trimmed', async () => {
    const first = replica();
    await first.log.start();
    await first.log.change(bytes('a'));
    await first.log.change(bytes('b'));
    const snapshot = { state: [...first.state], afterSeq: first.log.seq };
    await first.log.change(bytes('c'));
    await engine.trim('module', snapshot.afterSeq);
    const back = replica(snapshot);
    await back.log.start();
    assert.deepEqual(back.state, ['a', 'b', 'c']);
    const anew = replica();
    await assert.rejects(anew.log.start(), (error) => error.code === 'IGNIS_LOG_GAP');
    assert.deepEqual(anew.states, ['catching-up', 'lost']);
    await assert.rejects(anew.log.change(bytes('x')), (error) => error.code === 'IGNIS_REFUSED' && error.cause.code === 'IGNIS_LOG_GAP');
  });

  it('stops, and does not step back, when the log ends before what it has applied', async () => {
    const ahead = replica({ state: ['a', 'b'], afterSeq: 2 });
    await assert.rejects(ahead.log.start(), (error) => error.code === 'IGNIS_LOG_GAP');
    assert.deepEqual(ahead.state, ['a', 'b']);
  });

  it('ends the state of a replica that cannot apply a change', async () => {
    const good = replica();
    const bad = replica({
      apply: () => {
        throw new Error('cannot');
      },
    });
    await good.log.start();
    await bad.log.start();
    const waiting = bad.log.change(bytes('x'));
    await assert.rejects(waiting, /cannot/);
    assert.equal(bad.log.state, 'lost');
    await until(() => good.state.length === 1, 'the other has it');
    await good.log.change(bytes('y'));
    assert.deepEqual(good.state, ['x', 'y']);
  });

  it('makes a change once though the answer to it was lost', async () => {
    const link = breakable(engine);
    const { log, state } = replica({ over: link.engine });
    await log.start();
    link.cut('answers');
    await assert.rejects(log.change(bytes('maybe')), (error) => error.code === 'IGNIS_ENGINE_DOWN' && error.ran === 'maybe');
    link.mend();
    await log.catchUp();
    assert.deepEqual(state, ['maybe']);
  });

  it('fails what waits when it is closed', async () => {
    const silent = breakable(engine).engine;
    silent.follow = () => () => {};
    const { log } = replica({ over: silent });
    const starting = log.start();
    await new Promise((resolve) => setImmediate(resolve));
    log.close();
    await assert.rejects(starting, (error) => error.code === 'IGNIS_CLOSED');
  });
});
