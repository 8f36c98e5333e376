'use strict';

const assert = require('node:assert/strict');
const { makeCollector } = require('../../lib/object/kept');
const { Placing } = require('../../lib/spawn/placing');
const { until } = require('../helpers/until');

/** A replica. @param {number} id @param {any[]} [calls] in it @param {boolean} [room] @returns {any} */
const replica = (id, calls = [], room = true) => ({
  id,
  pending: calls.length,
  ahead: calls.length,
  outstanding: () => calls,
  hasRoom: () => room,
  stuckMs: () => 0,
});

/** @param {boolean} hasTurns @returns {any} */
const call = (hasTurns) => ({ plan: { hasTurns }, burst: 0 });

describe('Placing', () => {
  it('sends a call of an order where others of it are, and lets it wait while there is no room', () => {
    const [idle, busy] = [replica(1), replica(2, [call(false), call(true)])];
    const full = replica(2, [call(true)], false);
    for (const sched of ['least', 'rr']) {
      const placing = new Placing(sched, 'none');
      const picked = (ready, hasTurns) => placing.pick(ready, call(hasTurns), 0, 0)?.id;
      assert.equal(picked([idle, busy], true), 2);
      assert.equal(picked([idle, full], true), undefined);
      assert.equal(picked([idle, replica(2, [call(false)])], true), 1);
      assert.equal(picked([idle], true), 1);
    }
    assert.equal(new Placing('least', 'none').pick([idle, busy], call(false), 0, 0)?.id, 1);
  });

  it('keeps nothing of a replica that has ended', async () => {
    const collect = makeCollector();
    const placing = new Placing('least', 'none');
    const end = () => {
      const ended = replica(1);
      const last = call(false);
      placing.meet(last);
      placing.note(ended, last);
      placing.forget(ended);
      return new WeakRef(ended);
    };
    const ended = end();
    await until(
      () => {
        collect();
        return ended.deref() === undefined;
      },
      () => 'it is kept',
    );
    // So that it is still there itself.
    assert.equal(placing.held, 0);
  });
});
