'use strict';

const assert = require('node:assert/strict');
const { equationOne, equationTwo, hasHeavyTail, replicasForLoad, sizeFor, sparesFor } = require('../../lib/rank/ranking');
const { roomFor, shareCores } = require('../../lib/rank/placement');

describe('rank/ranking', () => {
  for (const [pending, replicas, cpus, expected] of [
    [1, 0, 2, 1],
    [3, 1, 2, 1],
    [3, 2, 2, 0],
    [2, 2, 4, 0],
    [1, 2, 4, -1],
    [0, 0, 4, 0],
  ]) {
    it(`eq. (1) says ${expected} for ${pending} pending, ${replicas} replicas, ${cpus} cores`, () => {
      assert.equal(equationOne({ pending, replicas, cpus }), expected);
    });
  }

  for (const [waitMs, overheadMs, startMs, expected] of [
    [912, 10, 60, 1],
    [70, 10, 60, 0],
    [71, 10, 60, 1],
    [40, 10, 60, 0],
    [15, 10, 60, -1],
    [16, 10, 60, 0],
  ]) {
    it(`eq. (2) says ${expected} for ${waitMs} ms of waiting against ${overheadMs} + ${startMs} ms`, () => {
      assert.equal(equationTwo({ waitMs, overheadMs, startMs }), expected);
    });
  }

  for (const [load, expected] of [
    [0, 0],
    [0.01, 1],
    [0.7, 1],
    [0.71, 2],
    [1.4, 2],
    [2.1, 3],
    [3.5, 5],
  ]) {
    it(`a load of ${load} needs ${expected} replicas`, () => assert.equal(replicasForLoad(load), expected));
  }

  for (const [meanMs, maxMs, samples, expected] of [
    [1, 300, 1000, true],
    [300, 300, 1000, false],
    [1, 60, 1000, true],
    [1, 40, 1000, false],
    [1, 300, 3, false],
  ]) {
    it(`${samples} calls of ${meanMs} ms with one of ${maxMs} ms ${expected ? 'have' : 'have no'} heavy tail`, () => {
      assert.equal(hasHeavyTail(meanMs, maxMs, samples), expected);
    });
  }

  // The chance of n long calls and more at a time is under 1 %: of 2 with 0.148 on average, of 3 with 0.436, of 4 with 0.823.
  for (const [longLoad, base, expected, tooFew = 0] of [
    [0, 1, 2, 2],
    [0, 1, 1, 1],
    [0, 1, 2, 9],
    [0, 1, 1],
    [0.14, 1, 1],
    [0.16, 1, 2],
    [0.43, 1, 2],
    [0.44, 2, 2],
    [0.43, 2, 1],
    [5, 1, 2],
    [0.1, 4, 1],
  ]) {
    it(`${longLoad} long calls at a time want ${expected} more lanes than ${base}, where ${tooFew} were too few`, () =>
      assert.equal(sparesFor({ base, longLoad, tooFew }), expected));
  }

  it('never takes more cores than fall to the module, but spares beyond them', () => {
    assert.deepEqual(sizeFor({ load: 5, isHeavy: true, cores: 2 }), { base: 2, spares: 1 });
    assert.deepEqual(sizeFor({ load: 5, isHeavy: true, cores: 2, longLoad: 4 }), { base: 2, spares: 2 });
    assert.deepEqual(sizeFor({ load: 0.2, isHeavy: false, cores: 2 }), { base: 1, spares: 0 });
  });
});

describe('rank/placement', () => {
  const shares = (loads, cpus) => [...shareCores(new Map(Object.entries(loads)), cpus).values()];

  it('gives all cores to a module that is alone', () => assert.deepEqual(shares({ a: 0.2 }, 8), [8]));
  it('gives each module at least one core', () => assert.deepEqual(shares({ a: 3, b: 0.01, c: 0.01 }, 2), [2, 1, 1]));
  it('shares by load', () => assert.deepEqual(shares({ a: 3, b: 1 }, 8), [6, 2]));
  it('says nothing of no modules', () => assert.deepEqual(shares({}, 2), []));
  it('does not divide by a load of zero', () => assert.deepEqual(shares({ a: 0, b: 0 }, 2), [2, 2]));

  it('leaves a module the room that others do not use', () => {
    const sets = new Map([
      ['a', { busyMsPerSecond: 600 }],
      ['b', { busyMsPerSecond: 700 }],
    ]);
    const demands = new Map([['c', { share: 0.4 }]]);
    const loop = { utilisation: 0.5 };
    const room = (module) => Math.round(roomFor(module, 2, { demands, sets, loop }) * 10) / 10;
    assert.deepEqual(['a', 'b', 'c', 'd'].map(room), [0.8, 0.9, 0.6, 0.2]);
    assert.equal(roomFor('d', 1, { demands, sets, loop }), 0, 'never less than none');
  });
});
