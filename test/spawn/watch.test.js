'use strict';

const assert = require('node:assert/strict');
const fs = require('node:fs');
const os = require('node:os');
const path = require('node:path');
const { setImmediate: turn } = require('node:timers/promises');
const { MessageChannel } = require('node:worker_threads');
const { Watch } = require('../../lib/spawn/watch');
const { TestSet } = require('./sets');
const { until } = require('../helpers/until');

/** @param {number} ms in which the event loop does nothing else */
function block(ms) {
  const end = performance.now() + ms;
  while (performance.now() < end);
}

describe('the watch of a replica set', () => {
  it('looks when what had arrived during a long turn has been read, as of before', async () => {
    const { port1, port2 } = new MessageChannel();
    /** @type {[string, number][]} */
    const seen = [];
    const watch = new Watch((now) => seen.push(['look', now]) > 0);
    port2.on('message', () => seen.push(['message', performance.now()]));
    await turn();
    watch.begin();
    port1.postMessage('an answer');
    block(30);
    await until(() => seen.some(([what]) => what === 'look'), 'a look');
    watch.end();
    port1.close();
    assert.equal(seen[0][0], 'message');
    assert.ok(seen[1][1] <= seen[0][1], 'nothing is said of the time since');
  });

  it('ends after some looks that found nothing to do, and at once when it is over', async () => {
    let looks = 0;
    const watch = new Watch(() => ++looks < 3);
    watch.begin();
    watch.rest(true);
    await until(() => looks > 40, 'the last look');
    const before = looks;
    watch.rest(false);
    watch.end();
    await turn();
    await turn();
    assert.equal(looks, before);
  });
});

for (const where of ['process', 'thread']) {
  it(`calls in a ${where} are not sent twice for the time in which home could not read their answers`, async function () {
    this.timeout(20_000);
    const on = new TestSet(where);
    const folder = fs.mkdtempSync(path.join(os.tmpdir(), 'ignis-watch-'));
    let tries = 0;
    try {
      await on.set.resize(2);
      const hasRoom = async () => {
        const calls = Array.from({ length: 8 }, (_, index) => on.callPure('add', index, 1));
        const isTaken = on.set.queued === 0;
        await Promise.all(calls);
        return isTaken;
      };
      await until(hasRoom, 'room for several calls in each');
      // On a busy machine they may all have run before this thread has its turn.
      const begin = async () => {
        const file = path.join(folder, String((tries += 1)));
        fs.writeFileSync(file, '');
        const calls = Array.from({ length: 8 }, (_, index) => on.start('spinAndTell', [10, index, file], { canRerun: true, hedgeMs: 200 }));
        await turn();
        if (on.set.replicas.some(({ ahead }) => ahead > 1)) return calls;
        await Promise.all(calls.map(({ result }) => result));
        return null;
      };
      const started = await until(begin, 'calls that wait behind others');
      // Long enough that they are late, and until all answers are there.
      do block(500);
      while (fs.statSync(path.join(folder, String(tries))).size < 8);
      assert.deepEqual(await Promise.all(started.map(({ result }) => result)), [0, 1, 2, 3, 4, 5, 6, 7]);
      assert.ok(started.every(({ call }) => !call.isHedged));
    } finally {
      await on.close();
      fs.rmSync(folder, { recursive: true });
    }
  });
}
