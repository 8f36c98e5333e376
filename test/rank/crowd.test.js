'use strict';

const assert = require('node:assert/strict');
const { Crowd } = require('../../lib/rank/crowd');
const { randomFrom } = require('../../lib/rank/random');

const build = (shares, clients = 4) => new Crowd({ clients, shares, random: randomFrom(1) });
const calls = (crowd, caller, times) => Array.from({ length: times }, () => crowd.next(caller)).join('');

describe('rank/crowd', () => {
  it('has each caller call all modules in turn', () => {
    const crowd = build([5, 5]);
    for (let caller = 0; caller < 4; caller++) assert.match(calls(crowd, caller, 40), /^(01)+$|^(10)+$/);
    const starts = Array.from({ length: 64 }, () => build([5, 5], 64)).map((one, at) => one.next(at));
    assert.equal(new Set(starts).size, 2, 'not all begin with the same');
  });

  it('keeps the proportions for each of them, whatever they are, and never calls what has no share', () => {
    const crowd = build([3, 0, 1, 0.5]);
    for (let caller = 0; caller < 4; caller++) {
      const counts = [0, 0, 0, 0];
      for (const kind of calls(crowd, caller, 900)) counts[kind]++;
      assert.ok(Math.abs(counts[0] - 600) <= 2 && Math.abs(counts[2] - 200) <= 2 && counts[1] === 0, String(counts));
    }
    assert.match(calls(build([3, 1]), 0, 40), /^0{0,3}(1000)+10{0,2}$|^0{0,3}(1000)+1?$/);
  });

  it('is nobody where there is nothing to call', () => {
    assert.equal(build([0, 0]).clients, 0);
    assert.equal(build([]).clients, 0);
    assert.equal(build([1]).clients, 4);
  });
});
