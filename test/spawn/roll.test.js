'use strict';

// Records of the replicas of a set.

const assert = require('node:assert/strict');
const { subscribe } = require('../../lib/diagnostics');
const { MOST_RECORDS, Roll } = require('../../lib/spawn/roll');

const datagrams = { sent: 3, arrived: 2, failed: 0, lost: 1, large: 0, why: '' };
const replica = (/** @type {number} */ id, /** @type {any} */ more = {}) =>
  /** @type {any} */ ({ id, where: 'process', pid: 1, startedMs: 1, calls: 1, rssBytes: null, datagrams: null, ...more });

describe('the roll of a replica set', () => {
  it('tells of each that ends what became of its datagrams, since it forgets the oldest', () => {
    /** @type {any[]} */
    const told = [];
    const end = subscribe('ignis:replica', (event) => told.push(event));
    const roll = new Roll('./m.js');
    roll.end(replica(0, { datagrams }), 'scaled in');
    for (let id = 1; id <= MOST_RECORDS; id++) roll.end(replica(id), 'scaled in');
    end();
    assert.deepEqual(told[0], { module: './m.js', event: 'ended', id: '0', pid: 1, why: 'scaled in', datagrams });
    assert.equal('datagrams' in told[1], false);
    assert.equal(roll.records([]).length, MOST_RECORDS);
    assert.equal(/** @type {any} */ (roll.records([])[0]).id, '1');
  });
});
