'use strict';

const assert = require('node:assert/strict');
const { Newcomers, momentOf } = require('../../lib/rank/moment');
const { FRACTIONS } = require('../../lib/rank/service-time');

const LIMITS = { tickMs: 100, windowMs: 1000, poolThreads: 4 };

/** What a boundary of a module did. */
function reading(module, calls, meanMs, changes = {}) {
  const windowMs = 500;
  return {
    module,
    boundary: `./a.js -> ${module}`,
    parent: { name: './a.js' },
    child: { name: module, kind: 'package' },
    calls,
    callsPerSecond: (calls * 1000) / windowMs,
    exclusiveMs: calls * meanMs,
    blockingMs: calls * meanMs,
    share: (calls * meanMs) / windowMs,
    meanMs,
    maxMs: 20,
    pending: 0,
    completions: 0,
    latencyMs: 0,
    inTurn: 1,
    hottest: 'f',
    windowMs,
    samples: calls,
    bytes: 0,
    values: 0,
    ...changes,
  };
}

/** Modules first called so long ago; what they did since then, and in the last tick. */
function moment({ since = {}, all = [], allLoop = {}, later = all, last = [], lastLoop = {}, knownMs = 1000, lately }) {
  const asked = [];
  const loop = { utilisation: 1, delayMs: 0, longestMs: 0, windowMs: 500, ownShare: 0, runDelay: 0 };
  const round = {
    loop: { ...loop, windowMs: 1000 },
    demands: new Map(Object.entries(since).map(([module, sinceMs]) => [module, { sinceMs, maxMs: 20 }])),
    sets: new Map(),
    mark: 'the round',
  };
  const found = momentOf({
    round: /** @type {any} */ (round),
    wanting: Object.keys(since),
    limits: LIMITS,
    knownMs,
    lately:
      lately === null
        ? undefined
        : (ms, isFromFirst) => {
            asked.push([ms, isFromFirst]);
            const isLast = ms === 100;
            return /** @type {any} */ ({
              readings: isLast ? last : ms === asked[0][0] ? all : later,
              loop: { ...loop, ...(isLast ? lastLoop : allLoop) },
              sets: [{ module: 'm' }],
            });
          },
    join: (readings) => readings,
  });
  return { round, found: /** @type {any} */ (found), asked, meanOf: (module) => found.demands.get(module)?.meanMs };
}

describe('the moment that a question is about', () => {
  it('is the whole window, where nothing began within it, or there is nothing but the window', () => {
    const old = moment({ since: { m: 5000 } });
    assert.equal(old.found, old.round);
    assert.deepEqual(old.asked, []);
    const alone = moment({ since: { m: 400 }, lately: null });
    assert.equal(alone.found, alone.round);
  });

  it('begins with the last change of replicas, or with the first call of all the modules that it is about', () => {
    const all = [reading('m', 50, 5)];
    const changed = moment({ since: { m: 5000 }, knownMs: 400, all });
    assert.deepEqual(changed.asked, [[400, false]]);
    assert.equal(changed.meanOf('m'), 5);
    assert.deepEqual([...changed.found.sets.keys()], ['m']);
    assert.equal(changed.found.mark, 'the round');
    assert.deepEqual(moment({ since: { m: 300, n: 700 }, all }).asked[0], [700, true]);
    assert.deepEqual(moment({ since: { m: 300, n: 7000 }, all }).asked, []);
  });

  it('is the last tick where the calls of new modules have become shorter, and else is not', () => {
    const all = [reading('m', 40, 9)];
    const cold = { since: { m: 400 }, all, last: [reading('m', 16, 5)] };
    assert.equal(moment(cold).meanOf('m'), 5);
    for (const [why, change] of [
      ['as long as before', { last: [reading('m', 16, 8)] }],
      ['too few calls', { last: [reading('m', 7, 5)] }],
      ['no call', { last: [] }],
      ['a long call among them', { all: [reading('m', 40, 9, { maxMs: 50 })] }],
      [
        'another new module stays as it was',
        { since: { m: 400, n: 400 }, all: [...all, reading('n', 40, 9)], last: [...cold.last, reading('n', 16, 9)] },
      ],
    ])
      assert.equal(moment({ ...cold, .../** @type {any} */ (change) }).meanOf('m'), 9, String(why));
    assert.equal(moment({ ...cold, since: { m: 5000 }, knownMs: 400 }).meanOf('m'), 9, 'it is not new');
  });

  it('has calls as short as those of the last tick where the loop was idle in that, too, and all else as it was since the first call', () => {
    const cold = {
      since: { m: 400 },
      all: [reading('m', 40, 9), reading('n', 10, 5)],
      allLoop: { utilisation: 0.9 },
      last: [reading('m', 10, 4.5, { quantiles: [4, 5], maxMs: 5 }), reading('n', 2, 1)],
      lastLoop: { utilisation: 0.6 },
    };
    const { found, meanOf } = moment(cold);
    const { calls, share, exclusiveMs, quantiles, maxMs, callsPerSecond } = found.demands.get('m');
    assert.deepEqual(
      { mean: meanOf('m'), calls, share, exclusiveMs, quantiles, maxMs, callsPerSecond },
      { mean: 4.5, calls: 40, share: 0.36, exclusiveMs: 180, quantiles: [4, 5], maxMs: 5, callsPerSecond: 80 },
    );
    assert.equal(meanOf('n'), 5);
    // Of each second 0.36 s of the module's 0.72 will be idle.
    assert.equal(Number(found.loop.utilisation.toFixed(9)), 0.54);
    assert.equal(found.mark, 'the round');
  });

  it('has calls as short as those after the first tick, where these have become shorter by little', () => {
    const cold = {
      since: { m: 400 },
      all: [reading('m', 40, 9, { quantiles: [5, 20] })],
      last: [reading('m', 5, 8)],
      allLoop: { utilisation: 0.9 },
    };
    const later = (/** @type {number} */ calls, /** @type {number} */ mean) => [reading('m', calls, mean, { quantiles: [5, 6] })];
    const { found, asked } = moment({ ...cold, later: later(30, 8.9) });
    assert.deepEqual(
      asked.map(([ms]) => ms),
      [400, 100, 300],
    );
    assert.deepEqual([found.demands.get('m').meanMs, found.demands.get('m').quantiles, found.demands.get('m').calls], [8.9, [5, 6], 40]);
    assert.equal(moment({ ...cold, later: later(30, 9) }).meanOf('m'), 9, 'as long as before');
    assert.equal(moment({ ...cold, later: later(7, 5) }).meanOf('m'), 9, 'too few calls');
  });

  it('has more of these calls where the loop was full since, and all callers were at the same point in the last tick', () => {
    const all = [reading('m', 40, 9), reading('n', 20, 5)];
    const lastOf = (/** @type {number} */ calls) => [reading('m', 10, 4.5), reading('n', calls, 4.9)];
    assert.equal(moment({ since: { m: 400 }, all, last: lastOf(9) }).meanOf('n'), 4.9, 'a tick like the others');
    assert.equal(moment({ since: { m: 400 }, all, last: lastOf(11) }).meanOf('n'), 5, 'n is called more often for each call of m');
    assert.equal(moment({ since: { m: 400 }, all, last: lastOf(2) }).meanOf('n'), 5, 'or more seldom');
    const { found } = moment({ since: { m: 400 }, all, last: [reading('m', 10, 4.5)], allLoop: { ownShare: 0.1 } });
    const { share, callsPerSecond, meanMs } = found.demands.get('m');
    // 0.54 s of 0.9 are left for as much as before.
    assert.deepEqual(
      [share, callsPerSecond].map((one) => Number(one.toFixed(9))),
      [0.6, 133.333333333],
    );
    assert.equal(meanMs, 4.5);
    assert.equal(found.loop.utilisation, 1);
  });

  it('comes a little later for a module that was first called just now, unless a call of it was long', () => {
    const mean = { share: 0.75, callsPerSecond: 100, quantiles: FRACTIONS.map((part) => 15 * part) };
    const calm = { utilisation: 1, ownShare: 0.05, modules: [{ module: 'm', inTurn: 1, ...mean }] };
    const newIn = (/** @type {any} */ measured, /** @type {any[]} */ ...rounds) => {
      const newcomers = new Newcomers();
      return rounds.map(([sinceMs, maxMs = 20]) =>
        newcomers.areAmong(new Map([['m', /** @type {any} */ ({ sinceMs, maxMs })]]), ['m', 'unknown'], LIMITS, () => measured),
      );
    };
    const areNew = (/** @type {any[]} */ ...rounds) => newIn(calm, ...rounds);
    assert.deepEqual(areNew([100], [199], [200], [300]), [true, true, false, false]);
    assert.deepEqual(areNew([100, 50], [200, 50]), [false, false]);
    assert.deepEqual(areNew([5000], [undefined]), [false, false]);
    // One turn of the loop may take longer than two ticks: all of its calls are first ones.
    assert.deepEqual(areNew([272], [372]), [true, false]);
    assert.deepEqual(areNew([999], [1000]), [true, false]);
    assert.deepEqual(areNew([1000]), [false]);
    assert.equal(new Newcomers().areAmong(new Map(), ['m'], LIMITS, assert.fail), false);
    // Who waits behind a loop that Ignis itself fills is seen when it does so no more.
    const own = { ...calm, ownShare: 0.2 };
    assert.deepEqual(newIn(own, [300], [400], [999], [1000]), [true, true, true, false]);
    assert.deepEqual(newIn(own, [300], [400, 50]), [true, false]);
    assert.deepEqual(newIn({ ...own, modules: [{ module: 'm', inTurn: 2, ...mean }] }, [300], [400]), [true, false]);
    assert.deepEqual(newIn({ ...own, utilisation: 0.9 }, [300], [400]), [true, false]);
    // The engine has compiled it in the last tick: half of its calls take 5 ms, the first ones 17.
    const mixed = { ...mean, quantiles: FRACTIONS.map((part) => (part <= 0.7 ? 5 : 17)) };
    const among = (/** @type {any} */ ...modules) => ({ ...calm, modules });
    assert.deepEqual(newIn(among({ module: 'm', inTurn: 1, ...mixed }), [250], [350], [450]), [true, true, false]);
    assert.deepEqual(
      newIn(among({ module: 'm', inTurn: 1, ...mixed }), [150], [180], [250], [350]),
      [true, true, true, false],
      'looks between two ticks',
    );
    assert.deepEqual(newIn(among({ module: 'm', inTurn: 1, ...mixed }), [1000]), [false]);
    assert.deepEqual(newIn(among({ module: 'm', inTurn: 1, ...mean }, { module: 'other', inTurn: 1, ...mixed }), [250], [350]), [
      true,
      false,
    ]);
    assert.deepEqual(newIn(among({ module: 'm', inTurn: 1, ...mixed, quantiles: [] }), [250], [350]), [true, false], 'not known');
  });

  it('comes later still where the load has moved there from a module in replicas, and its calls were few or the engine compiled them last', () => {
    const lengths = (/** @type {(part: number) => number} */ of) => ({ share: 0.75, callsPerSecond: 100, quantiles: FRACTIONS.map(of) });
    const [even, mixed] = [lengths((part) => 15 * part), lengths((part) => (part <= 0.7 ? 5 : 17))];
    const newWith = (/** @type {any} */ given, /** @type {number} */ ready, /** @type {number} */ calls, other = 'other') => {
      const newcomers = new Newcomers();
      const modules = [
        { module: 'm', inTurn: 1, ready: 0, ...given },
        { module: other, inTurn: 0, ready, share: 0, callsPerSecond: 0, quantiles: [] },
      ];
      return [250, 350, 450, 550].map((sinceMs) =>
        newcomers.areAmong(
          new Map([['m', /** @type {any} */ ({ sinceMs, maxMs: 20, calls })]]),
          ['m'],
          LIMITS,
          () => /** @type {any} */ ({ utilisation: 1, ownShare: 0.05, modules }),
        ),
      );
    };
    assert.deepEqual(newWith(even, 1, 23), [true, true, false, false], 'few');
    assert.deepEqual(newWith(even, 1, 24), [true, false, false, false], 'many');
    assert.deepEqual(newWith(even, 0, 23), [true, false, false, false], 'nothing was in replicas');
    assert.deepEqual(newWith(even, 1, 23, 'm'), [true, false, false, false], 'it is itself in replicas');
    assert.deepEqual(newWith(mixed, 1, 24), [true, true, true, false]);
    assert.deepEqual(newWith(mixed, 0, 24), [true, true, false, false]);
  });
});
