'use strict';

// Decisions about modules whose replicas run on other hosts: what the hosts have idle counts, not what home has.

const assert = require('node:assert/strict');
const { Coordinator } = require('../../lib/rank/coordinator');
const { measuredModule } = require('../../lib/rank/measured');
const { measuredFromReport } = require('../../lib/rank/measured-report');
const { modelOf, predict } = require('../../lib/rank/prediction');
const { prospectsOf } = require('../../lib/rank/prospects');
const { whatIf } = require('../../lib/rank/what-if');
const { machinesOf, reachOf } = require('../../lib/rank/hosts');
const { coresFor, roomFor } = require('../../lib/rank/placement');

/** A module that keeps a full loop busy with calls of 2 ms, none of them long. */
const busy = (changes) => ({
  boundary: './a.js -> uri',
  module: 'uri',
  parent: { name: './a.js' },
  child: { name: 'uri', kind: 'package' },
  calls: 460,
  callsPerSecond: 460,
  exclusiveMs: 920,
  inclusiveMs: 920,
  blockingMs: 920,
  share: 0.92,
  meanMs: 2,
  maxMs: 9,
  pending: 0,
  completions: 0,
  latencyMs: 0,
  inTurn: 0,
  kinds: { parse: 'sync' },
  hottest: 'parse',
  quantiles: [],
  windowMs: 1000,
  samples: 460,
  bytes: 100,
  values: 10,
  ...changes,
});

const offer = (name, changes) => ({ name, cpus: 4, free: 3, room: 4, own: 0, speed: 1, roundTripMs: 0.3, weight: 1, ...changes });
const both = (changes) => ({ named: 2, awaited: 0, offers: [offer('host1', changes), offer('host2', changes)] });
const setOf = (hosts, changes) => ({
  ...{
    module: 'uri',
    ready: 0,
    starting: 0,
    wanted: 0,
    pending: 0,
    queued: 0,
    callsPerSecond: 0,
    busyMsPerSecond: 0,
    callOverheadMs: null,
    startMs: 60,
  },
  ...(hosts === undefined ? {} : { hosts }),
  ...changes,
});

/** Ticks until it no longer only asks. @returns {import('../../lib/rank/decision').Decision[]} of the last round */
function decided({ readings = [busy()], sets, freeCores = 0, utilisation = 0.95, copies = [0, 8], cpus = 2, ticks = 1 }) {
  let time = 1000;
  const immediates = [];
  const coordinator = new Coordinator({
    options: { tickMs: 100, cpus, poolThreads: 4, windowMs: 1000, reclaimMs: 5000 },
    now: () => time,
    clock: () => 0,
    timers: {
      setInterval: () => ({}),
      clearInterval: () => {},
      setImmediate: (run) => void immediates.push(run),
      clearImmediate: () => {},
    },
    sources: {
      readings: () => readings,
      loop: () => ({ utilisation, delayMs: 0, longestMs: 0, windowMs: 1000 }),
      sets: () => sets,
      permission: () => ({ allowed: true, copies }),
      freeCores: () => freeCores,
    },
    effects: { resize: () => {} },
  });
  let round = [];
  for (let tick = 0; tick < ticks; tick++) {
    round = coordinator.tick();
    for (const run of immediates.splice(0)) run();
    time += 100;
  }
  const latest = round.map(({ module }) => coordinator.latest(module));
  return Object.assign(latest, { busiest: coordinator.busiest.best });
}

describe('a module whose replicas run on other hosts', () => {
  it('leaves a home whose cores are all busy for hosts that have idle ones', () => {
    const [{ to, reason, sentence }] = decided({ sets: [setOf(both())], freeCores: 0 });
    assert.deepEqual([to > 0, reason], [true, 'pressure'], sentence);
    assert.match(sentence, /: start \d on 2 hosts with 6\.0 idle cores; expected:/);
    assert.equal(decided({ sets: [setOf(undefined)], freeCores: 0 })[0].reason, 'no-core', 'on this machine');
  });

  it('stays at an idle home when its hosts are busy, and says of each what it has', () => {
    const hosts = { named: 2, awaited: 0, offers: [offer('host1', { free: 0.1 }), offer('host2', { free: 3, room: 0 })] };
    const [{ to, reason, sentence }] = decided({ sets: [setOf(hosts)], freeCores: 8, cpus: 16 });
    assert.deepEqual([to, reason], [0, 'no-core']);
    assert.match(
      sentence,
      /none of its hosts has an idle core \(host1 has 0\.1 of 4 cores idle; host2 has 3\.0 of 4 cores idle, and it takes no more replicas\)/,
    );
    assert.ok(decided({ sets: [setOf(undefined)], freeCores: 8, cpus: 16 })[0].to > 0, 'on this machine');
  });

  it('does not add up scraps: a tenth of a core on each of five hosts is none', () => {
    const offers = [1, 2, 3, 4, 5].map((n) => offer(`host${n}`, { free: 0.1 }));
    const [{ reason, sentence }] = decided({ sets: [setOf({ named: 5, awaited: 0, offers })] });
    assert.equal(reason, 'no-core');
    assert.match(sentence, /and 2 hosts more/);
  });

  it('is relieved of long calls even by hosts without an idle core, as by a home without one', () => {
    const readings = [busy({ calls: 4, samples: 4, callsPerSecond: 4, meanMs: 230, maxMs: 300 })];
    const [{ to, reason, sentence }] = decided({ readings, sets: [setOf(both({ free: 0 }))] });
    assert.deepEqual([to > 0, reason], [true, 'pressure'], sentence);
    assert.match(sentence, /on 2 hosts without an idle core/);
  });

  it('starts no more than its hosts take, spare lanes too', () => {
    const readings = [busy({ calls: 4, samples: 9, callsPerSecond: 4, meanMs: 20, maxMs: 300 })];
    const sets = [setOf({ named: 1, awaited: 0, offers: [offer('host1', { room: 1 })] })];
    assert.deepEqual(
      [decided({ readings, sets })[0].to, decided({ readings, sets: [setOf(undefined)], freeCores: 8, cpus: 16 })[0].to > 1],
      [1, true],
    );
    const full = decided({ readings, sets: [setOf(both({ room: 0 }))] })[0];
    assert.equal(full.reason, 'no-room');
    assert.match(full.sentence, /none of its hosts can take another replica: host1 has/);
  });

  it('starts what its recipe asks for at least, whatever its hosts have', () => {
    const [{ to, reason }] = decided({ sets: [setOf(both({ free: 0 }))], copies: [2, 8] });
    assert.deepEqual([to, reason], [2, 'minimum']);
  });

  const short = {
    calls: 4000,
    callsPerSecond: 4000,
    samples: 4000,
    exclusiveMs: 800,
    share: 0.8,
    meanMs: 0.2,
    maxMs: 1,
    bytes: 0,
    values: 0,
  };
  it('stays at home with calls of 0.2 ms when its host is slow and far', () => {
    const far = { named: 1, awaited: 0, offers: [offer('far', { speed: 0.5, roundTripMs: 60 })] };
    const [{ to, reason, sentence }] = decided({ readings: [busy(short)], utilisation: 0.85, sets: [setOf(far)], freeCores: 2 });
    assert.deepEqual([to, reason], [0, 'no-promise']);
    assert.match(sentence, /with a p99 of \d+ ms instead of .*: nothing to gain/);
    const near = { named: 1, awaited: 0, offers: [offer('near')] };
    assert.ok(decided({ readings: [busy(short)], utilisation: 0.85, sets: [setOf(near)] })[0].to > 0, 'a near one as fast as home');
  });

  it('waits for the word of a host that said nothing lately, and starts nothing on an old one', () => {
    const [{ to, reason, sentence }] = decided({ sets: [setOf({ named: 2, awaited: 1, offers: [] })], freeCores: 2 });
    assert.deepEqual([to, reason], [0, 'no-word']);
    assert.match(sentence, /waiting to hear how many cores its 2 hosts have idle/);
    const cluster = decided({ sets: [setOf({ named: 0, awaited: 1, offers: [] })] })[0];
    assert.match(cluster.sentence, /waiting to hear how many cores the hosts of its cluster have idle/);
  });

  it('tries where none answers: the start says why', () => {
    const [{ to, reason, sentence, figures }] = decided({ sets: [setOf({ named: 2, awaited: 0, offers: [] })] });
    assert.deepEqual([to > 0, reason], [true, 'pressure'], sentence);
    assert.match(sentence, /on a host, if one can be found: none has said how many cores it has idle/);
    assert.match(
      figures.predictedFrom,
      /none of the hosts of uri has said what it has: taken to be one processor, as fast as one of home, at no distance/,
    );
  });

  it('keeps its replicas, and gets no more, when one of its hosts vanishes and the other is full', () => {
    const hosts = { named: 2, awaited: 0, offers: [offer('host1', { free: 0, own: 2, cpus: 2 })] };
    const sets = [setOf(hosts, { ready: 2, wanted: 2, pending: 40, callsPerSecond: 900, busyMsPerSecond: 1990, callOverheadMs: 0.03 })];
    const [{ to, reason, sentence }] = decided({ readings: [], sets, freeCores: 8, cpus: 16, ticks: 30 });
    assert.deepEqual([to, reason], [2, 'plateau']);
    assert.match(sentence, /its hosts have no place for more: host1 has 0\.0 of 2 cores idle/);
    const silent = decided({
      readings: [],
      sets: [{ ...sets[0], hosts: { named: 2, awaited: 2, offers: [] } }],
      freeCores: 8,
      cpus: 16,
      ticks: 30,
    });
    assert.deepEqual([silent[0].to, silent[0].reason], [2, 'plateau']);
    assert.match(silent[0].sentence, /its hosts have said nothing lately/);
  });

  it('gets more of a host with idle cores while home has none', () => {
    const hosts = { named: 1, awaited: 0, offers: [offer('host1', { free: 2, own: 2 })] };
    const sets = [setOf(hosts, { ready: 2, wanted: 2, pending: 40, callsPerSecond: 900, busyMsPerSecond: 1990, callOverheadMs: 0.03 })];
    const [{ to, reason, sentence }] = decided({ readings: [], sets, freeCores: 0, utilisation: 0.3 });
    assert.deepEqual([to > 2, reason], [true, 'busy'], sentence);
    assert.match(sentence, /from 2 to \d on 1 host with 2\.0 idle cores/);
  });

  it('takes no cores from modules whose replicas run at home', () => {
    const other = busy({ module: 'marked', boundary: './a.js -> marked', child: { name: 'marked', kind: 'package' } });
    const away = setOf(both(), { ready: 4, wanted: 4, callsPerSecond: 1900, busyMsPerSecond: 3900, callOverheadMs: 0.03 });
    const round = decided({
      readings: [other],
      sets: [away, { ...setOf(undefined), module: 'marked' }],
      freeCores: 2,
      cpus: 4,
      copies: [0, 4],
    });
    const marked = round.find(({ module }) => module === 'marked');
    assert.deepEqual([marked.figures.cores, marked.reason], [4, 'pressure'], marked.sentence);
    assert.ok(marked.to > 0);
    const loop = { utilisation: 0.5 };
    assert.equal(coresFor(1, loop, [away]), 1.5, 'of home, what the loop has and what is idle');
    assert.equal(roomFor('marked', 1.5, { demands: new Map(), sets: new Map([['uri', away]]), loop }), 1);
  });
});

describe('what hosts have', () => {
  it('counts whole cores, of hosts that take a replica', () => {
    const { cores, idle, idleOn, room, cpus } = reachOf(
      { named: 3, awaited: 1, offers: [offer('a', { free: 1.2 }), offer('b', { free: 2, room: 1 })] },
      1,
    );
    assert.deepEqual([cores, idle, idleOn, room, cpus], [4, 2.2, 2, 5, 8]);
  });

  it('is no more than there are processors, though facts are a second old', () => {
    assert.equal(reachOf({ named: 1, awaited: 0, offers: [offer('a', { cpus: 2, free: 2 })] }, 2).cores, 2);
  });

  it('are machines of a simulation, without those that are full', () => {
    const hosts = { named: 3, awaited: 0, offers: [offer('a', { free: 1, own: 2 }), offer('b', { free: 0.1 }), offer('c', { room: 0 })] };
    assert.deepEqual(machinesOf(setOf(hosts, { ready: 2, busyMsPerSecond: 1000 })), [
      { name: 'a', cores: 2, speed: 1, roundTripMs: 0.3, weight: 1 },
    ]);
    assert.equal(machinesOf(setOf(undefined)), null);
  });
});

describe('predictions for replicas on other hosts', () => {
  const measuredOf = (hosts, changes) => ({
    ...{
      from: 'a test',
      at: '2026-01-01T00:00:00.000Z',
      windowMs: 1000,
      utilisation: 0.9,
      ownShare: 0,
      runDelay: 0,
      deaf: 0,
      cores: 1,
      poolThreads: 4,
    },
    modules: [measuredModule('uri', { callsPerSecond: 85, share: 0.85, callMs: 0.1, hosts, ...changes })],
  });
  const machine = (changes) => ({ name: 'host1', cores: 4, speed: 1, roundTripMs: 0, weight: 1, ...changes });
  const answersOf = (measured, replicas) => {
    const { model, source } = modelOf(measured);
    return { answers: predict({ model, module: 'uri', replicas, source, calls: 4000 }), ...source };
  };

  it('share no core with home', () => {
    const one = answersOf(measuredOf([machine()]), [2]).answers[0];
    const here = answersOf(measuredOf(null), [2]).answers[0];
    assert.ok(one.p99Ms < here.p99Ms / 2, `${one.p99Ms} there, ${here.p99Ms} on the only core of home`);
  });

  it('take as long as their host is slow, and travel', () => {
    const lone = (changes) =>
      answersOf({ ...measuredOf([machine(changes)], { callsPerSecond: 1, share: 0.01 }), utilisation: 0.01 }, [1]).answers[0].p50Ms;
    // Calls are exponential around 10 ms, and the same in each simulation.
    const plain = lone({});
    assert.ok(Math.abs(lone({ roundTripMs: 50 }) - plain - 50) < 1, 'a journey of 25 ms each way');
    assert.ok(Math.abs(lone({ speed: 0.5 }) / plain - 2) < 0.1, 'half as fast');
  });

  it('count what replicas took at the speed of their host', () => {
    const away = { ready: 2, share: 0, busyMsPerSecond: 850 };
    const { model } = modelOf(measuredOf([machine({ speed: 2 })], away));
    assert.equal(model.modules[0].serviceMs.meanMs, 20, 'as long as home would take');
  });

  it('spread over hosts by weight, and wait for the cores of each', () => {
    const hosts = [machine({ cores: 1 }), machine({ name: 'host2', cores: 1 })];
    const closed = answersOf(measuredOf(hosts, { share: 0.95 }), [2, 4]).answers;
    assert.ok(closed[1].callsPerSecond < closed[0].callsPerSecond * 1.1, 'four replicas have the two cores that two had');
  });

  it('say which host is how fast and how far, and what of that is assumed', () => {
    const { measured, assumed } = answersOf(measuredOf([machine({ speed: 1.5, roundTripMs: 0.4 })]), [1]);
    assert.ok(
      measured.some((one) =>
        /replicas of uri run on host1 \(4\.0 processors, 1\.50 times as fast as those of home, 0\.4 ms there and back\)/.test(one),
      ),
    );
    assert.ok(assumed.some((one) => /travels as long as a question to the daemon/.test(one)));
  });

  it('stand in reports, and do not claim the cores of home there', async () => {
    const { busiest } = decided({ sets: [setOf(both({ cpus: 3, free: 3 }))] });
    const report = { busiest, cpus: 1 };
    assert.deepEqual(measuredFromReport(report, 'a test').modules[0].hosts, machinesOf(setOf(both({ cpus: 3, free: 3 }))));
    assert.equal(prospectsOf(busiest, 1)[0].answers.length, 5, 'up to 4, though home has a single core');
    assert.equal((await whatIf(report)).answers.length, 7, 'up to the 6 cores of its hosts');
  });

  for (const [what, hosted] of [
    ['that is no list', 5],
    ['without a module', [{ hosts: [] }]],
    ['without hosts', [{ module: 'uri' }]],
    ['of a host without a name', [{ module: 'uri', hosts: [{ ...machine(), name: '' }] }]],
    ['of a host that stands still', [{ module: 'uri', hosts: [machine({ speed: 0 })] }]],
  ])
    it(`refuses a report with hosts ${what}`, () => {
      const { busiest } = decided({ sets: [setOf(both())] });
      assert.throws(() => measuredFromReport({ busiest: { ...busiest, hosted }, cpus: 1 }, 'a test'), { code: 'IGNIS_BAD_OPTION' });
    });
});
