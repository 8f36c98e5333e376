'use strict';

const assert = require('node:assert/strict');
const { NO_DEMAND } = require('../../lib/rank/demand');
const { measuredNow } = require('../../lib/rank/measured');
const { measuredFromReport } = require('../../lib/rank/measured-report');
const { DEFAULT_CLIENTS } = require('../../lib/rank/full');
const { modelOf, predict, smallestThatDoes } = require('../../lib/rank/prediction');
const { FRACTIONS } = require('../../lib/rank/service-time');
const { simulate } = require('../../lib/rank/simulation');

const near = (actual, expected, part, what) =>
  assert.ok(Math.abs(actual - expected) <= part * Math.abs(expected), `${what}: ${actual}, not ${expected}`);

/** Lengths of which 1 % are 300 ms, the others 0.05 ms. */
const TAIL = FRACTIONS.map((fraction) => (fraction > 0.99 ? 300 : 0.05));

const demand = (changes) => ({
  module: 'uri',
  callsPerSecond: 200,
  share: 0.61,
  pending: 0,
  latencyMs: 0,
  isLater: false,
  quantiles: TAIL,
  pressure: 0.61,
  ...changes,
});

const set = (changes) => ({
  module: 'uri',
  ready: 2,
  starting: 0,
  wanted: 2,
  pending: 0,
  queued: 0,
  callsPerSecond: 200,
  busyMsPerSecond: 610,
  callOverheadMs: 0.05,
  startMs: 40,
  ...changes,
});

const now = ({
  demands = [demand()],
  sets = [],
  utilisation = 0.75,
  lengthsOf = () => [],
  wasInPool = () => false,
  mostPendingOf = () => 0,
  cpus = 4,
  deafMs,
  ...loop
} = {}) =>
  measuredNow({
    time: Date.UTC(2026, 0, 2),
    demands: new Map(demands.map((one) => [one.module, { ...NO_DEMAND, ...one }])),
    sets: new Map(sets.map((one) => [one.module, one])),
    loop: { utilisation, ...loop },
    limits: { cpus, poolThreads: 4, windowMs: 1000 },
    atHome: { lengthsOf, wasInPool, mostPendingOf },
    deafMs,
  });

const ask = (measured, given = {}, replicas = [0, 1, 2, 3, 4]) => {
  const { model, source } = modelOf(measured, given);
  return predict({ model, source, module: model.modules[0].module, replicas, calls: 20_000 });
};

const report = (changes, busiest) => ({
  cpus: 4,
  busiest: {
    at: '2026-01-02T00:00:00.000Z',
    windowMs: 1000,
    poolThreads: 4,
    loop: { utilisation: 0.75, delayMs: 1 },
    boundaries: [
      {
        id: 'a -> uri',
        child: 'uri',
        callsPerSecond: 200,
        share: 0.61,
        meanMs: 3.05,
        pending: 0,
        latencyMs: null,
        isLater: false,
        quantiles: TAIL,
        ...changes,
      },
    ],
    replicas: [],
    ...busiest,
  },
});

describe('rank/prediction', function () {
  this.timeout(30_000);

  it('reproduces at home what was measured', () => {
    const [home] = ask(now(), {}, [0]);
    near(home.loopShare, 0.75, 0.03, 'share of the loop');
    near(home.callsPerSecond, 200, 0.03, 'calls a second');
    assert.equal(home.isSaturated, false);
    assert.ok(home.p99Ms > 300);
  });

  it('sees that replicas free the loop, and that short calls then pass the long ones', () => {
    const answers = ask(now());
    assert.deepEqual(
      answers.map(({ replicas }) => replicas),
      [0, 1, 2, 3, 4],
    );
    // What stays: home's own 140 ms a second, and 200 crossings at 0.15 ms, each alone.
    near(answers[1].loopShare, 0.14 + 200 * 0.00015, 0.05, 'share of the loop');
    near(answers[2].replicaShare, (0.61 + 200 * 0.00015) / 2, 0.06, 'share of a replica');
    assert.ok(answers[0].meanMs > answers[1].meanMs && answers[1].meanMs > 2 * answers[2].meanMs && answers[2].meanMs > answers[3].meanMs);
    for (const { p50Ms } of answers.slice(2)) assert.ok(p50Ms < 2);
  });

  it('leaves out what Ignis itself did on the loop, and says so', () => {
    const { model, source } = modelOf(now({ utilisation: 0.75, ownShare: 0.1 }));
    near(model.modules[0].besideMs, (750 - 610 - 100) / 200, 1e-6, 'work beside a call');
    assert.match(source.measured[0], /event loop busy 75 % of it, 10 % by Ignis itself, which is left out$/);
    assert.doesNotMatch(modelOf(now()).source.measured[0], /Ignis/);
  });

  it('counts no time in which a thread only waited for a core, at home and in replicas', () => {
    const other = {
      demands: [demand(), demand({ module: 'other', share: 0, pressure: 0 })],
      sets: [set({ module: 'other', busyMsPerSecond: 100 })],
    };
    const { model: home } = modelOf(now({ ...other, utilisation: 0.8, runDelay: 0.25 }), { modules: ['uri', 'other'] });
    near(home.modules[0].serviceMs.meanMs, 0.75 * 3.05, 1e-6, 'a call at home, beside replicas of another');
    near(home.modules[0].besideMs, (0.75 * (800 - 610) - 200 * 0.05) / 400, 1e-6, 'work beside it');
    near(modelOf(now({ utilisation: 0.8, runDelay: 0.25 })).model.modules[0].serviceMs.meanMs, 3.05, 1e-6, 'without them');
    const away = { demands: [demand({ share: 0, quantiles: [] })], utilisation: 0.2 };
    const { model } = modelOf(now({ ...away, sets: [set({ runDelay: 0.4 })] }));
    near(model.modules[0].besideMs, (200 - 200 * 0.05) / 200, 1e-6, 'what home does');
    const { modules } = simulate({ ...model, modules: [{ ...model.modules[0], arrivals: { perSecond: 1 } }] }, { calls: 4000 });
    near(modules[0].replicaShare, (0.6 * 3.05 + 0.05) / 2000, 0.1, 'a call in a replica');
    const replicas = [{ module: 'uri', ready: 1, callsPerSecond: 100, busyMsPerSecond: 305, runDelay: 0.4, waiting: 0, callMs: null }];
    const told = report({ share: 0.305 }, { loop: { utilisation: 0.75, ownShare: 0.1, runDelay: 0.25, delayMs: 1 }, replicas });
    const fromReport = modelOf(measuredFromReport(told, 'r.json')).model.modules[0];
    near(fromReport.serviceMs.meanMs, (0.75 * 305 + 0.6 * 305) / 200, 1e-6, 'of a report');
    assert.throws(
      () => measuredFromReport(report({}, { loop: { utilisation: 0.75, runDelay: 2, delayMs: 1 } }), 'r.json'),
      /loop.runDelay/,
    );
  });

  it('counts short calls that stay while others leave as work of home, and of the lengths those of the longest', () => {
    const few = { callsPerSecond: 2, busyMsPerSecond: 610 };
    // 198 calls of 0.05 ms at home.
    const split = { demands: [demand({ share: 0.0099 })], sets: [set(few)], utilisation: 0.1, lengthsOf: () => TAIL };
    const check = (measured, from) => {
      const [one] = measured.modules;
      assert.deepEqual([one.callsPerSecond, one.share, one.ready], [2, 0, 2], from);
      assert.ok(
        one.quantiles.every((ms, index) => ms > 0.05 || FRACTIONS[index] === 0),
        from,
      );
      near(one.quantiles[FRACTIONS.indexOf(0.5)], 300, 0.01, `half of those that leave, ${from}`);
      const { model } = modelOf(measured);
      near(model.modules[0].serviceMs.meanMs, 305, 1e-6, `a call that leaves, ${from}`);
      near(model.modules[0].besideMs, (100 - 2 * 0.05) / 2, 1e-6, `what home does beside it, ${from}`);
    };
    check(now(split), 'now');
    const replicas = [{ module: 'uri', ready: 2, ...few, runDelay: 0, waiting: 0, callMs: 0.05 }];
    const loop = { utilisation: 0.1, delayMs: 1 };
    check(measuredFromReport(report({ share: 0.0099 }, { loop, replicas }), 'r.json'), 'of a report');
    // Those that stayed were as long: the module has left in the middle of this window.
    const [both] = now({ ...split, demands: [demand({ share: 0.3 })], sets: [set({ callsPerSecond: 100, busyMsPerSecond: 300 })] }).modules;
    assert.deepEqual([both.callsPerSecond, both.share, both.quantiles], [200, 0.3, TAIL]);
  });

  it('takes callers for waiting where loop and replicas take turns on the cores', () => {
    const sets = [set({ pending: 5, busyMsPerSecond: 1500 })];
    assert.equal(modelOf(now({ sets, utilisation: 0.4, cpus: 2 })).model.crowd, undefined);
    const { model, source } = modelOf(now({ sets, utilisation: 0.6, cpus: 2 }));
    assert.equal(model.crowd.clients, 5);
    assert.match(source.assumed[0], /^the event loop and the replicas took turns on the cores, so it is not known/);
    assert.equal(modelOf(now({ sets: [set({ pending: 2, busyMsPerSecond: 1500 })], utilisation: 0.6, cpus: 2 })).model.crowd, undefined);
  });

  it('expects no more calls of a module that was left', () => {
    const [one] = now({ demands: [demand({ callsPerSecond: 30, share: 0 })], sets: [set({ isLeft: true, pending: 7 })] }).modules;
    assert.deepEqual([one.callsPerSecond, one.busyMsPerSecond, one.waiting, one.ready], [0, 0, 0, 2]);
  });

  it('keeps the measured mean, also where it lies between the quantiles', () => {
    const { model } = modelOf(now());
    assert.equal(model.modules[0].serviceMs.meanMs, 3.05);
    const { loopShare } = simulate(
      { ...model, home: {}, modules: model.modules.map((one) => ({ ...one, besideMs: 0 })) },
      { calls: 200_000 },
    );
    near(loopShare, 0.61, 0.03, 'load');
  });

  it('takes a full loop for callers who wait, so that more room means more calls', () => {
    const full = now({
      demands: [demand({ callsPerSecond: 180, share: 0.9, quantiles: FRACTIONS.map(() => 5) })],
      utilisation: 1,
      cpus: 8,
    });
    const answers = ask(full);
    near(answers[0].callsPerSecond, 180, 0.01, 'as measured');
    near(answers[0].p50Ms, (DEFAULT_CLIENTS * 1000) / 180, 0.02, 'callers one after the other');
    for (let replicas = 1; replicas <= 4; replicas++)
      near(answers[replicas].callsPerSecond, (replicas * 1000) / 5.15, 0.02, `${replicas} replicas`);
    assert.ok(answers.every(({ isSaturated }) => !isSaturated));
    const [sentence] = answers[0].source.assumed;
    assert.match(sentence, /busy 100 % of the time, so it is not known how many calls would come: 32 callers.*assumed/);
  });

  it('counts as callers of a full loop those whom each of its turns answers', () => {
    const full = (inTurn, changes) => now({ utilisation: 1, demands: [demand({ inTurn })], ...changes });
    const { model, source } = modelOf(full(14.3));
    assert.deepEqual(model.crowd, { clients: 14 });
    assert.match(source.assumed[0], /14 callers.*as many calls as a turn of the event loop answered$/);
    // One alone would leave it idle until its next call comes; of two each turn answers one.
    const few = modelOf(full(0.3));
    assert.deepEqual(few.model.crowd, { clients: 2 });
    assert.match(few.source.assumed[0], /2 callers.*as few as can keep the event loop full$/);
    const waiting = full(14, { sets: [set({ pending: 20, busyMsPerSecond: 0, callsPerSecond: 0 })] });
    assert.deepEqual(modelOf(waiting).model.crowd, { clients: 20 });
    // Several modules that one caller needs make it no more callers.
    const two = full(8, { demands: [demand({ inTurn: 8 }), demand({ module: 'other', inTurn: 8 })] });
    assert.deepEqual(modelOf(two, { modules: ['uri', 'other'] }).model.crowd, { clients: 8 });
  });

  it('does not take many calls in a turn for as many callers', () => {
    const { model, source } = modelOf(now({ utilisation: 1, demands: [demand({ inTurn: 4000 })] }));
    assert.deepEqual(model.crowd, { clients: DEFAULT_CLIENTS });
    assert.match(source.assumed[0], /32 callers.*assumed/);
  });

  it('counts all that one turn of a full loop called, and later ones answered: they began together', () => {
    const began = { inTurn: 200, callsPerSecond: 524, share: 0.41, pending: 66, completions: 266 };
    const clientsOf = (/** @type {any} */ changes, /** @type {any[]} */ sets = []) =>
      modelOf(now({ utilisation: 1, demands: [demand({ ...began, ...changes })], sets })).model.crowd?.clients;
    assert.equal(clientsOf({ latencyMs: 237 }), 200);
    // A turn lasts 381 ms: what is answered within a tenth of that waited for nothing.
    assert.equal(clientsOf({ latencyMs: 38 }), 66);
    assert.equal(clientsOf({ latencyMs: 39 }), 200);
    assert.equal(clientsOf({ latencyMs: 237, inTurn: 0 }), 124);
    const full = set({ ready: 1, busyMsPerSecond: 990, callsPerSecond: 524, pending: 40, queued: 0 });
    assert.equal(clientsOf({ latencyMs: 237 }, [full]), 40, 'those that wait for replicas are counted');
  });

  it('stops at the cores', () => {
    const full = now({ demands: [demand({ callsPerSecond: 200, share: 1, quantiles: FRACTIONS.map(() => 5) })], utilisation: 1, cpus: 2 });
    const answers = ask(full, {}, [0, 1, 2, 3, 8]);
    near(answers[4].callsPerSecond, answers[2].callsPerSecond, 0.05, 'calls a second');
    assert.equal(smallestThatDoes(answers).replicas, 2);
  });

  it('counts as callers those who wait before full replicas', () => {
    const full = now({
      demands: [demand({ share: 0 })],
      sets: [set({ busyMsPerSecond: 1980, callsPerSecond: 200, pending: 12, queued: 0 })],
      utilisation: 0.2,
    });
    const { model, source } = modelOf(full);
    assert.deepEqual(model.crowd, { clients: 12 });
    assert.match(source.assumed[0], /replicas of uri were full.*12 callers.*as many as were waiting/);
  });

  it('counts those who wait all the time, too, where replicas were there in a part of the window only', () => {
    const model = (/** @type {any} */ waits) => {
      const few = { ready: 1, busyMsPerSecond: 820, callsPerSecond: 2, pending: 4, queued: 0, ...waits };
      return modelOf(now({ demands: [demand({ share: 0 })], sets: [set(few)], utilisation: 0.2 })).model;
    };
    assert.deepEqual(model({ leastWaiting: 3 }).crowd, { clients: 4 });
    assert.equal(model({ leastWaiting: 1 }).crowd, undefined, 'one that is at work makes nobody wait');
    assert.equal(model({}).crowd, undefined);
    assert.deepEqual(model({ leastWaiting: 3, busyMsPerSecond: 500 }).crowd, { clients: 4 }, 'it has been there for half of the window');
  });

  it('takes calls in replicas to be as long as those that have been reported', () => {
    const lengthOf = (/** @type {any} */ changes) => {
      const { model } = modelOf(now({ demands: [demand({ share: 0, quantiles: [] })], sets: [set({ busyMsPerSecond: 800, ...changes })] }));
      return predict({ model, module: 'uri', replicas: [2], calls: 20_000 })[0].replicaShare;
    };
    // 200 calls a second of 4 ms and of 4.5 ms, and what a call costs beside: 0.05 ms.
    near(lengthOf({}), 0.405, 0.03, 'by how busy they were');
    near(lengthOf({ meanMs: 4.5 }), 0.455, 0.03, 'by what was served');
    near(lengthOf({ meanMs: 0 }), 0.405, 0.03, 'too few were');
  });

  it('has callers who still wait for the answer of one module call the next one only after it', () => {
    const sharesOf = (/** @type {any} */ changes, /** @type {any[]} */ sets = []) => {
      const publish = demand({
        module: 'publish',
        callsPerSecond: 535,
        calls: 294,
        completions: 236,
        isLater: true,
        inPool: 0,
        ...changes,
      });
      const own = demand({ module: 'own', callsPerSecond: 429, calls: 236, completions: 0, share: 0.3 });
      const { model } = modelOf(now({ demands: [publish, own], sets, utilisation: 1 }), { modules: ['publish', 'own'] });
      return Object.fromEntries(model.modules.map(({ module, arrivals }) => [module, Math.round(arrivals.share)]));
    };
    // 58 of them wait in the first moments: of what has been answered each has called both.
    assert.deepEqual(sharesOf({}), { publish: 429, own: 429 });
    assert.deepEqual(sharesOf({ completions: 300 }), { publish: 535, own: 429 });
    assert.deepEqual(sharesOf({ completions: 0 }), { publish: 535, own: 429 }, 'nothing is known of them yet');
    assert.deepEqual(sharesOf({ isLater: false }), { publish: 535, own: 429 });
    assert.deepEqual(sharesOf({}, [set({ module: 'publish', callsPerSecond: 535 })]), { publish: 535, own: 429 }, 'replicas take all');
  });

  it('counts a call that is in a replica once, though it is pending at home, too; and at home those who wait for what comes later', () => {
    const pending = { share: 0.4, pending: 200, latencyMs: 300, isLater: true, inPool: 0 };
    const away = now({ demands: [demand(pending)], sets: [set({ ready: 1, busyMsPerSecond: 990, pending: 150, queued: 50 })] });
    const { model } = modelOf(away);
    assert.deepEqual([model.crowd, model.modules[0].isLater], [{ clients: 200 }, undefined], 'nor does it wait for libuv');
    assert.deepEqual(modelOf(now({ utilisation: 1, demands: [demand(pending)] })).model.crowd, { clients: 200 });
    // Those who have their answers wait for the loop, too, before they call again.
    const few = { demands: [demand({ ...pending, pending: 59 })], utilisation: 1, mostPendingOf: () => 200 };
    assert.deepEqual(modelOf(now(few)).model.crowd, { clients: 200 });
    assert.equal(modelOf(now({ ...few, utilisation: 0.5 })).model.crowd, undefined);
    // At each tick it was so few, but not on average.
    const seldom = { demands: [demand({ ...pending, pending: 67, callsPerSecond: 540, latencyMs: 250 })], utilisation: 1 };
    assert.deepEqual(modelOf(now({ ...seldom, mostPendingOf: () => 69 })).model.crowd, { clients: 135 });
    // One may wait for the other.
    const two = now({ utilisation: 1, demands: [demand(pending), demand({ ...pending, module: 'other', pending: 190 })] });
    assert.deepEqual(modelOf(two, { modules: ['uri', 'other'] }).model.crowd, { clients: 200 });
  });

  it('takes a loop that is nearly full for full where many wait for each replica, at home or there', () => {
    const crowd = (/** @type {number} */ utilisation, /** @type {any} */ given) => modelOf(now({ utilisation, ...given })).model.crowd;
    const away = (/** @type {number} */ pending) => ({ sets: [set({ ready: 2, pending, busyMsPerSecond: 1000 })] });
    assert.deepEqual(crowd(0.88, away(16)), { clients: 16 });
    assert.equal(crowd(0.88, away(15)), undefined);
    assert.equal(crowd(0.84, away(16)), undefined);
    const home = (/** @type {number} */ pending) => ({ demands: [demand({ pending, isLater: true, inPool: 0 })] });
    assert.deepEqual(crowd(0.88, home(8)), { clients: 8 });
    assert.equal(crowd(0.88, home(7)), undefined);
    const { source } = modelOf(now({ utilisation: 0.88, ...away(16) }));
    assert.match(source.assumed[0], /busy 88 % of the time, and many calls waited, so it is not known .* 16 callers/);
  });

  it("has calls wait for libuv's pool in replicas where they did at home", () => {
    const given = { demands: [demand({ share: 0, latencyMs: 20 })], sets: [set({ busyMsPerSecond: 100 })] };
    assert.equal(modelOf(now({ ...given, wasInPool: () => true })).model.modules[0].isLater, true);
    assert.equal(modelOf(now({ ...given, wasInPool: () => false })).model.modules[0].isLater, undefined);
  });

  it('takes the number of callers that is given', () => {
    const { model, source } = modelOf(now(), { clients: 5 });
    assert.deepEqual(model.crowd, { clients: 5 });
    assert.match(source.assumed[0], /^5 callers.*given$/);
    const open = modelOf(now({ utilisation: 1 }), { clients: 0 });
    assert.deepEqual([open.model.crowd, open.model.modules[0].arrivals], [undefined, { perSecond: 200 }]);
  });

  it('multiplies the load, whichever way it comes', () => {
    const twice = modelOf(now(), { load: 2 });
    assert.equal(twice.model.modules[0].arrivals.perSecond, 400);
    assert.match(twice.source.assumed[0], /^2 times the load, 400 calls a second/);
    assert.equal(predict({ ...twice, module: 'uri', replicas: [0] })[0].isSaturated, true);
    assert.deepEqual(modelOf(now({ utilisation: 1 }), { load: 2 }).model.crowd, { clients: 2 * DEFAULT_CLIENTS });
  });

  it('gives what belongs to no module to the calls when it is little, and else to tasks between them', () => {
    const often = modelOf(now());
    near(often.model.modules[0].besideMs, 140 / 200, 1e-6, 'beside a call');
    assert.deepEqual(often.model.home.background, []);
    const seldom = modelOf(now({ demands: [demand({ callsPerSecond: 1, share: 0.01 })] }));
    assert.equal(seldom.model.modules[0].besideMs, 0);
    near(simulate(seldom.model, { calls: 1000 }).loopShare, 0.75, 0.05, 'share of the loop');
    assert.match(seldom.source.assumed.join('\n'), /other 740 ms a second .* tasks of 2 ms/);
  });

  it('takes all of it for tasks where no call was made in the window, though earlier ones still took time', () => {
    const late = modelOf(now({ demands: [demand({ callsPerSecond: 0, share: 0.4, pending: 3 })] }));
    assert.equal(late.model.modules[0].besideMs, 0);
    near(simulate(late.model, { calls: 1000 }).loopShare, 0.35, 0.1, 'share of the loop');
    assert.match(late.source.assumed.join('\n'), /other 350 ms a second .* tasks of 2 ms/);
  });

  it('takes mean and costs from the replicas where they are, and the shape of the lengths from home', () => {
    const away = now({
      demands: [demand({ share: 0, isLater: true, quantiles: [] })],
      sets: [set()],
      utilisation: 0.15,
      lengthsOf: () => TAIL,
    });
    const { model, source } = modelOf(away);
    const [uri] = model.modules;
    assert.deepEqual([uri.callMs, uri.replicas, uri.isLater, uri.serviceMs.meanMs], [0.05, 2, undefined, 3.05]);
    near(uri.besideMs, (150 - 200 * 0.05) / 200, 1e-6, 'beside a call');
    assert.ok(source.measured.some((line) => /remote call of uri costs home 0\.05 ms$/.test(line)));
    assert.ok(source.assumed.some((line) => /lengths that they had at home/.test(line)));
    const [home, , two] = ask(away, {}, [0, 1, 2]);
    near(home.loopShare, 0.75, 0.04, 'what home would have to do');
    near(two.replicaShare, 0.31, 0.06, 'as it is');
  });

  it('says when lengths are not known', () => {
    const { source } = modelOf(now({ demands: [demand({ share: 0, quantiles: [] })], sets: [set()] }));
    assert.ok(source.assumed.some((line) => /not known: exponential around their mean of 3 ms/.test(line)));
  });

  it("has calls of libuv's pool wait there, and says so", () => {
    const zip = demand({ module: 'node:zlib', isLater: true, callsPerSecond: 100, share: 0.01, latencyMs: 30, pending: 3, inPool: 3 });
    const { model, source } = modelOf(now({ demands: [zip], utilisation: 0.05 }));
    const [one] = model.modules;
    assert.deepEqual([one.isLater, one.serviceMs], [true, 30]);
    near(one.loopMs, 0.1, 1e-6, 'on the loop');
    assert.ok(source.assumed.some((line) => /30 ms in libuv's pool of 4 threads/.test(line)));
    const queued = modelOf(now({ demands: [{ ...zip, latencyMs: 800, pending: 80 }], utilisation: 0.05 }));
    assert.equal(queued.model.modules[0].serviceMs, 40, 'what four threads need for a hundred a second');
    assert.deepEqual(queued.model.crowd, { clients: 80 });
  });

  it('keeps modules with replicas in the question, and leaves out the others', () => {
    const measured = now({
      demands: [demand(), demand({ module: 'b', share: 0.01, pressure: 0.01 }), demand({ module: 'c', share: 0, pressure: 0.1 })],
      sets: [set({ module: 'c' })],
    });
    assert.deepEqual(
      modelOf(measured).model.modules.map(({ module, replicas }) => [module, replicas]),
      [
        ['uri', 0],
        ['c', 2],
      ],
    );
  });

  it('takes what a call costs home until that is measured: short ones share their way, long ones go alone', () => {
    const costOf = (/** @type {object} */ changes) =>
      modelOf(now({ demands: [demand({ quantiles: FRACTIONS.map(() => 1), ...changes })] })).model.modules[0].callMs;
    near(costOf({ callsPerSecond: 1e5, share: 0.5 }), 0.0306, 1e-6, '5 us');
    near(costOf({ callsPerSecond: 1000, share: 0.5 }), 0.09, 1e-6, 'half a millisecond');
    for (const callsPerSecond of [500, 5]) near(costOf({ callsPerSecond, share: 0.5 }), 0.15, 1e-6, 'alone');
    near(costOf({ callsPerSecond: 5, share: 0.5, bytes: 1e6, values: 1000 }), 1.35, 1e-6, 'with what it carries');
  });

  it('takes what came while the loop was in one call for as much as before it, where calls come by themselves', () => {
    const at = (/** @type {number} */ deafMs) => modelOf(now({ deafMs })).model.modules[0].arrivals;
    assert.deepEqual([at(0), at(200), at(900)], [{ perSecond: 200 }, { perSecond: 250 }, { perSecond: 400 }]);
    const { source } = modelOf(now({ deafMs: 200 }));
    assert.match(
      source.assumed[0],
      /^250 calls a second come at random, .* as many during the last call, which blocked the loop, as before it: assumed$/,
    );
    assert.deepEqual(modelOf(now({ deafMs: 200, utilisation: 1 })).model.modules[0].arrivals, { share: 200 });
  });

  it('hands its sources, seed and number of calls to each answer', () => {
    const [answer] = ask(now(), {}, [1]);
    assert.equal(answer.seed, 1);
    assert.equal(answer.calls, 20_000);
    assert.match(
      answer.source.measured[0],
      /^this program, a window of 1,000 ms that ended at 2026-01-02T00:00:00\.000Z: 200 calls, event loop busy 75 % of it$/,
    );
    assert.ok(
      answer.source.measured.some((line) => /calls of uri take 3 ms on average \(p50 0\.05 ms, p99 0\.05 ms, longest 300 ms\)/.test(line)),
    );
    assert.ok(answer.source.assumed.some((line) => line === 'a remote call of uri costs home 0.15 ms: assumed, not measured'));
  });

  it('answers the same question the same', () => {
    assert.deepEqual(ask(now()), ask(now()));
  });

  it('refuses a module that is not in the model', () => {
    const { model } = modelOf(now());
    assert.throws(() => predict({ model, module: 'other', replicas: [0] }), /other is not in the model/);
  });

  it('answers nothing for a program without calls', () => {
    const { model } = modelOf(now({ demands: [], utilisation: 0.9, sets: [set({ callsPerSecond: 0, busyMsPerSecond: 0 })] }));
    assert.equal(predict({ model, module: 'uri', replicas: [0] })[0].calls, 0);
  });

  it('finds the fewest replicas that do', () => {
    const answers = [50, 96, 100].map((callsPerSecond, replicas) => ({ replicas, callsPerSecond, isSaturated: false }));
    assert.equal(smallestThatDoes(answers).replicas, 1);
    assert.equal(smallestThatDoes(answers, 0.01).replicas, 2);
    assert.equal(smallestThatDoes(answers.map((one) => ({ ...one, isSaturated: one.replicas < 2 }))).replicas, 2);
    assert.equal(smallestThatDoes(answers.map((one) => ({ ...one, isSaturated: true }))).replicas, 1);
    assert.equal(smallestThatDoes([]), null);
  });
});

describe('rank/measured', () => {
  it('reads the same from a report as from the records', () => {
    assert.deepEqual(measuredFromReport(report(), 'the report r.json'), { ...now(), from: 'the report r.json' });
  });

  it('takes the calls of a turn of the loop from a report that has them', () => {
    const given = report();
    const [first] = given.busiest.boundaries;
    first.inTurn = 8;
    given.busiest.boundaries.push({ ...first, inTurn: 2 });
    assert.equal(measuredFromReport(given, 'r').modules[0].inTurn, 10);
    first.inTurn = 'x';
    assert.throws(() => measuredFromReport(given, 'r'), /boundaries\[0\]\.inTurn is not a number of at least 0/);
  });

  it('joins the edges that lead to a module', () => {
    const given = report();
    const [first] = given.busiest.boundaries;
    given.busiest.boundaries.push({ ...first, callsPerSecond: 100, share: 0.1, isLater: true, quantiles: [] });
    const [uri] = measuredFromReport(given, 'r').modules;
    assert.deepEqual([uri.callsPerSecond, uri.isLater, uri.quantiles], [300, false, TAIL]);
    near(uri.share, 0.71, 1e-9, 'share');
  });

  it('takes replicas as they were', () => {
    const replicas = [{ module: 'uri', ready: 2, callsPerSecond: 250, busyMsPerSecond: 700, waiting: 3, callMs: 0.04, startMs: null }];
    const [uri] = measuredFromReport(report({}, { replicas }), 'r').modules;
    assert.deepEqual([uri.ready, uri.callsPerSecond, uri.busyMsPerSecond, uri.waiting, uri.callMs], [2, 250, 700, 3, 0.04]);
    assert.equal(uri.leastWaiting, 0, 'a report of an older version');
    const waited = measuredFromReport(report({}, { replicas: [{ ...replicas[0], leastWaiting: 3 }] }), 'r');
    assert.equal(waited.modules[0].leastWaiting, 3);
  });

  for (const [title, given, why] of [
    ['without the field', { cpus: 2 }, /r has no busiest window, because an older version of Ignis wrote it/],
    ['of a program without calls', { cpus: 2, busiest: null }, /no call was seen/],
    ['of a program that ended at once', { cpus: 2, busiest: null, boundaries: [{ calls: 3 }] }, /ended before its calls were measured/],
    ['with nothing in it', report({}, { boundaries: [] }), /there is no call in the busiest window/],
    ['that is a number', { cpus: 2, busiest: 3 }, /was not written by Ignis/],
    ['whose share is a text', report({ share: 'x' }), /boundaries\[0\]\.share is not a number/],
    ['whose share is above 1', report({ share: 2 }), /share is not a number from 0 to 1/],
    ['whose rate is negative', report({ callsPerSecond: -1 }), /callsPerSecond is not a number of at least 0/],
    ['whose module has no name', report({ child: '' }), /child is not a text/],
    ['whose lengths fall', report({ quantiles: FRACTIONS.map((_, index) => 20 - index) }), /times that do not fall/],
    ['whose lengths are few', report({ quantiles: [1, 2] }), /list of 17 times/],
    ['without a loop', report({}, { loop: undefined }), /loop\.utilisation/],
    ['with a boundary that is none', report({}, { boundaries: [null] }), /child is not a text/],
    ['with replicas that are none', report({}, { replicas: [{ module: 'uri' }] }), /replicas\[0\]\.ready/],
    ['of a machine without cores', { ...report(), cpus: null }, /cpus is not a number/],
  ]) {
    it(`refuses a busiest window ${title}`, () => {
      assert.throws(() => measuredFromReport(given, 'r'), { code: 'IGNIS_BAD_OPTION', message: why });
    });
  }
});
