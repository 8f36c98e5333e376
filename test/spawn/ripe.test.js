'use strict';

const assert = require('node:assert/strict');
const { overMemory, MB } = require('../../lib/spawn/ripe');
const { TestSet } = require('./sets');
const { until } = require('../helpers/until');

const of = (rssMb, baseMb) => ({ rssBytes: rssMb === null ? null : rssMb * MB, baseBytes: baseMb === null ? null : baseMb * MB });

describe('replicas that take too much memory', () => {
  it('are those over the limit that have grown, the largest first', () => {
    const [small, large, larger, born, unknown] = [of(90, 40), of(110, 40), of(120, 40), of(130, 100), of(null, null)];
    assert.equal(overMemory([small, large, larger, born, unknown], 100), larger);
    assert.equal(overMemory([small, born, unknown], 100), undefined);
    assert.equal(overMemory([large, larger]), undefined, 'without a limit');
  });

  it('are replaced between calls, and no call is lost by that', async function () {
    this.timeout(60_000);
    const on = new TestSet('process', { memoryMb: 100, launch: { heartbeatMs: 4000 } });
    try {
      await on.set.resize(1);
      const [first] = on.set.replicas;
      await until(() => first.baseBytes !== null, 'its memory', 30_000);
      const held = on.call('hold', 200);
      await held;
      // What it answers is looked at while there are calls.
      while (on.set.replicas.includes(first)) assert.equal(await on.call('sleep', 20, 'slept'), 'slept');
      assert.match(on.set.ended[0].endedWhy, /took \d+ MB, but its recipe allows 100/);
      assert.deepEqual([on.set.lost, on.set.ready, on.atHome], [0, 1, []]);
    } finally {
      await on.close();
    }
  });

  it('end where they are threads, and what was in them does not run at home', async function () {
    this.timeout(60_000);
    const on = new TestSet('thread', { launch: { heapMb: 20 } });
    try {
      await on.set.resize(1);
      const lost = await on.start('exhaust', [], { canRerun: true, retry: 1 }).result.catch((error) => error);
      assert.deepEqual([lost.code, lost.harm, lost.ran], ['IGNIS_REPLICA_LOST', 'memory', 'maybe']);
      assert.deepEqual(on.atHome, []);
    } finally {
      await on.close();
    }
  });
});
