'use strict';

// How much may be on its way to a replica, by what replicas of its module have reported.

const assert = require('node:assert/strict');
const { Members } = require('../../lib/spawn/members');
const { Pace, WARY_MS } = require('../../lib/spawn/pace');

const SHORTS = { calls: 1000, busyMs: 10, longestMs: 0.1, activeMs: 12, idleMs: 38, waitedMs: 0 };
/** A report of one call alone that took so long. @param {number} ms */
const one = (ms) => ({ calls: 1, busyMs: ms, longestMs: ms, activeMs: ms, idleMs: 0, waitedMs: 0 });

describe('how much may be on its way to a replica', () => {
  it('is one call for a while after a long one, also when that was reported alone', () => {
    const pace = new Pace();
    pace.note(SHORTS, 0);
    const many = pace.window(0);
    assert.ok(many > 100, `${many} short calls`);
    pace.note(one(300), 1000);
    assert.equal(pace.window(1000), 1);
    assert.equal(pace.window(999 + WARY_MS), 1);
    assert.equal(pace.window(1000 + WARY_MS), many);
  });

  it('is not less after a call that is alone and short, nor after one that is as long as all others', () => {
    const pace = new Pace();
    pace.note(SHORTS, 0);
    const many = pace.window(0);
    pace.note(one(15), 1000);
    assert.equal(pace.window(1000), many);
    const slow = new Pace();
    for (let now = 0; now < 5000; now += 300) slow.note(one(300), now);
    slow.note(SHORTS, 5000);
    assert.equal(slow.window(5000), many);
  });

  it('is one call for each replica of a module when one of them has met a long one', () => {
    const members = new Members();
    const replicas = [0, 1, 2].map(() => /** @type {any} */ ({ pace: new Pace() }));
    const [first, second, late] = replicas;
    members.enter(first);
    members.enter(second);
    for (const { pace } of replicas) pace.note(SHORTS, 0);
    first.pace.note({ ...SHORTS, busyMs: 310, longestMs: 300 }, 1000);
    members.enter(late);
    assert.deepEqual(
      replicas.map(({ pace }) => pace.window(1000)),
      [1, 1, 1],
    );
    assert.ok(second.pace.window(1000 + WARY_MS) > 100);
    assert.deepEqual(members.ready, replicas);
  });
});
