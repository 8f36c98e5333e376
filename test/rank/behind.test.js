'use strict';

const assert = require('node:assert/strict');
const { homeWouldFollow, seeBehind } = require('../../lib/rank/behind');
const { EMPTY_MEMORY } = require('../../lib/rank/memory');

const set = (changes) => ({
  ready: 2,
  pending: 30,
  queued: 10,
  callsPerSecond: 60,
  busyMsPerSecond: 360,
  activeMsPerSecond: 1900,
  callOverheadMs: 1,
  ...changes,
});
const demand = { callsPerSecond: 90 };

describe('rank/behind', () => {
  it('remembers since when many calls have waited for long, without a break', () => {
    const first = seeBehind(EMPTY_MEMORY, set(), demand, 1000);
    assert.equal(first.behindSince, 1000);
    assert.equal(seeBehind(first, set(), demand, 2000), first);
    const others = {
      few: [set({ queued: 0, pending: 15 }), demand],
      'none for long': [set({ callsPerSecond: 200 }), { callsPerSecond: 300 }],
      'what came before is being answered': [set(), { callsPerSecond: 50 }],
      'they wait for others': [set({ activeMsPerSecond: 1700 }), demand],
      'nothing is known of what comes': [set(), null],
      'they are on their way to a host': [set({ hosts: { named: 1 } }), demand],
    };
    for (const [name, [now, comes]] of Object.entries(others)) assert.equal(seeBehind(first, now, comes, 2000).behindSince, null, name);
  });

  it('reckons how busy home would be with all that comes, by what a call takes there as far as that is known', () => {
    const given = (changes) => ({
      time: 4000,
      set: set(),
      demand,
      loop: { utilisation: 0.2 },
      costs: { callMs: 1, startMs: 60 },
      limits: { windowMs: 1000 },
      ...changes,
    });
    const loadOf = (changes, memory) => {
      const load = homeWouldFollow(given(changes), { ...EMPTY_MEMORY, behindSince: 1000, worth: 1, ...memory });
      return load === null ? null : Number(load.toFixed(2));
    };
    assert.equal(loadOf(), 0.68, '0.2 without 60 sendings of 1 ms, and 90 calls of 6 ms');
    assert.equal(loadOf({}, { worth: 0.75 }), 0.55);
    assert.equal(loadOf({}, { worth: 0.1 }), 0.41, 'no call is taken to be less than half as long at home: it may have become another');
    assert.equal(loadOf({ demand: { callsPerSecond: 150 } }), null, 'home would not follow');
    assert.equal(loadOf({}, { behindSince: 1001 }), null, 'it is not known for three windows yet');
    assert.equal(loadOf({}, { behindSince: null }), null);
    assert.equal(loadOf({}, { worth: null }), null, 'what home took is not known');
    assert.equal(loadOf({ set: set({ callsPerSecond: 0 }) }), null);
  });
});
