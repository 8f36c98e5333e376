'use strict';

const assert = require('node:assert/strict');
const { PastTickets } = require('../../lib/host/past-tickets');

/** @param {number} n */
const ticket = (n) => Buffer.from(n.toString(16).padStart(32, '0'), 'hex');

describe('PastTickets', () => {
  it('knows those that were noted, and no other', () => {
    const past = new PastTickets();
    past.note(ticket(1));
    assert.deepEqual([past.has(ticket(1)), past.has(ticket(2))], [true, false]);
  });

  it('forgets the oldest when there are too many', () => {
    const past = new PastTickets();
    for (let n = 0; n < 10_001; n++) past.note(ticket(n));
    assert.deepEqual([past.has(ticket(0)), past.has(ticket(1)), past.has(ticket(10_000))], [false, true, true]);
  });
});
