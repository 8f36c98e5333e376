'use strict';

const assert = require('node:assert/strict');
const { AsyncLocalStorage } = require('node:async_hooks');
const { atEachBeat } = require('../../lib/spawn/beats');
const { until } = require('../helpers/until');

const timeouts = () => process.getActiveResourcesInfo().filter((kind) => kind === 'Timeout').length;

describe('spawn/beats', () => {
  it('have one timer for all of one length, which holds no program, and in which all have their turn', async () => {
    const begun = process.hrtime.bigint();
    const turns = [];
    const seen = [];
    const ends = Array.from({ length: 5 }, (_, i) =>
      atEachBeat(7, () => {
        seen.push(i);
        if (i === 0) setImmediate(() => turns.push(seen.splice(0).length));
      }),
    );
    assert.equal(timeouts(), 0, 'none that holds it');
    await until(() => turns.length === 3, 'three beats');
    assert.deepEqual(turns, [5, 5, 5]);
    assert.ok(process.hrtime.bigint() - begun >= 21_000_000n);
    for (const end of ends) end();
  });

  it('end for one without the others, and with the last one for good', async () => {
    let [one, other, later] = [0, 0, 0];
    const run = () => void other++;
    const ends = [atEachBeat(3, () => one++), atEachBeat(3, run), atEachBeat(3, run)];
    await until(() => other >= 4, 'beats of the same function');
    ends[0]();
    ends[0]();
    ends[1]();
    const [before, at] = [one, other];
    await until(() => other > at + 1, 'beats of the one that is left');
    assert.equal(one, before);
    ends[2]();
    const last = other;
    const end = atEachBeat(3, () => later++);
    await until(() => later > 2, 'beats of another one');
    end();
    assert.equal(other, last);
  });

  it('are no part of the request in which they began', async () => {
    const requests = new AsyncLocalStorage();
    const stores = [];
    const end = requests.run('a request', () => atEachBeat(4, () => stores.push(requests.getStore())));
    await until(() => stores.length > 1, 'beats');
    end();
    assert.deepEqual(new Set(stores), new Set([undefined]));
  });
});
