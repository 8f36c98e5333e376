'use strict';

const assert = require('node:assert/strict');
const { sortLost } = require('../../lib/spawn/rerun');
const { TestSet } = require('./sets');
const { until } = require('../helpers/until');

const JOURNAL = /** @type {any} */ ({ length: 0 });

/** @param {object} [plan] @param {object} [more] @returns {any} */
function made(plan = {}, more = {}) {
  return {
    plan: { canRerun: true, isPure: false, ...plan },
    isSettled: false,
    canReplay: true,
    mark: 0,
    losses: 0,
    isLost: false,
    lose() {
      this.isLost = true;
    },
    ...more,
  };
}

/** How often a call that is the oldest each time runs again before it is lost. @param {any} call */
function reruns(call) {
  let count = 0;
  while (sortLost([call], JOURNAL, 'lost').length > 0 && count < 50) count += 1;
  assert.ok(call.isLost || count === 50);
  return count;
}

describe('calls of a lost replica', () => {
  it('run again once, or as often as their recipe says', () => {
    assert.equal(reruns(made()), 1);
    for (const retry of [0, 1, 2, 7]) assert.equal(reruns(made({ retry })), retry);
  });

  it('do not, where the function must not run twice or the copy is not whole any more', () => {
    assert.equal(reruns(made({ canRerun: false, retry: 3 })), 0);
    assert.equal(reruns(made({ retry: 3 }, { canReplay: false })), 0);
  });

  it('run again without end where they only waited behind others, but never with retry: 0', () => {
    const [innocent, never] = [made({ retry: 1 }), made({ retry: 0 })];
    for (let i = 0; i < 20; i++) assert.deepEqual(sortLost([made({ canRerun: false }), innocent], JOURNAL, 'lost'), [innocent]);
    assert.deepEqual(sortLost([made(), never], JOURNAL, 'lost').includes(never), false);
    assert.ok(never.isLost);
  });

  it('are left alone when they are settled, also as the suspect', () => {
    const [settled, next] = [made({}, { isSettled: true }), made()];
    assert.deepEqual(sortLost([settled, next], JOURNAL, 'lost'), [next]);
    assert.deepEqual([settled.losses, next.losses], [0, 1]);
  });
});

for (const where of ['process', 'thread']) {
  it(`a call in a ${where} that ends each replica it meets ends one more than it is run again`, async function () {
    this.timeout(20000);
    const on = new TestSet(where);
    try {
      await on.set.resize(1);
      for (const [retry, lost] of [
        [0, 1],
        [2, 4],
      ]) {
        await until(() => on.set.ready === 1, 'a replica');
        await assert.rejects(on.start('exit', [6], { canRerun: true, retry }).result, { code: 'IGNIS_REPLICA_LOST', ran: 'maybe' });
        assert.equal(on.set.lost, lost);
      }
      assert.deepEqual(on.atHome, []);
    } finally {
      await on.close();
    }
  });
}
