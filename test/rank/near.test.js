'use strict';

// Decisions about modules whose replicas are on this machine first and then on hosts (`where: ['process', 'host']`).

const assert = require('node:assert/strict');
const { Coordinator } = require('../../lib/rank/coordinator');
const { measuredModule } = require('../../lib/rank/measured');
const { measuredFromReport } = require('../../lib/rank/measured-report');
const { placesOf } = require('../../lib/rank/model');
const { hereOf } = require('../../lib/rank/places');
const { coresFor, loadsOf, roomFor } = require('../../lib/rank/placement');
const { modelOf, predict } = require('../../lib/rank/prediction');
const { prospectsOf } = require('../../lib/rank/prospects');
const { whatIf } = require('../../lib/rank/what-if');

/** A module that keeps a full loop busy with calls of 2 ms. */
const busy = (changes) => ({
  ...{ boundary: './a.js -> uri', module: 'uri', parent: { name: './a.js' }, child: { name: 'uri', kind: 'package' } },
  ...{ calls: 460, callsPerSecond: 460, exclusiveMs: 920, inclusiveMs: 920, blockingMs: 920, share: 0.92, meanMs: 2, maxMs: 9 },
  ...{ pending: 0, completions: 0, latencyMs: 0, inTurn: 0, kinds: { parse: 'sync' }, hottest: 'parse', windowMs: 1000 },
  ...{ samples: 460, bytes: 100, values: 10, quantiles: [] },
  ...changes,
});
/** 20 a second, of 46 ms each and 60 at most: short ones wait behind them. */
const LONG = { calls: 20, callsPerSecond: 20, samples: 20, meanMs: 46, maxMs: 60 };

const offer = (name, changes) => ({ name, cpus: 4, free: 3, room: 4, own: 0, speed: 1, roundTripMs: 0.3, weight: 1, ...changes });
const hostsOf = (changes) => ({ named: 2, awaited: 0, offers: [offer('host1', changes), offer('host2', changes)] });
const UNKNOWN = { named: 2, awaited: 0, offers: [] };

/** @param {object} [hosts] @param {object} [near] of its replicas, those here @param {object} [changes] */
const setOf = (hosts, near, changes) => ({
  ...{ module: 'uri', ready: 0, starting: 0, wanted: 0, pending: 0, queued: 0, callsPerSecond: 0, busyMsPerSecond: 0 },
  ...{ callOverheadMs: null, startMs: 60 },
  ...(hosts === undefined ? {} : { hosts, near: { ready: 0, starting: 0, busyMsPerSecond: 0, ...near } }),
  ...changes,
});
/** Full replicas, so many here and on hosts. */
const full = (here, far, hosts = hostsOf()) =>
  setOf(
    hosts,
    { ready: here, busyMsPerSecond: 995 * here },
    {
      ...{ ready: here + far, wanted: here + far, pending: 40, callsPerSecond: 450 * (here + far) },
      ...{ busyMsPerSecond: 995 * (here + far), callOverheadMs: 0.03, longestMs: 9 },
    },
  );

/** @returns {import('../../lib/rank/decision').Decision[]} of the round after which it has asked, or that satisfies */
function decided({ readings = [busy()], sets, freeCores = 1, utilisation = 0.95, copies = [0, 8], cpus = 2, ticks = 1, tickMs = 100 }) {
  let time = 1000;
  const immediates = [];
  const coordinator = new Coordinator({
    options: { tickMs, cpus, poolThreads: 4, windowMs: 1000, reclaimMs: 5000 },
    now: () => time,
    clock: () => 0,
    timers: {
      ...{ setInterval: () => ({}), clearInterval: () => {}, clearImmediate: () => {} },
      setImmediate: (run) => void immediates.push(run),
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
    time += tickMs;
  }
  return Object.assign(
    round.map(({ module }) => coordinator.latest(module)),
    { busiest: coordinator.busiest.best },
  );
}

describe('a module whose replicas are here first and then on hosts', () => {
  it('starts here while this machine has a core for it, however many its hosts have', () => {
    const [{ to, reason, sentence, figures }] = decided({ sets: [setOf(hostsOf())], freeCores: 3, cpus: 4 });
    assert.deepEqual([to > 0, reason, figures.here], [true, 'pressure', to], sentence);
    assert.match(sentence, /: start \d on this machine; expected:/);
  });

  it('starts on hosts when no core is idle here, and says where', () => {
    const [{ to, reason, sentence, figures }] = decided({
      readings: [busy({ share: 0.4, calls: 200, callsPerSecond: 200, exclusiveMs: 400 })],
      sets: [setOf(hostsOf())],
      freeCores: 0,
    });
    assert.deepEqual([to > 0, reason, figures.here], [true, 'pressure', 0], sentence);
    assert.match(sentence, /: start \d on 2 hosts with 6\.0 idle cores; expected:/);
  });

  it('gets more on hosts when those here are full and no core is left', () => {
    const [{ to, reason, sentence, figures }] = decided({ readings: [], sets: [full(1, 0)], freeCores: 0, utilisation: 0.6 });
    assert.deepEqual([to > 1, reason, figures.here, figures.hereNow], [true, 'busy', 1, 1], sentence);
    assert.match(sentence, /from 1 to \d on 2 hosts with 6\.0 idle cores/);
  });

  it('gets some here and some on hosts in one step', () => {
    const [{ to, sentence, figures }] = decided({ sets: [setOf(hostsOf())], copies: [3, 3], freeCores: 1 });
    assert.deepEqual([to, figures.here], [3, 2], 'the core of the loop, which the module keeps busy, and the idle one');
    assert.match(sentence, /the recipe asks for at least 3: start 3: 2 on this machine, 1 on 2 hosts with 6\.0 idle cores$/);
  });

  it('gets none on hosts that are too far for what they bring, though they have idle cores', () => {
    const near = [full(1, 0, hostsOf({ roundTripMs: 400, speed: 0.2 }))];
    near[0].pending = 2;
    near[0].callsPerSecond = 300;
    near[0].busyMsPerSecond = near[0].near.busyMsPerSecond = 800;
    const [{ to, reason, sentence }] = decided({ readings: [], sets: near, freeCores: 0.1, utilisation: 0.6 });
    assert.deepEqual([to, reason], [1, 'no-promise'], sentence);
  });

  describe('and presses with long calls on a machine without an idle core', () => {
    // Home's own work fills the rest of the only core.
    const asked = (hosts, calls, changes) => {
      const some = { calls, callsPerSecond: calls, samples: calls, meanMs: 300 / calls, maxMs: 60, exclusiveMs: 300, share: 0.3 };
      const [decision] = decided({ readings: [busy({ ...some, ...changes })], sets: [setOf(hostsOf(hosts))], freeCores: 0, cpus: 1 });
      assert.deepEqual([decision.to > 0, decision.reason], [true, 'pressure'], decision.sentence);
      return decision;
    };
    const near = {};
    const far = { roundTripMs: 5000, speed: 0.05 };

    for (const [what, hosts, calls, changes, isHere] of [
      ['goes to hosts that are worth the journey', near, 12, {}, false],
      ['takes turns here where they are not, and some calls are so long that others need a way past them', far, 60, { maxMs: 200 }, true],
      ['takes turns here while too few calls were seen to foresee anything', near, 6, {}, true],
    ])
      it(what, () => {
        const { to, figures, sentence } = asked(hosts, calls, changes);
        assert.equal(figures.here, isHere ? to : 0, sentence);
        assert.match(sentence, isHere ? /: start \d on this machine/ : /: start \d on 2 hosts/);
      });
  });

  for (const [what, hosts] of [
    ['have not been heard of', UNKNOWN],
    ['are asked', { ...UNKNOWN, awaited: 2 }],
    ['just failed', { ...UNKNOWN, failure: 'no other host takes a replica' }],
    ['are full', hostsOf({ free: 0 })],
    ['take no more', hostsOf({ room: 0 })],
  ])
    it(`is decided on as if it had no hosts while they ${what}`, () => {
      for (const changes of [{ freeCores: 1 }, { freeCores: 0 }, { freeCores: 0, readings: [busy(LONG)] }, { freeCores: 3, cpus: 4 }]) {
        const [one] = decided({ ...changes, sets: [setOf(hosts)] });
        const [alone] = decided({ ...changes, sets: [setOf(undefined)] });
        assert.deepEqual([one.to, one.reason, one.figures.here], [alone.to, alone.reason, alone.to], one.sentence);
      }
    });

  it('gets what its recipe asks for at least here, where hosts have failed', () => {
    const [{ to, figures, sentence }] = decided({ sets: [setOf({ ...UNKNOWN, failure: 'no host' })], copies: [3, 3] });
    assert.deepEqual([to, figures.here], [3, 3]);
    assert.match(sentence, /start 3 on this machine$/);
  });

  it('says of both why there are no more', () => {
    const [{ to, reason, sentence }] = decided({ readings: [], sets: [full(2, 1, hostsOf({ free: 0 }))], freeCores: 0, ticks: 30 });
    assert.deepEqual([to, reason], [3, 'plateau'], sentence);
    assert.match(sentence, /this machine has no core left for more, and its hosts have no place for more: host1 has 0\.0 of 4 cores idle/);
    const [crowded] = decided({ sets: [setOf(hostsOf({ free: 0 }))], freeCores: 0.1 });
    assert.match(crowded.sentence, /this machine has 0\.1 cores idle, and none of its hosts has an idle core \(host1 has/);
  });

  it('gives those on hosts back first', () => {
    const set = setOf(
      hostsOf(),
      { ready: 2, busyMsPerSecond: 300 },
      { ready: 4, wanted: 4, pending: 2, callsPerSecond: 200, busyMsPerSecond: 600, callOverheadMs: 0.03, longestMs: 5 },
    );
    const [{ from, to, reason, sentence, figures }] = decided({ readings: [], sets: [set], freeCores: 1, ticks: 7, tickMs: 1000 });
    assert.deepEqual([from, to, reason, figures.here], [4, 2, 'low', 2], sentence);
    assert.match(sentence, /from 4 to 2 \(on its hosts\)$/);
    const [gone] = decided({
      readings: [],
      sets: [{ ...set, callsPerSecond: 0, busyMsPerSecond: 0 }],
      utilisation: 0,
      ticks: 7,
      tickMs: 1000,
    });
    assert.deepEqual([gone.to, gone.figures.here], [0, 0], gone.sentence);
  });

  it('takes from other modules only the cores that it has here', () => {
    const sets = new Map([['uri', full(1, 3)]]);
    const loop = { utilisation: 0.2 };
    assert.equal(coresFor(1, loop, sets.values()), 0.2 + 1 + 0.995);
    assert.equal(coresFor(1, loop, sets.values(), 1.5), 0.2 + 1 + 1.5, 'with those that start');
    assert.equal(coresFor(1, loop, sets.values(), 0.5), 0.2 + 1 + 0.995, 'not less than answers tell');
    const permissions = new Map([...sets.keys()].map((name) => [name, { allowed: true, copies: [0, 4] }]));
    assert.ok(loadsOf(new Map(), sets, permissions).size > 0);
    const left = new Map([...sets].map(([name, set]) => [name, { ...set, isLeft: true }]));
    assert.equal(loadsOf(new Map(), left, permissions).size, 0, 'what was left has a claim to no core');
    assert.equal(roomFor('marked', 2.195, { demands: new Map(), sets, loop }), 2.195 - 0.2 - 0.995);
  });
});

describe('the order of places', () => {
  for (const [what, near, counts] of [
    ['here while there is a core, then hosts, then here again', { has: 0, far: 0, most: 2, room: 3 }, [0, 1, 2, 2, 2, 2, 3, 4]],
    ['those there are stay, and those on hosts go first', { has: 1, far: 2, most: 3, room: 1 }, [0, 1, 1, 1, 2, 3, 3, 4]],
    ['hosts without room get none', { has: 1, far: 0, most: 1, room: 0 }, [0, 1, 2, 3]],
  ])
    it(what, () =>
      assert.deepEqual(
        counts.map((_, count) => hereOf(near, count)),
        counts,
      ),
    );

  it('is that of a simulation', () => {
    const hosts = [{ name: 'a', cores: 1 }, { name: 'b', cores: 1 }]; // prettier-ignore
    assert.deepEqual(placesOf({ hosts }, { hosts: [0, 1], replicas: 4, near: { has: 0, far: 0, most: 2, room: 4 } }), [-1, -1, 0, 1]);
  });
});

describe('predictions for replicas here and on hosts', () => {
  const NEAR = { has: 0, far: 0, most: 1, room: 4 };
  const machine = (changes) => ({ name: 'host1', cores: 4, speed: 1, roundTripMs: 0, weight: 1, ...changes });
  const answersOf = (module, replicas, changes) => {
    const measured = {
      ...{
        from: 'a test',
        at: '2026-01-01T00:00:00.000Z',
        windowMs: 1000,
        utilisation: 0.99,
        ownShare: 0,
        runDelay: 0,
        deaf: 0,
        cores: 2,
        poolThreads: 4,
      },
      ...changes,
      modules: [measuredModule('uri', { callsPerSecond: 95, share: 0.95, callMs: 0.1, near: NEAR, ...module })],
    };
    const { model, source } = modelOf(measured);
    return Object.assign(predict({ model, module: 'uri', replicas, source, calls: 4000 }), { said: source.measured.join('; ') });
  };

  it('send no call over the network that is answered sooner here', () => {
    const module = { callsPerSecond: 30, share: 0.3, hosts: [machine({ roundTripMs: 200, speed: 9 })] };
    const [both] = answersOf(module, [2], { utilisation: 0.3 });
    assert.ok(both.p99Ms < 150, `calls of 10 ms, a journey of 200: ${both.p99Ms} ms`);
  });

  it('bring as much more as the host is fast', () => {
    const [one, two] = answersOf({ hosts: [machine()] }, [1, 2]);
    const [, fast] = answersOf({ hosts: [machine({ speed: 3 })] }, [1, 2]);
    assert.ok(Math.abs(two.callsPerSecond / one.callsPerSecond - 2) < 0.3, `${one.callsPerSecond}, then ${two.callsPerSecond}`);
    assert.ok(fast.callsPerSecond > 1.5 * two.callsPerSecond, `${two.callsPerSecond}, on a fast one ${fast.callsPerSecond}`);
  });

  it('have the cores of home for those that are here, and no others', () => {
    const few = answersOf({ hosts: [machine()], near: { ...NEAR, most: 4, room: 0 } }, [1, 4], { cores: 1 });
    const more = answersOf({ hosts: [machine()], near: { ...NEAR, most: 1, room: 4 } }, [1, 4], { cores: 1 });
    assert.ok(few[1].callsPerSecond < 1.2 * few[0].callsPerSecond, 'four here take turns');
    assert.ok(more[1].callsPerSecond > 2 * few[1].callsPerSecond, 'three of four have cores of their own');
    assert.match(more.said, /replicas of uri run on this machine, which has a core for 1, then host1 \(4\.0 processors/);
  });

  it('stand in reports, and count the cores of both', async () => {
    const { busiest } = decided({ sets: [setOf(hostsOf({ cpus: 3, free: 3 }))], freeCores: 1 });
    const [{ hosts, near }] = measuredFromReport({ busiest, cpus: 2 }, 'a test').modules;
    assert.deepEqual([hosts.length, near], [2, { has: 0, far: 0, most: 2, room: 6 }]);
    assert.equal(prospectsOf(busiest, 1)[0].answers.length, 5);
    assert.equal((await whatIf({ busiest, cpus: 2 })).answers.length, 9, 'up to 8 of the 2 cores here and the 6 there');
    const wrong = { ...busiest, hosted: [{ ...busiest.hosted[0], near: { has: -1, far: 0, most: 1, room: 0 } }] };
    assert.throws(() => measuredFromReport({ busiest: wrong, cpus: 2 }, 'a test'), { code: 'IGNIS_BAD_OPTION', message: /near\.has/ });
  });
});
