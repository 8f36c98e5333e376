'use strict';

const assert = require('node:assert/strict');
const { EMPTY_MEMORY } = require('../../lib/rank/memory');
const { situationsIn } = require('../../lib/rank/situations');

const LIMITS = { cpus: 4, windowMs: 1000, reclaimMs: 5000, poolThreads: 4 };
const may = (weight) => ({ allowed: true, copies: [0, 4], weight });

/** Two modules take 0.3 and 0.6 of the loop; a third one has a replica that is busy for half of the time, and was not called. */
function seen(changes) {
  return /** @type {any} */ ({
    time: 7,
    loop: { utilisation: 0.9 },
    demands: new Map([
      ['marked', { share: 0.3, pressure: 0.3 }],
      ['uri', { share: 0.6, pressure: 0.6 }],
    ]),
    sets: new Map([['pdf', { module: 'pdf', ready: 1, busyMsPerSecond: 500 }]]),
    permissions: new Map([
      ['marked', may()],
      ['uri', may()],
      ['pdf', may()],
    ]),
    free: 2,
    reach: 3.4,
    ...changes,
  });
}

describe('situations', () => {
  const orderOf = (situations) => situations.map(({ module }) => module).join(' ');

  it('are one of each module, the most pressed first, by its weight', () => {
    assert.equal(orderOf(situationsIn(seen(), LIMITS, new Map())), 'uri marked pdf');
    const permissions = new Map([...seen().permissions, ['marked', may(3)]]);
    assert.equal(orderOf(situationsIn(seen({ permissions }), LIMITS, new Map())), 'marked uri pdf');
  });

  it('say of a module what was measured of it, and null of what was not', () => {
    const [uri, , pdf] = situationsIn(seen(), LIMITS, new Map());
    assert.deepEqual([uri.demand, uri.set, uri.time], [{ share: 0.6, pressure: 0.6 }, null, 7]);
    assert.deepEqual([pdf.demand, pdf.set], [null, { module: 'pdf', ready: 1, busyMsPerSecond: 500 }]);
  });

  it('have the memory of each module, an empty one at first', () => {
    const memory = { ...EMPTY_MEMORY, lowSince: 3 };
    const [uri, marked] = situationsIn(seen(), LIMITS, new Map([['uri', memory]]));
    assert.equal(uri.memory, memory);
    assert.equal(marked.memory, EMPTY_MEMORY);
  });

  it('have cores by load, or as many as are idle beside the own ones, and room that nothing else keeps busy', () => {
    const [uri, marked, pdf] = situationsIn(seen(), LIMITS, new Map());
    assert.deepEqual([uri, marked, pdf].map(({ cores }) => cores), [2, 2, 3]); // prettier-ignore
    // Of 3.4 cores, without what the loop does for others (0.3) and what pdf keeps busy (0.5).
    assert.ok(Math.abs(uri.room - 2.6) < 1e-9, String(uri.room));
    const [unknown] = situationsIn(seen({ free: null }), LIMITS, new Map());
    assert.deepEqual([unknown.free, unknown.cores], [null, 2], 'by load alone where nobody knows what is idle');
  });
});
