'use strict';

// What hosts have for one more replica, as home knows it, and a busy home that leaves for an idle host.

const assert = require('node:assert/strict');
const { fork } = require('node:child_process');
const fs = require('node:fs');
const path = require('node:path');
const { once } = require('node:events');
const { Hosts } = require('../../lib/host/hosts');
const { Offers } = require('../../lib/host/offers');
const { Word } = require('../../lib/host/word');
const { TestHosts } = require('../helpers/hosts');
const { until } = require('../helpers/until');

const FACTS = { cpus: 4, freeCores: 2.5, load: 9, maxReplicas: 8, replicas: 3, labels: { disk: 'fast' } };

/** Hosts that are made up, on a clock that is turned by hand. */
class Made {
  at = 1000;
  asked = [];
  hosts = new Map();
  surveys = [];
  offers = new Offers(this, () => this.at);

  get(node) {
    if (!this.hosts.has(node.port)) {
      const link = () => (this.asked.push(node.port), new Promise(() => {}));
      const host = { node, title: `host${node.port}`, load: 0, word: { facts: null, at: -Infinity, roundTripMs: null }, link };
      this.hosts.set(node.port, { ...host, isLinked: false, isAsked: true, isFailing: false, isDraining: false });
    }
    return this.hosts.get(node.port);
  }
  answer(port, facts = {}, more = {}) {
    Object.assign(this.get({ port }), {
      isLinked: true,
      isAsked: false,
      word: { facts: { ...FACTS, ...facts }, at: this.at, roundTripMs: 2 },
      ...more,
    });
  }
  directory() {
    return { survey: () => new Promise((resolve, reject) => void this.surveys.push({ resolve, reject })) };
  }
}

describe('what hosts offer', () => {
  const nodes = [{ port: 1 }, { port: 2 }];
  let made;
  beforeEach(() => {
    made = new Made();
  });

  it('is asked for with the first look, and awaited', () => {
    assert.deepEqual(made.offers.read({ nodes }), { named: 2, awaited: 2, offers: [] });
    assert.deepEqual(made.asked, [1, 2]);
  });

  it('is what they said', () => {
    made.answer(1);
    const { awaited, offers } = made.offers.read({ nodes });
    assert.equal(awaited, 1, 'the other');
    const [{ speed, ...offer }] = offers;
    assert.deepEqual(offer, { name: 'host1', cpus: 4, free: 2.5, room: 5, own: 0, roundTripMs: 2, weight: 2.5 });
    assert.equal(speed, 1, 'it said nothing of that');
    made.get(nodes[0]).node = { port: 1, weight: 7 };
    assert.equal(made.offers.read({ nodes }).offers[0].weight, 7, 'as the recipe says');
  });

  it('is read from its load where its system hides what is idle', () => {
    made.answer(1, { freeCores: null, load: 1.5 });
    made.answer(2, { freeCores: undefined, load: 70 });
    assert.deepEqual(
      made.offers.read({ nodes }).offers.map(({ free }) => free),
      [2.5, 0],
    );
  });

  it('is nothing that cannot be, whatever a host says', () => {
    made.answer(1, { cpus: 'many', freeCores: 1e9, maxReplicas: NaN, replicas: -4, speed: -1 });
    made.answer(2, { cpus: -3, freeCores: NaN, load: Infinity, maxReplicas: 2, replicas: 7, speed: 'fast' });
    const figures = made.offers.read({ nodes }).offers.map(({ cpus, free, room, speed }) => [cpus, free, room, speed]);
    assert.deepEqual(figures, [
      [1, 1, 0, 1],
      [1, 1, 0, 1],
    ]);
  });

  it('is beside the speed of home', () => {
    made.answer(1, { speed: 1e6 });
    made.answer(2, { speed: 1e3 });
    const [fast, slow] = made.offers.read({ nodes }).offers;
    assert.ok(Math.abs(fast.speed / slow.speed - 1000) < 1);
  });

  it('is awaited again when it was said too long ago, and not counted', () => {
    made.answer(1);
    made.answer(2);
    made.at += 3000;
    made.answer(2);
    made.at += 1500;
    const { awaited, offers } = made.offers.read({ nodes });
    assert.deepEqual([awaited, offers.map(({ name }) => name)], [1, ['host2']]);
  });

  it('is none of a host that is gone, which is linked again when it is time', () => {
    made.answer(1);
    Object.assign(made.get(nodes[0]), { isLinked: false, isFailing: true });
    Object.assign(made.get(nodes[1]), { isLinked: false, isAsked: false, isFailing: true });
    assert.deepEqual(made.offers.read({ nodes }), { named: 2, awaited: 0, offers: [] });
    assert.deepEqual(made.asked, []);
    made.get(nodes[0]).isFailing = false;
    made.offers.read({ nodes });
    assert.deepEqual(made.asked, [1]);
  });

  it('is none of a host without the labels of the recipe, and no room where one is being stopped', () => {
    made.answer(1, { labels: {} });
    made.answer(2, {}, { isDraining: true });
    const { offers } = made.offers.read({ nodes, labels: { disk: 'fast' } });
    assert.deepEqual(
      offers.map(({ name, room }) => [name, room]),
      [['host2', 0]],
    );
  });

  it('is none where home has no identity, which a start says', async () => {
    const hosts = new Hosts({});
    const before = process.listenerCount('exit');
    const look = () => hosts.offers({ nodes: [{ ip: '127.0.0.1', port: 1 }] });
    assert.deepEqual([look(), look()], Array(2).fill({ named: 1, awaited: 0, offers: [] }));
    assert.equal(process.listenerCount('exit'), before, 'there is nobody to say farewell to');
    await hosts.close();
  });

  it('is asked for again of a cluster that could not be asked at first, as where a file of home could not be read then', () => {
    const { directory } = made;
    made.directory = () => {
      throw new Error('EMFILE');
    };
    assert.deepEqual(made.offers.read({ cluster: 'nats://x' }), { named: 0, awaited: 0, offers: [] });
    made.directory = directory;
    made.at += 1000;
    assert.deepEqual(made.offers.read({ cluster: 'nats://x' }), { named: 0, awaited: 1, offers: [] });
    assert.equal(made.surveys.length, 1);
  });

  it('comes from the survey of a cluster, asked once a second, with the places that are taken there', async () => {
    const wanted = { cluster: 'nats://x', labels: {} };
    assert.deepEqual(made.offers.read(wanted), { named: 0, awaited: 1, offers: [] });
    made.offers.read(wanted);
    assert.equal(made.surveys.length, 1, 'one at a time');
    const node = (port, room) => ({ port, weight: port, facts: FACTS, room });
    const nodes = [1, 2, 3, 4, 5].map((port) => node(port, 2));
    made.surveys[0].resolve({ nodes, full: [node(6, 0)], said: ['host6 is full', 'host7 is being stopped'] });
    made.get(node(5)).word.roundTripMs = 4;
    await until(() => made.offers.read(wanted).offers.length > 0, 'its answer');
    const { named, awaited, offers } = made.offers.read(wanted);
    assert.deepEqual([named, awaited], [7, 0]);
    assert.deepEqual(
      offers.map(({ name, room, free, roundTripMs }) => [name, room, free, roundTripMs]),
      [1, 2, 3, 4, 5, 6].map((n) => [`host${n}`, n === 6 ? 0 : 2, 2.5, 4]),
      'those that are not linked are taken to be as far as the others',
    );
    assert.deepEqual([...new Set(made.asked)].sort(), [3, 4, 5, 6], 'the heaviest are linked');
    made.at += 4500;
    assert.deepEqual(made.offers.read(wanted).offers, [], 'too old');
    made.surveys[1].reject(new Error('the engine is away'));
    await until(() => made.offers.read(wanted).awaited === 0, 'the end of the second');
    assert.equal(made.surveys.length, 2);
    made.at += 1000;
    assert.equal(made.offers.read(wanted).awaited, 0, 'one that failed is not waited for again');
    assert.equal(made.surveys.length, 3);
  });
});

describe('the place of a replica', () => {
  /**
   * @param {object[]} given a record each of hosts
   * @param {number} count
   * @returns {Promise<string[]>} where so many go that start together
   */
  async function placesOf(given, count) {
    const hosts = new Hosts({});
    const made = given.map(({ weight, load = 0, freeCores = 4, speed = 1000 }, at) => ({
      ...{ title: `host${at}`, node: { port: at, weight }, isFailing: false, isDoubtful: false, isDraining: false, starting: 0, own: load },
      ...{ word: { facts: { ...FACTS, cpus: 4, freeCores, speed } }, link: async () => null },
      get load() {
        return this.own + this.starting;
      },
    }));
    hosts.get = ({ port }) => made[port];
    const all = made.map(({ node }) => node);
    const places = [];
    let go;
    const together = new Promise((resolve) => (go = resolve));
    const starts = Array.from({ length: count }, () => hosts.first(all, { bundle: null }, (host) => (places.push(host.title), together)));
    await until(() => places.length === count, 'all of them');
    go();
    await Promise.all(starts);
    return places;
  }

  it('is on a host with an idle core for it, as long as there is one', async () => {
    assert.deepEqual(await placesOf([{ freeCores: 0.1 }, { freeCores: 2.3 }], 4), ['host1', 'host1', 'host1', 'host0']);
  });

  it('is where there are fewest, and on faster hosts more of them', async () => {
    assert.deepEqual(await placesOf([{ load: 2 }, {}], 3), ['host1', 'host1', 'host0']);
    assert.deepEqual(await placesOf([{ speed: 1000 }, { speed: 3000 }], 4), ['host1', 'host1', 'host0', 'host1']);
    assert.deepEqual(await placesOf([{ speed: 1000 }, { speed: 1100 }], 2), ['host0', 'host1'], 'measured speeds of equal machines differ');
  });

  it('is where the recipe says by weights, however busy a host is', async () => {
    assert.deepEqual(await placesOf([{ weight: 2, freeCores: 0, speed: 1 }, { weight: 1 }], 3), ['host0', 'host0', 'host1']);
  });
});

describe('how far a host is', () => {
  it('is the shortest of the last times, without those of questions that were not answered', async () => {
    let now = 0;
    const word = new Word(() => now);
    const ask = (ms, isLost) => async () => ((now += ms), isLost ? Promise.reject(new Error('lost')) : null);
    const take = (ms, isLost = false) => word.take({ ms }, { ask: ask(ms, isLost) });
    assert.equal(word.roundTripMs, null);
    await take(1, true);
    assert.deepEqual([word.facts, word.at, word.roundTripMs], [{ ms: 1 }, 0, null]);
    await word.take({ ms: 2 }, null);
    assert.deepEqual([word.facts, word.at, word.roundTripMs], [{ ms: 2 }, 1, null], 'over a link that is gone by now');
    for (const ms of [9, 3, 7]) await take(ms);
    assert.equal(word.roundTripMs, 3);
    for (let n = 0; n < 64; n++) await take(5);
    assert.equal(word.roundTripMs, 5, 'another way since');
  });
});

describe('a home without an idle core', function () {
  this.timeout(120_000);

  let hosts;
  let home = null;
  before(async () => {
    hosts = await TestHosts.make(['home', 'host1']);
  });
  afterEach(async () => {
    if (home?.exitCode === null && home.signalCode === null) {
      home.kill('SIGKILL');
      await once(home, 'exit');
    }
  });
  after(() => hosts.close());

  it('knows what a daemon has, and how far it is', async () => {
    const { node } = await hosts.process('host1');
    const own = new Hosts(hosts.home);
    const [offer] = await until(
      () => {
        const { offers } = own.offers({ nodes: [node] });
        return offers.length > 0 && offers[0].roundTripMs > 0 && offers;
      },
      'its word',
      30_000,
    );
    assert.ok(offer.free >= 0 && offer.free <= offer.cpus && offer.speed > 0 && offer.room === 8, JSON.stringify(offer));
    await until(() => typeof own.get(node).word.facts.freeCores === 'number', 'what is measured there', 30_000);
    await own.close();
  });

  it('leaves for a host that has two, and says so', async () => {
    const { node } = await hosts.daemon('host1', { freeCores: () => 2, maxReplicas: 2 });
    const folder = path.join(hosts.folder, 'busy');
    fs.mkdirSync(folder);
    fs.writeFileSync(
      path.join(folder, 'work.js'),
      'exports.spin = (ms) => { const end = performance.now() + ms; while (performance.now() < end); return process.pid; };',
    );
    const recipe = { modules: { './work.js': { where: 'host', nodes: [node], call: 'await', pure: true, copies: [0, 2] } } };
    fs.writeFileSync(
      path.join(folder, 'app.js'),
      `const ignis = require(${JSON.stringify(path.join(__dirname, '..', '..'))});
      ignis.start({ quiet: true, identity: ${JSON.stringify(hosts.home.identity)}, recipe: ${JSON.stringify(recipe)} });
      const { spin } = require('./work.js');
      const turn = () => new Promise((resolve) => void setImmediate(resolve));
      const away = new Set();
      const call = async () => { for (;;) { const pid = await spin(4); if (pid !== process.pid) away.add(pid); await turn(); } };
      // By then it is known that no core is idle here.
      setTimeout(() => { for (let n = 0; n < 4; n++) void call(); }, 800);
      setInterval(() => { const { decisions, replicas } = ignis.report(); process.send({ decisions, replicas, away: [...away] }); }, 100);`,
    );
    home = fork(path.join(folder, 'app.js'), { cwd: folder, execArgv: ['-r', path.join(__dirname, '..', 'fixtures', 'hosts', 'full.js')] });
    let told = { decisions: [], replicas: [], away: [] };
    home.on('message', (message) => (told = message));
    const what = () => `a call there: ${told.decisions.map(({ sentence }) => sentence).join('\n')}`;
    await until(() => told.away.length > 0, what, 60_000);
    const out = told.decisions.find(({ action }) => action === 'scale-out');
    assert.equal(out.reason, 'pressure');
    assert.match(out.sentence, /start \d on 1 host with 2\.0 idle cores/);
    // On a machine that is much slower than that there may be too few calls to predict from.
    if (out.figures.calls >= 8) assert.match(out.figures.predictedFrom, /replicas of \S+ run on host1 .* there and back/);
    assert.match(told.replicas[0].where, /^host host1/);
  });
});
