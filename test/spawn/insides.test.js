'use strict';

const assert = require('node:assert/strict');
const { Insides, MOST_DEPTH } = require('../../lib/spawn/insides');
const { Replica } = require('../../lib/spawn/replica');
const { KIND } = require('../../lib/wire/frame');
const { MOST, insideRows, isInside } = require('../../lib/wire/inside-frame');
const { FakeAgent } = require('./fake-agent');
const { until } = require('../helpers/until');

const BOUNDARY = {
  ...{
    home: '',
    id: 'b -> c',
    parent: './b.js',
    child: './c.js',
    set: './c.js',
    kinds: { f: 'sync' },
    calls: 3,
    callsPerSecond: 1,
    failures: 1,
  },
  ...{
    exclusiveMs: 6,
    inclusiveMs: 7,
    share: 0.1,
    pending: 1,
    meanMs: 2,
    p50Ms: 2,
    p99Ms: null,
    maxMs: 4,
    latencyMs: null,
    pressure: 1,
    weight: 1,
  },
  ...{ calledAt: null, state: 'distributed', replicas: 1, sentence: 'synchronous' },
};
const DECISION = {
  home: '',
  time: 5,
  module: './c.js',
  boundary: 'b -> c',
  action: 'start',
  reason: 'pressure',
  from: 0,
  to: 1,
  sentence: './c.js: x',
};
const REPLICA = {
  ...{ home: '', id: '1', module: './c.js', where: 'process', pid: 7, startedMs: 60, state: 'ready', calls: 3, rssBytes: null },
  ...{ endedWhy: null, pending: 0, utilisation: 0.5 },
};
const record = (/** @type {any} */ changes = {}) => ({ boundaries: [BOUNDARY], decisions: [DECISION], replicas: [REPLICA], ...changes });

describe('the record of an INSIDE frame', () => {
  it('has all fields of each row, each of its kind', () => {
    assert.ok(isInside(record()));
    for (const [key, row] of Object.entries({ boundaries: BOUNDARY, decisions: DECISION, replicas: REPLICA })) {
      for (const field of Object.keys(row)) {
        for (const odd of [undefined, {}, [], Infinity, NaN, -1, 'x'.repeat(3000)]) {
          if (field === 'kinds' && typeof odd === 'object' && !Array.isArray(odd)) continue; // none is known
          assert.equal(isInside(record({ [key]: [{ ...row, [field]: odd }] })), false, `${key}.${field}: ${String(odd).slice(0, 9)}`);
        }
      }
      assert.equal(isInside(record({ [key]: Array.from({ length: MOST[/** @type {keyof typeof MOST} */ (key)] + 1 }, () => row) })), false);
      for (const odd of [null, 'rows', { length: 0 }, [null], [1]]) assert.equal(isInside(record({ [key]: odd })), false);
    }
    for (const odd of [null, undefined, 1, 'record', [], {}]) assert.equal(isInside(odd), false);
    assert.equal(isInside(record({ boundaries: [{ ...BOUNDARY, kinds: { f: 1 } }] })), false);
    assert.equal(isInside(record({ boundaries: [{ ...BOUNDARY, state: 'odd' }] })), false);
  });

  it('is made of what is known, cut to what may travel; a row that lacks something is left out', () => {
    const long = { ...BOUNDARY, id: 'x'.repeat(600), sentence: 'y'.repeat(3000), functions: { f: {} }, p50Ms: Infinity };
    const rows = insideRows('boundaries', [long, { ...BOUNDARY, calls: NaN }, ...Array.from({ length: 300 }, () => BOUNDARY)]);
    assert.equal(rows.length, MOST.boundaries - 1);
    assert.deepEqual([rows[0].id.length, rows[0].sentence.length, rows[0].p50Ms, rows[0].functions], [512, 2000, null, undefined]);
    assert.ok(isInside(record({ boundaries: rows })));
  });
});

describe('what replicas report of themselves', () => {
  const TARGET = /** @type {any} */ ({ kind: 'file', name: './b.js', place: '/b.js', argv: [] });
  const hooks = () => ({ onEnded() {}, onBroken() {}, onIdle() {}, wantedMs: () => 0, errorClass: () => undefined });
  /** @type {string[]} */
  let turns;
  const makeInsides = (depth = 0) =>
    new Insides({
      entry: '/inside.js',
      depth,
      told: () => ({ options: {}, recipes: new Uint8Array() }),
      root: '/app',
      turns: () => ({ ask: (_who, grant) => void (turns.push('ask'), grant(1000)), leave: () => void turns.push('leave') }),
      nameOf: () => './b.js',
    });

  /** A replica that is ready. @param {Insides} [nested] */
  async function ready(nested) {
    const agent = new FakeAgent();
    const replica = new Replica({ ...agent.launched, nested });
    const loaded = replica.load(TARGET, hooks(), 5000);
    agent.hello();
    await until(() => agent.frames.length === 1, 'the load');
    agent.channel.send([KIND.RESULT, agent.frames[0][1], null, null]);
    await loaded;
    return { agent, replica };
  }
  beforeEach(() => {
    turns = [];
  });

  it('is shown with their name; a wish for a core is answered with a turn', async () => {
    const insides = makeInsides();
    const { agent, replica } = await ready(insides);
    agent.channel.send([KIND.INSIDE, 1, record()]);
    await until(() => insides.boundaries.length === 1, 'the report');
    const home = `./b.js #${replica.id}`;
    const [row] = insides.boundaries;
    assert.deepEqual([row.home, row.id, row.calls], [home, `b -> c (in ${home})`, 3]);
    assert.deepEqual(insides.replicas, [{ ...REPLICA, home }]);
    assert.equal(insides.latest(home, './c.js')?.sentence, './c.js: x');
    assert.equal(insides.latest('another', './c.js'), null);
    await until(() => agent.frames.some(([kind, ms]) => kind === KIND.CORES && ms === 1000), 'the turn');
    agent.channel.send([KIND.INSIDE, 0, record({ decisions: [] })]);
    await until(() => turns.includes('leave'), 'the end of the wish');
    replica.kill('done');
    await replica.ended;
  });

  it('of one in a replica names both', async () => {
    const insides = makeInsides();
    const { agent, replica } = await ready(insides);
    const inner = { ...BOUNDARY, home: './c.js #2', id: 'c -> d (in ./c.js #2)' };
    agent.channel.send([KIND.INSIDE, 0, record({ boundaries: [inner] })]);
    await until(() => insides.boundaries.length === 1, 'the report');
    assert.equal(insides.boundaries[0].id, `c -> d (in ./b.js #${replica.id} > ./c.js #2)`);
    replica.kill('done');
    await replica.ended;
  });

  it('is summed when they have ended', async () => {
    const insides = makeInsides();
    for (let i = 0; i < 3; i++) {
      const { agent, replica } = await ready(insides);
      agent.channel.send([KIND.INSIDE, 0, record()]);
      await until(() => insides.boundaries.some(({ pending }) => pending === 1), 'the report');
      replica.kill('done');
      await replica.ended;
      await until(() => insides.boundaries.every(({ pending }) => pending === 0), 'the sum');
    }
    const [row, ...others] = insides.boundaries;
    assert.deepEqual(others, []);
    assert.deepEqual([row.home, row.calls, row.failures, row.exclusiveMs, row.meanMs, row.maxMs], ['./b.js, ended', 9, 3, 18, 2, 4]);
    assert.ok(insides.replicas.every(({ state, endedWhy }) => state === 'ended' && endedWhy === 'its home ended'));
  });

  for (const [name, frame] of Object.entries({
    'a record of another shape': [KIND.INSIDE, 0, { boundaries: [{ id: 1 }] }],
    'no record': [KIND.INSIDE, 0, null],
    'too many rows': [KIND.INSIDE, 0, record({ decisions: Array.from({ length: 51 }, () => DECISION) })],
    'a turn, which only home gives': [KIND.CORES, 1000],
  })) {
    it(`ends the link of the one that sends ${name}, and no other`, async () => {
      const insides = makeInsides();
      const [good, bad] = [await ready(insides), await ready(insides)];
      bad.agent.channel.send(frame);
      await bad.replica.ended;
      assert.match(bad.replica.endedWhy, /shape|turns/);
      assert.equal(insides.boundaries.length, 0);
      good.agent.channel.send([KIND.INSIDE, 0, record()]);
      await until(() => insides.boundaries.length === 1, 'the report of the other');
      assert.ok(good.replica.isOpen);
      good.replica.kill('done');
      await good.replica.ended;
    });
  }

  it('is not heard of one that was not asked to report', async () => {
    const { agent, replica } = await ready();
    agent.channel.send([KIND.INSIDE, 0, record()]);
    await replica.ended;
    assert.match(replica.endedWhy, /does not serve/);
  });

  it(`goes no deeper than ${MOST_DEPTH} replicas in each other`, () => {
    assert.deepEqual(
      [0, 1, 2, 3].map((depth) => makeInsides(depth).forReplicas !== undefined),
      [true, true, false, false],
    );
    assert.equal(makeInsides(1).told().depth, 2);
  });
});
