'use strict';

// The engine of predictions, held to what queueing theory knows exactly.

const assert = require('node:assert/strict');
const { simulate } = require('../../lib/rank/simulation');
const { loadOf, placesOf } = require('../../lib/rank/model');
const { Agenda } = require('../../lib/rank/agenda');

const MEAN = 10;

/** Exponential service, as a list of times that are equally likely; its mean is within a thousandth of `mean`. */
const exponential = (mean, steps = 2000) => Array.from({ length: steps }, (_, at) => -mean * Math.log(1 - (at + 0.5) / steps));

const near = (actual, expected, part, what) =>
  assert.ok(Math.abs(actual - expected) <= part * Math.abs(expected), `${what}: ${actual}, in theory ${expected}`);

const one = (changes, { cores = 64, calls = 100_000, seed, ...rest } = {}) =>
  simulate({ cores, ...rest, modules: [{ module: 'm', arrivals: { perSecond: 70 }, serviceMs: MEAN, ...changes }] }, { calls, seed });

/** Erlang's C: the part of calls that wait at c servers with a load of a. */
function erlangC(c, a) {
  let inverse = 1;
  for (let k = 1; k <= c; k++) inverse = 1 + (inverse * k) / a;
  const blocked = 1 / inverse;
  return blocked / (1 - (a / c) * (1 - blocked));
}

describe('the simulation', function () {
  this.timeout(60_000);

  for (const load of [0.3, 0.7, 0.9]) {
    it(`waits as an M/M/1 queue does at a load of ${load} (Pollaczek and Khinchine)`, () => {
      const calls = load > 0.8 ? 600_000 : 100_000;
      const { meanMs, p50Ms, p99Ms, loopShare } = one({ arrivals: { perSecond: load * 100 }, serviceMs: exponential(MEAN) }, { calls });
      const mean = MEAN / (1 - load);
      // At 0.9 a long queue is remembered so long that 600,000 calls give the mean within some 3 % only.
      const part = load > 0.8 ? 0.07 : 0.04;
      near(meanMs, mean, part, 'mean');
      near(p50Ms, mean * Math.LN2, part, 'p50');
      near(p99Ms, mean * Math.log(100), 1.5 * part, 'p99');
      near(loopShare, load, 0.02, 'utilisation law');
    });

    it(`waits as an M/D/1 queue does at a load of ${load}`, () => {
      const { meanMs } = one({ arrivals: { perSecond: load * 100 } }, { calls: load > 0.8 ? 400_000 : 100_000 });
      near(meanMs, MEAN + (load * MEAN) / (2 * (1 - load)), 0.04, 'mean');
    });
  }

  it('answers as many calls as come, where all are answered, however few are looked at; else as many as it can', () => {
    for (const seed of [1, 2, 3, 4, 5]) {
      assert.equal(one({ arrivals: { perSecond: 70 } }, { calls: 60, seed }).callsPerSecond, 70);
      near(one({ arrivals: { perSecond: 300 } }, { calls: 300, seed }).callsPerSecond, 100, 0.01, 'capacity');
    }
    const two = simulate(
      { cores: 8, modules: [20, 30].map((perSecond, index) => ({ module: `m${index}`, arrivals: { perSecond }, serviceMs: 1 })) },
      { calls: 50 },
    );
    assert.deepEqual([two.callsPerSecond, ...two.modules.map(({ callsPerSecond }) => callsPerSecond)], [50, 20, 30]);
  });

  it('waits as an M/G/1 queue does with a heavy tail given as quantiles and a mean', () => {
    // 1 % of 100 ms, the rest 1 ms: the mean is 1.99, the second moment 101 (up to where in its segment the step stands).
    const fractions = [0, 0.5, 0.98, 0.995, 1];
    const serviceMs = { fractions, ms: [1, 1, 1, 100, 100], meanMs: 0.99 * 1 + 0.01 * 100 };
    const perSecond = 250;
    const { meanMs, loopShare } = one({ arrivals: { perSecond }, serviceMs }, { calls: 600_000 });
    const second = 0.99 * 1 + 0.01 * 1e4;
    near(loopShare, 0.4975, 0.03, 'load');
    near(meanMs, 1.99 + ((perSecond / 1000) * second) / (2 * (1 - 0.4975)), 0.08, 'mean');
  });

  it('waits as an M^X/M/1 queue does when calls come eight at a time', () => {
    const { meanMs } = one({ arrivals: { perSecond: 50, burst: 8 }, serviceMs: exponential(MEAN) }, { calls: 400_000 });
    near(meanMs, (MEAN * (8 + 1)) / 2 / (1 - 0.5), 0.05, 'mean');
  });

  for (const [replicas, load] of [
    [1, 0.6],
    [2, 0.8],
    [4, 0.8],
  ]) {
    it(`is between least-pending lines and one line for ${replicas} replicas at ${load} (Erlang's C is the bound)`, () => {
      const perSecond = replicas * load * 100;
      const { meanMs, replicaShare, loopShare } = one(
        { arrivals: { perSecond }, serviceMs: exponential(MEAN), replicas },
        { calls: 300_000 },
      );
      const mmc = MEAN + (erlangC(replicas, replicas * load) * MEAN) / (replicas * (1 - load));
      // Who joins the shortest line waits a little longer than in one line for all (Nelson and Philips 1989: some 10 to 20 %).
      if (replicas === 1) near(meanMs, mmc, 0.04, 'mean');
      else assert.ok(meanMs > 0.98 * mmc && meanMs < 1.25 * mmc, `${meanMs}, with one line ${mmc}`);
      near(replicaShare, load, 0.02, 'utilisation law');
      assert.equal(loopShare, 0);
    });
  }

  it("waits as an M/M/c queue does in libuv's pool (Erlang's C)", () => {
    const { meanMs, loopShare } = one({ arrivals: { perSecond: 320 }, serviceMs: exponential(MEAN), isLater: true }, { calls: 300_000 });
    near(meanMs, MEAN + (erlangC(4, 3.2) * MEAN) / (4 * 0.2), 0.04, 'mean');
    assert.equal(loopShare, 0);
  });

  it("holds to Little's law, at home and away", () => {
    for (const replicas of [0, 2]) {
      const { modules } = one({ replicas, callMs: 2, arrivals: { perSecond: 80 }, serviceMs: exponential(MEAN) });
      const [{ pending, callsPerSecond, meanMs }] = modules;
      near(pending, (callsPerSecond * meanMs) / 1000, 0.02, `pending with ${replicas}`);
    }
  });

  it('answers a closed network with one server as exact mean value analysis does', () => {
    const thinkMs = 50;
    for (const clients of [1, 4, 12]) {
      let waiting = 0;
      let meanMs = 0;
      let throughput = 0;
      for (let n = 1; n <= clients; n++) {
        meanMs = MEAN * (1 + waiting);
        throughput = n / (meanMs + thinkMs);
        waiting = throughput * meanMs;
      }
      const answer = one({ arrivals: { clients, thinkMs }, serviceMs: exponential(MEAN) });
      near(answer.callsPerSecond, throughput * 1000, 0.03, `calls a second of ${clients}`);
      near(answer.meanMs, meanMs, 0.03, `mean of ${clients}`);
      near(answer.loopShare, throughput * MEAN, 0.03, `share of ${clients}`);
    }
  });

  it('answers the same for a crowd as for the callers of one module', () => {
    const own = one({ arrivals: { clients: 8, thinkMs: 20 } });
    const crowd = one({ arrivals: { share: 1 } }, { crowd: { clients: 8, thinkMs: 20 } });
    assert.equal(crowd.callsPerSecond, own.callsPerSecond);
    assert.equal(crowd.p99Ms, own.p99Ms);
  });

  it('keeps the proportions of a crowd, wherever its modules run', () => {
    const { modules } = simulate(
      {
        cores: 8,
        crowd: { clients: 16 },
        modules: [
          { module: 'a', arrivals: { share: 3 }, serviceMs: 1 },
          { module: 'b', arrivals: { share: 1 }, serviceMs: 20, replicas: 2 },
        ],
      },
      { calls: 40_000 },
    );
    near(modules[0].callsPerSecond / modules[1].callsPerSecond, 3, 0.03, 'proportion');
  });

  it('shares cores: two replicas on one core give what one gives, each call taking twice as long', () => {
    const on = (cores, replicas) => one({ arrivals: { clients: 2 }, replicas }, { cores, calls: 20_000 });
    near(on(1, 2).callsPerSecond, on(1, 1).callsPerSecond, 0.001, 'calls a second');
    near(on(2, 2).callsPerSecond, 200, 0.001, 'with two cores');
    near(on(1, 2).p50Ms, 20, 0.001, 'p50');
    near(on(1.5, 2).callsPerSecond, 150, 0.001, 'with one core and a half');
  });

  it('keeps one core as busy as an M/M/1 queue does, whoever has it: without a look ahead the order makes no difference to the mean', () => {
    const { meanMs } = one({ arrivals: { perSecond: 70 }, serviceMs: exponential(MEAN), replicas: 64 }, { cores: 1, calls: 200_000 });
    near(meanMs, MEAN / 0.3, 0.05, 'mean');
  });

  it('lets calls of one length wait longer than equal shares would, and less than if who came last went first', () => {
    // M/G/1 processor sharing, and foreground-background, which is for calls of one length last come, first served (Kleinrock, Queueing
    // Systems II, chapter 4).
    const load = 0.7;
    const { meanMs } = one({ arrivals: { perSecond: 100 * load }, replicas: 64 }, { cores: 1, calls: 200_000 });
    const [shared, background] = [MEAN / (1 - load), (MEAN * (1 - load / 2)) / (1 - load) ** 2];
    assert.ok(meanMs > shared && meanMs < background, `${shared} < ${meanMs} < ${background}`);
  });

  it('gives busy threads equal parts of the cores, whatever their calls are', () => {
    const threads = (calls) =>
      simulate(
        {
          cores: 2,
          modules: [
            { module: 'short', arrivals: { clients: 1 }, serviceMs: 3, replicas: 1 },
            { module: 'long', arrivals: { clients: 1 }, serviceMs: 30, replicas: 1 },
            { module: 'middle', arrivals: { clients: 1 }, serviceMs: 10, replicas: 1 },
          ],
        },
        { calls },
      );
    for (const { module, callsPerSecond } of threads(20_000).modules)
      near(callsPerSecond, 2000 / 3 / { short: 3, long: 30, middle: 10 }[module], 0.03, module);
  });

  it('lets a mostly idle loop go ahead of busy replicas', () => {
    const { modules } = simulate(
      {
        cores: 1,
        modules: [
          { module: 'quiet', arrivals: { perSecond: 20 }, serviceMs: 1 },
          { module: 'busy', arrivals: { clients: 4 }, serviceMs: 10, replicas: 4 },
        ],
      },
      { calls: 4000 },
    );
    near(modules[0].p50Ms, 1, 0.001, 'p50 of who is mostly idle');
    near(modules[1].callsPerSecond, 98, 0.02, 'calls a second of the others');
  });

  it('has the loop pay for crossings, half when a call goes and half when its answer comes', () => {
    const { loopShare, p50Ms, replicaShare } = one({ arrivals: { perSecond: 10 }, callMs: 2, replicaMs: 1, replicas: 4 });
    near(loopShare, 0.02, 0.03, 'share');
    near(replicaShare, (10 * 11) / 1000 / 4, 0.03, 'replicas');
    near(p50Ms, 13, 0.001, 'p50');
  });

  it("counts home's own work, as tasks between the calls and as work beside each call", () => {
    const answer = one(
      { arrivals: { perSecond: 20 }, besideMs: 3 },
      { home: { background: [{ arrivals: { perSecond: 100 }, serviceMs: exponential(2) }] } },
    );
    near(answer.loopShare, 20 * 0.013 + 100 * 0.002, 0.02, 'share');
    assert.equal(answer.modules.length, 1);
  });

  it('starts replicas beside the program: until they are ready, calls run at home', () => {
    const given = { arrivals: { clients: 1 }, replicas: 2, callMs: 1, startMs: 1e9 };
    assert.equal(one(given, { calls: 1000 }).p50Ms, MEAN);
    const soon = simulate({ cores: 4, modules: [{ module: 'm', serviceMs: MEAN, ...given, startMs: 100 }] }, { calls: 1000, warmUp: 0 });
    assert.equal(soon.p50Ms, MEAN + 1);
    near(soon.meanMs, (10 * MEAN + 990 * (MEAN + 1)) / 1000, 0.001, 'mean');
    // On one core the starts take their part of it.
    assert.equal(simulate({ cores: 1, modules: [{ module: 'm', serviceMs: MEAN, ...given }] }, { calls: 100 }).p50Ms, 3 * MEAN);
  });

  it('lets a replica of a module with later answers work on several calls at once', () => {
    const given = { arrivals: { clients: 8 }, isLater: true, replicas: 1 };
    near(one(given, { cores: 8, calls: 10_000 }).callsPerSecond, 400, 0.001, 'four lanes');
    near(one(given, { cores: 8, calls: 10_000, poolThreads: 8 }).callsPerSecond, 800, 0.001, 'eight lanes');
  });

  for (const [where, changes, rest] of [
    ['the loop', { arrivals: { perSecond: 150 } }, {}],
    ['the replicas', { arrivals: { perSecond: 250 }, replicas: 2 }, {}],
    ['the cores', { arrivals: { perSecond: 250 }, replicas: 8 }, { cores: 2 }],
    ['the pool', { arrivals: { perSecond: 450 }, isLater: true }, {}],
    ['the loop, by crossings alone,', { arrivals: { perSecond: 250 }, callMs: 5, replicas: 8 }, {}],
  ]) {
    it(`says that ${where} cannot follow`, () => {
      const answer = one(changes, { ...rest, calls: 2000 });
      assert.equal(answer.isSaturated, true);
      assert.ok(answer.callsPerSecond < changes.arrivals.perSecond);
    });
  }

  it('says so also where only the queue shows it', () => {
    // The loop has 0.97 to do, four replicas 0.25 each, two cores 1.97 of 2: nothing is too much by itself. But the loop is one thread, and
    // while three want to run on two cores it gets two thirds of one; what it loses then, nobody can give back.
    const model = (home) => ({
      cores: 2,
      home: { background: [{ arrivals: { perSecond: home * 1000 }, serviceMs: 1 }] },
      modules: [{ module: 'm', arrivals: { perSecond: 25 }, serviceMs: exponential(40), replicas: 4 }],
    });
    assert.ok(loadOf(model(0.97)).loop < 1 && loadOf(model(0.97)).cores < 1);
    assert.equal(simulate(model(0.97)).isSaturated, true);
    assert.equal(simulate(model(0.5)).isSaturated, false);
  });

  it('does not say so of a load that can be served, or of callers who wait for their answers', () => {
    for (let seed = 1; seed <= 20; seed++) {
      const heavy = { fractions: [0, 0.98, 0.995, 1], ms: [0.05, 0.05, 300, 300], meanMs: 3 };
      assert.equal(one({ arrivals: { perSecond: 200 }, serviceMs: heavy }, { calls: 2000, seed }).isSaturated, false, `seed ${seed}`);
      assert.equal(one({ serviceMs: exponential(MEAN) }, { calls: 2000, seed }).isSaturated, false, `seed ${seed}`);
    }
    assert.equal(one({ arrivals: { clients: 500 } }, { calls: 2000 }).isSaturated, false);
  });

  it('answers a flood with what can be served, within bounds', () => {
    const { callsPerSecond, isSaturated, events } = one({ arrivals: { perSecond: 1e9 } }, { calls: 2000 });
    near(callsPerSecond, 100, 0.01, 'calls a second');
    assert.equal(isSaturated, true);
    assert.ok(events < 20_000);
  });

  it('stops when tasks of home outnumber the calls by far, and says how many calls it saw', () => {
    const { calls, events } = one(
      { arrivals: { perSecond: 1 } },
      { calls: 2000, home: { background: [{ arrivals: { perSecond: 900 }, serviceMs: 0.1 }] } },
    );
    assert.ok(calls < 2000 && calls > 0 && events <= 60_000, `${calls} calls, ${events} events`);
  });

  for (const arrivals of [{ perSecond: 0 }, { clients: 0 }, { share: 0 }]) {
    it(`answers ${JSON.stringify(arrivals)} with nothing`, () => {
      const { calls, callsPerSecond, p99Ms, loopShare, isSaturated } = one({ arrivals }, { crowd: { clients: 4 } });
      assert.deepEqual([calls, callsPerSecond, p99Ms, loopShare, isSaturated], [0, 0, 0, 0, false]);
    });
  }

  it('ends also when nothing takes any time', () => {
    const { calls } = one({ arrivals: { clients: 3 }, serviceMs: 0 }, { calls: 1000 });
    assert.equal(calls, 1000);
  });

  it('answers the same for the same seed, and otherwise for another', () => {
    const at = (seed) => JSON.stringify(one({ serviceMs: exponential(MEAN), replicas: 2, callMs: 1 }, { calls: 2000, seed }));
    assert.equal(at(7), at(7));
    assert.notEqual(at(7), at(8));
    assert.equal(JSON.parse(at(7)).seed, 7);
  });

  it('leaves the model as it is', () => {
    const model = { cores: 2, modules: [{ module: 'm', arrivals: { perSecond: 10 }, serviceMs: [5, 1, 3], replicas: 1 }] };
    const before = structuredClone(model);
    simulate(model, { calls: 100 });
    assert.deepEqual(model, before);
  });

  const fine = { module: 'm', arrivals: { perSecond: 1 }, serviceMs: 1 };
  for (const [model, why] of [
    [null, /the model is null/],
    [{ cores: 0, modules: [fine] }, /cores is 0/],
    [{ cores: NaN, modules: [fine] }, /cores is NaN/],
    [{ cores: 1, modules: [] }, /modules is \[\]/],
    [{ cores: 1, modules: [fine], core: 2 }, /no field 'core'.*'cores'/],
    [{ cores: 1, modules: [null] }, /modules\[0\] is null/],
    [{ cores: 1, modules: [{ ...fine, module: '' }] }, /modules\[0\]\.module/],
    [{ cores: 1, modules: [{ ...fine, replica: 2 }] }, /no field 'replica'.*'replica/],
    [{ cores: 1, modules: [{ ...fine, replicas: -1 }] }, /replicas is -1/],
    [{ cores: 1, modules: [{ ...fine, replicas: 1.5 }] }, /replicas is 1\.5/],
    [{ cores: 1, modules: [{ ...fine, arrivals: {} }] }, /arrivals is \{\}/],
    [{ cores: 1, modules: [{ ...fine, arrivals: { perSecond: 1, clients: 1 } }] }, /one of/],
    [{ cores: 1, modules: [{ ...fine, arrivals: { perSecond: -1 } }] }, /perSecond is -1/],
    [{ cores: 1, modules: [{ ...fine, arrivals: { perSecond: 1, burst: 0 } }] }, /burst is 0/],
    [{ cores: 1, modules: [{ ...fine, arrivals: { share: 1 } }] }, /no crowd/],
    [{ cores: 1, modules: [{ ...fine, serviceMs: [] }] }, /serviceMs is \[\]/],
    [{ cores: 1, modules: [{ ...fine, serviceMs: [1, 'x'] }] }, /serviceMs\[1\] is 'x'/],
    [{ cores: 1, modules: [{ ...fine, serviceMs: { fractions: [0, 0.5], ms: [1, 2] } }] }, /fractions/],
    [{ cores: 1, modules: [{ ...fine, serviceMs: { fractions: [0, 1], ms: [2, 1] } }] }, /do not fall/],
    [{ cores: 1, modules: [fine], home: { background: [{ arrivals: { perSecond: 1 } }] } }, /background\[0\]\.serviceMs/],
    [{ cores: 1, modules: [fine], crowd: { clients: 0.5 } }, /crowd\.clients is 0\.5/],
    [{ cores: 1, modules: [fine], hosts: [null] }, /hosts\[0\] is null/],
    [{ cores: 1, modules: [fine], hosts: [{ name: 'a', cores: 0 }] }, /hosts\[0\]\.cores is 0/],
    [{ cores: 1, modules: [fine], hosts: [{ name: 'a', cores: 1, core: 1 }] }, /no field 'core'/],
    [{ cores: 1, modules: [fine], hosts: [{ name: 'a', cores: 1, roundTripMs: -1 }] }, /roundTripMs is -1/],
    [{ cores: 1, modules: [{ ...fine, hosts: [] }] }, /modules\[0\]\.hosts is \[\]/],
    [{ cores: 1, modules: [{ ...fine, hosts: [1] }], hosts: [{ name: 'a', cores: 1 }] }, /modules\[0\]\.hosts\[0\] is 1/],
  ]) {
    it(`refuses ${JSON.stringify(model)}`, () => {
      assert.throws(() => simulate(model), { code: 'IGNIS_BAD_OPTION', message: why });
    });
  }

  for (const settings of [{ seed: 0.5 }, { calls: 0 }, { calls: 1e9 }, { warmUp: 1 }, { warmUp: NaN }]) {
    it(`refuses ${JSON.stringify(settings)}`, () => {
      assert.throws(() => simulate({ cores: 1, modules: [fine] }, settings), { code: 'IGNIS_BAD_OPTION' });
    });
  }

  const away = (hosts, changes) =>
    simulate(
      {
        cores: 1,
        hosts,
        modules: [{ module: 'm', arrivals: { clients: 1 }, serviceMs: MEAN, hosts: hosts.map((_, at) => at), ...changes }],
      },
      { calls: 1000 },
    );

  it('takes a call to another machine and back, and computes there at the speed of that machine', () => {
    const { meanMs, p99Ms, loopShare } = away([{ name: 'a', cores: 1, speed: 2, roundTripMs: 8 }], {
      replicas: 1,
      callMs: 2,
      replicaMs: 4,
    });
    near(meanMs, 2 + 8 + (MEAN + 4) / 2, 1e-9, 'mean');
    near(p99Ms, 17, 1e-9, 'p99');
    near(loopShare, 2 / 17, 1e-3, 'only the sending is home');
  });

  it('has replicas of one machine share its cores, and home keep its own', () => {
    const both = (hosts) => away(hosts, { arrivals: { clients: 2 }, replicas: 2 }).callsPerSecond;
    near(both([{ name: 'a', cores: 1 }]), 100, 0.01, 'one core, two replicas');
    near(both([{ name: 'a', cores: 2 }]), 200, 0.01, 'two cores');
    near(both([{ name: 'a', cores: 1 }, { name: 'b', cores: 1 }]), 200, 0.01, 'a core on each of two machines'); // prettier-ignore
  });

  it('puts as many replicas on a machine as its weight says', () => {
    const model = { hosts: [{ weight: 2 }, {}, { weight: 2 }] };
    assert.deepEqual(placesOf(model, { hosts: [0, 1], replicas: 6 }), [0, 0, 1, 0, 0, 1]);
    assert.deepEqual(placesOf(model, { replicas: 6 }), [], 'at home');
  });

  it('knows when hosts cannot follow, however little home does', () => {
    const saturated = (perSecond) =>
      away([{ name: 'a', cores: 1, speed: 2 }], { arrivals: { perSecond }, replicas: 4 }).modules[0].isSaturated;
    assert.deepEqual([saturated(150), saturated(210)], [false, true]);
    const load = loadOf({
      cores: 1,
      hosts: [{ cores: 1 }],
      modules: [{ arrivals: { perSecond: 50 }, serviceMs: MEAN, replicas: 1, hosts: [0] }],
    });
    assert.deepEqual([load.cores, load.replicas], [0, [0.5]]);
  });

  it('is fast enough to be asked at every tick', () => {
    const model = (replicas) => ({
      cores: 4,
      crowd: { clients: 32 },
      modules: [{ module: 'm', arrivals: { share: 1 }, serviceMs: exponential(MEAN), callMs: 0.03, besideMs: 0.3, replicas }],
    });
    const begun = process.cpuUsage();
    let events = 0;
    for (let round = 0; round < 20; round++) for (let replicas = 0; replicas <= 4; replicas++) events += simulate(model(replicas)).events;
    const { user, system } = process.cpuUsage(begun);
    // Some 0.3 us on the machine it was written on; a bound that only a wrong algorithm exceeds.
    assert.ok((user + system) / events < 20, `${(user + system) / events} us an event`);
  });
});

describe('the agenda of a simulation', () => {
  it('gives back what was put in, the soonest first', () => {
    const agenda = new Agenda();
    const times = Array.from({ length: 500 }, (_, index) => (index * 7919) % 503);
    times.forEach((time) => agenda.add(time, time));
    const taken = times.map(() => agenda.take());
    assert.deepEqual(
      taken,
      [...times].sort((a, b) => a - b),
    );
    assert.equal(agenda.soonest, Infinity);
  });
});
