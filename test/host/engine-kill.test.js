'use strict';
/*
 * Servers that are killed, stopped, and started again, under load. What was acknowledged must be there, once, in one order, for all who
 * follow. Slow: elections and restarts take seconds.
 */
const assert = require('node:assert/strict');
const fs = require('node:fs');
const { openEngine } = require('../../lib/host/engine.js');
const { Membership } = require('../../lib/host/membership.js');
const { PlacementRegistry } = require('../../lib/host/placement-record.js');
const { Presence } = require('../../lib/host/presence.js');
const { needs, startEtcd, startNats, startNatsCluster } = require('../helpers/servers.js');
const { until } = require('../helpers/until.js');

const LIMIT_MS = 60_000;
const bytes = (text) => Buffer.from(text);

function follow(engine, log) {
  const about = { texts: [], seqs: [], lost: null };
  about.stop = engine.follow(
    log,
    0,
    ({ seq, bytes: got }) => {
      about.texts.push(Buffer.from(got).toString());
      about.seqs.push(seq);
    },
    { onLost: (error) => (about.lost = error) },
  );
  return about;
}

/** Appends until it is told to end; what was acknowledged, by its writer. */
async function append(engine, name, log, isOver) {
  const acknowledged = [];
  for (let n = 0; !isOver(); n++) {
    await engine.append(log, bytes(`${name}.${n}`), { id: `${name}.${n}`, withinMs: LIMIT_MS });
    acknowledged.push(`${name}.${n}`);
  }
  return acknowledged;
}

/** Counts up records of its own by compare-and-set; the last value that was acknowledged. */
async function count(engine, key, isOver) {
  let acknowledged = 0;
  while (!isOver()) {
    try {
      const found = await engine.get(key);
      await engine.put(key, (found?.value ?? 0) + 1, { ifRev: found?.rev ?? 0 });
      acknowledged += 1;
    } catch (error) {
      // One writer a key: a conflict is a put of its own whose answer was lost.
      assert.match(error.code, /^IGNIS_ENGINE_(DOWN|CONFLICT)$/);
      await new Promise((resolve) => setTimeout(resolve, 20));
    }
  }
  return acknowledged;
}

/** That followers have what was acknowledged, once each, the same, each writer's in its order. */
async function checkFollowers(followers, acknowledged) {
  const all = acknowledged.flat();
  // Not how many they have: some were written and never acknowledged.
  const hasAll = (/** @type {{texts: string[]}} */ { texts }) => all.every((text) => texts.includes(text));
  const isOver = () => followers.some(({ lost }) => lost) || followers.every(hasAll);
  await until(isOver, 'all followers have all that was acknowledged', LIMIT_MS);
  for (const { lost, texts, seqs } of followers) {
    assert.equal(lost, null);
    assert.equal(new Set(texts).size, texts.length, 'nothing twice');
    assert.deepEqual(
      [...seqs].sort((a, b) => a - b),
      seqs,
    );
    for (const text of all) assert.ok(texts.includes(text), `${text} was acknowledged`);
    for (const own of acknowledged)
      assert.deepEqual(
        texts.filter((text) => own.includes(text)),
        own,
        'in the order of its writer',
      );
  }
  const shortest = Math.min(...followers.map(({ texts }) => texts.length));
  for (const { texts } of followers) assert.deepEqual(texts.slice(0, shortest), followers[0].texts.slice(0, shortest));
}

for (const [kind, title, start] of [
  ['nats', 'a NATS server', startNats],
  ['etcd', 'an etcd server', startEtcd],
]) {
  describe(`${title} that is killed`, function () {
    this.timeout(3 * LIMIT_MS);
    let server;
    let engines = [];
    before(async function () {
      server = await start(needs(kind, this));
      engines = await Promise.all(['one', 'two', 'three'].map((node) => openEngine(server.url, { node, requestMs: 1000 })));
    });
    after(async () => {
      await Promise.all(engines.map((engine) => engine.close()));
      await server?.end();
    });

    it('loses nothing that it acknowledged, and all who hear from it end equal', async () => {
      const [one, two, three] = engines;
      const followers = engines.map((engine) => follow(engine, 'log'));
      const states = [];
      three.status(({ state }) => states.push(state));
      const seen = new Map();
      const stop = three.watch('counters/', ({ key, value }) => seen.set(key, value));
      let isOver = false;
      const writing = [append(one, 'a', 'log', () => isOver), append(two, 'b', 'log', () => isOver), append(two, 'c', 'log', () => isOver)];
      const counting = count(one, 'counters/a', () => isOver);
      await until(() => followers[2].texts.length > 100, 'the log grows', LIMIT_MS);
      await server.kill();
      await until(() => three.state === 'down', 'it is noticed', LIMIT_MS);
      await assert.rejects(three.get('counters/a'), (error) => error.code === 'IGNIS_ENGINE_DOWN');
      await server.restart();
      const before = followers[2].texts.length;
      await until(() => three.state === 'up' && followers[2].texts.length > before + 100, 'the log grows again', LIMIT_MS);
      isOver = true;
      const [acknowledged, counted] = await Promise.all([Promise.all(writing), counting]);
      await checkFollowers(followers, acknowledged);
      const { value } = await two.get('counters/a');
      assert.ok(value >= counted, `${counted} were acknowledged, ${value} counted`);
      await until(() => seen.get('counters/a') === value, 'the watch has the last value', LIMIT_MS);
      assert.deepEqual(states, ['up', 'down', 'up']);
      for (const { stop: end } of followers) end();
      stop();
    });

    it('and comes back with nothing gets from each host anew that it is there', async () => {
      const [one, two, three] = engines;
      const membership = new Membership(three, { deadMs: 3000, lookMs: 200 });
      const placements = new Map();
      const stop = new PlacementRegistry(two).watch('', (name, { replicas }) => placements.set(name, replicas));
      const host = new Presence(one, { name: 'n0', about: () => ({}), beatMs: 200, deadMs: 3000 });
      await host.join();
      await membership.open();
      await new PlacementRegistry(one).change('n0', () => ['before']);
      await until(() => placements.get('n0')?.[0] === 'before', 'what is placed is heard', LIMIT_MS);
      await server.kill();
      await until(() => host.state === 'unheard' && three.state === 'down', 'it is noticed', LIMIT_MS);
      fs.rmSync(server.store, { recursive: true });
      await server.restart();
      await until(() => placements.get('n0')?.length === 0, 'nothing is placed any more', LIMIT_MS);
      await until(() => host.state === 'present', 'the host is heard', LIMIT_MS);
      const late = new Presence(two, { name: 'n1', about: () => ({}), beatMs: 200, deadMs: 3000 });
      await late.join();
      await until(() => membership.state === 'open' && membership.list().length === 2, 'hosts are listed, a new one too', LIMIT_MS);
      const [{ rev }] = membership.list();
      await until(() => membership.list()[0].rev > rev, 'its beats are heard', LIMIT_MS);
      await new PlacementRegistry(one).change('n1', () => ['after']);
      await until(() => placements.get('n1')?.[0] === 'after', 'what is placed now is heard', LIMIT_MS);
      for (const one of [host, late]) await one.close();
      membership.close();
      stop();
    });

    it('costs no host its membership', async () => {
      const [one, two, three] = engines;
      const events = [];
      const membership = new Membership(three, { deadMs: 3000, lookMs: 200, onEvent: ({ event }) => events.push(event) });
      const hosts = [one, two].map((engine, at) => new Presence(engine, { name: `n${at}`, about: () => ({}), beatMs: 200, deadMs: 3000 }));
      await Promise.all(hosts.map((host) => host.join()));
      await membership.open();
      await server.kill();
      await until(() => membership.state === 'frozen', 'the list is frozen', LIMIT_MS);
      await server.restart();
      await until(() => membership.state === 'open', 'the list is open', LIMIT_MS);
      const revs = membership.list().map(({ rev }) => rev);
      await until(() => membership.list().every(({ rev }, at) => rev > revs[at]), 'the hosts beat again', LIMIT_MS);
      assert.deepEqual(
        membership.list().map(({ name }) => name),
        ['n0', 'n1'],
      );
      assert.ok(!events.includes('lost') && !events.includes('left'), events.join(' '));
      for (const host of hosts) await host.close();
      await until(() => membership.list().length === 0, 'they left', LIMIT_MS);
      membership.close();
    });
  });
}

describe('three NATS servers', function () {
  this.timeout(4 * LIMIT_MS);
  let cluster;
  let engines = [];
  before(async function () {
    cluster = await startNatsCluster(needs('nats', this));
    const [, ...others] = cluster.servers;
    // Nobody is joined to the first one alone: whichever is killed, each has another.
    const urls = [cluster.url, `nats://${[...others, cluster.servers[0]].map(({ port }) => `127.0.0.1:${port}`).join(',')}`];
    engines = await Promise.all(urls.map((url, at) => openEngine(url, { node: `n${at}`, requestMs: 2000, connectMs: LIMIT_MS })));
  });
  after(async () => {
    await Promise.all(engines.map((engine) => engine.close()));
    await Promise.all((cluster?.servers ?? []).map((server) => server.end()));
  });

  /** The name of the server that leads a stream. */
  async function leaderOf(stream) {
    const { connect } = require('@nats-io/transport-node');
    const { jetstreamManager } = require('@nats-io/jetstream');
    const nc = await connect({ servers: cluster.url.replace('nats://', '').split(',') });
    try {
      const jsm = await jetstreamManager(nc);
      const { cluster: group, config } = await jsm.streams.info(stream);
      assert.equal(config.num_replicas, 3);
      assert.equal(config.allow_direct, false);
      return group.leader;
    } finally {
      await nc.close();
    }
  }

  it('lose nothing that they acknowledged when their leader is killed, and go on', async () => {
    const [one, two] = engines;
    await one.append('log', bytes('first'), { withinMs: LIMIT_MS });
    const followers = engines.map((engine) => follow(engine, 'log'));
    let isOver = false;
    const writing = [append(one, 'a', 'log', () => isOver), append(two, 'b', 'log', () => isOver)];
    const counting = ['x', 'y', 'z'].map((key, at) => count(engines[at % 2], `counters/${key}`, () => isOver));
    await until(() => followers.every(({ texts }) => texts.length > 50), 'the log grows', LIMIT_MS);
    const leader = await leaderOf('ign_ignis_log');
    await cluster.servers.find(({ name }) => name === leader).kill();
    const before = followers.map(({ texts }) => texts.length);
    const counted = async () => (await Promise.all(['x', 'y', 'z'].map((key) => one.get(`counters/${key}`)))).map((found) => found.value);
    let atKill = null;
    await until(async () => (atKill = await counted().catch(() => null)), 'records are read again', LIMIT_MS);
    await until(() => followers.every(({ texts }, at) => texts.length > before[at] + 50), 'the log grows again', LIMIT_MS);
    await until(
      async () => (await counted().catch(() => atKill)).every((value, at) => value > atKill[at]),
      'records are written again',
      LIMIT_MS,
    );
    isOver = true;
    const [acknowledged, counts] = await Promise.all([Promise.all(writing), Promise.all(counting)]);
    await checkFollowers(followers, acknowledged);
    for (const [at, value] of (await counted()).entries())
      assert.ok(value >= counts[at], `${counts[at]} were acknowledged, ${value} counted`);
  });
});
