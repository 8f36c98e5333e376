'use strict';

// Oneway calls to another host: a daemon of this machine, over the link and as datagrams.

const assert = require('node:assert/strict');
const dgram = require('node:dgram');
const fs = require('node:fs');
const path = require('node:path');
const { subscribe } = require('../../lib/diagnostics');
const { Distributed } = require('../helpers/distributed');
const { Family } = require('../helpers/family');
const { write } = require('../helpers/hosted-app');
const { TestHosts } = require('../helpers/hosts');
const { LossyRelay } = require('../helpers/lossy-relay');
const { Random } = require('../helpers/random');
const { until } = require('../helpers/until');

/** A chance by which the relay passes all on. */
const PASSES = 0.7;
const NOTES = fs.readFileSync(path.join(__dirname, '../fixtures/oneway/notes.js'), 'utf8');

/** A program that sends as it ends. */
const MAIN = `'use strict';
const ignis = require(process.argv[2]);
const [, , , node, file] = process.argv;
const notes = ignis()('./notes.js', { where: 'host', nodes: [JSON.parse(node)], comm: 'udp', oneway: ['append'], state: 'none', copies: 1 });
const replica = () => ignis.report().replicas.find(({ state }) => state === 'ready');
const timer = setInterval(() => {
  if (replica() === undefined) return;
  notes.append(file, 'first\\n');
  if (replica().datagrams.sent === 0) return;
  clearInterval(timer);
  for (let n = 0; n < 50; n++) notes.append(file, n + '\\n');
  process.on('exit', () => console.log(JSON.stringify(ignis.report().replicas[0].datagrams)));
}, 10);
`;

describe('oneway calls to another host', function () {
  this.timeout(120000);
  /** @type {TestHosts} */
  let hosts;
  let file;
  let node;
  let on;
  /** @type {any[]} */
  let heard;
  /** @type {() => void} */
  let unsubscribe;
  const { connect } = dgram.Socket.prototype;

  before(async () => {
    hosts = await TestHosts.make(['home', 'host1']);
    file = path.join(hosts.folder, 'app', 'notes.js');
    write(path.join(hosts.folder, 'app'), { 'package.json': JSON.stringify({ name: 'app' }), 'notes.js': NOTES, 'main.js': MAIN });
    ({ node } = await hosts.daemon('host1'));
  });
  beforeEach(() => {
    heard = [];
    unsubscribe = subscribe('ignis:oneway', (record) => heard.push(record));
  });
  afterEach(async () => {
    dgram.Socket.prototype.connect = connect;
    unsubscribe();
    await on.close();
  });
  after(() => hosts.close());

  /** @param {object} [recipe] */
  async function open(recipe = {}) {
    const oneway = ['note', 'noteLater', 'fails', 'ends'];
    on = new Distributed(file, { nodes: [node], oneway, state: 'private', copies: [0, 1], ...recipe }, 'host', {
      ...hosts.home,
      startMs: 60000,
    });
    await until(
      async () => {
        if (on.set.ready === 0) await on.set.resize(1);
        return on.set.ready === 1;
      },
      () => `a replica: ${on.failures.map(String)}`,
      60000,
    );
    return on.lib;
  }

  /** Home takes a relay for the replica. @param {() => number} random @returns {{relay: LossyRelay | undefined}} */
  function relayed(random) {
    /** @type {{relay: LossyRelay | undefined}} */
    const between = { relay: undefined };
    dgram.Socket.prototype.connect = function (port, address, done) {
      between.relay = new LossyRelay(port, random);
      void between.relay.open().then((own) => Reflect.apply(connect, this, [own, address, done]));
    };
    return between;
  }

  const datagrams = () => on.set.replicas[0].datagrams;
  const isDone = (name) => on.boundaries[0].points.get(name).meter.peek().pending === 0;

  /** Calls until they go as datagrams. @param {any} lib @returns {Promise<number>} how many there were */
  async function warm(lib) {
    let count = 0;
    await until(
      () => {
        lib.note(`warm ${count++}`);
        return datagrams().sent > 0;
      },
      () => `datagrams: ${JSON.stringify(datagrams())}`,
    );
    await until(() => isDone('note'), 'all to end');
    return count;
  }

  it('go over the link without a word about datagrams', async () => {
    const lib = await open();
    for (let n = 0; n < 50; n++) lib.note(n);
    await until(() => isDone('note'), 'all to end');
    assert.deepEqual(
      await lib.notes(),
      Array.from({ length: 50 }, (_, n) => n),
    );
    assert.equal(datagrams(), null);
    assert.equal('datagrams' in on.fleet.records()[0], false);
  });

  it('go as datagrams where the recipe says so; all others over the link', async () => {
    const lib = await open({ comm: 'udp' });
    const before = await warm(lib);
    const { sent } = datagrams();
    for (let n = 0; n < 300; n++) lib.note(n);
    lib.note('x'.repeat(5000));
    await until(() => isDone('note'), 'all to end');
    const notes = await lib.notes();
    const { large, lost, failed, arrived, why } = datagrams();
    assert.deepEqual([large, failed, why], [1, 0, '']);
    assert.equal(notes.length + lost, before + 301);
    assert.equal(datagrams().sent - sent, 300);
    assert.equal(arrived + lost, datagrams().sent);
    assert.equal(heard.length, lost);
    assert.deepEqual(on.fleet.records()[0].datagrams, datagrams());
  });

  it('that fail there are counted, and harm nobody', async () => {
    const lib = await open({ comm: 'udp' });
    await warm(lib);
    let count = 0;
    await until(() => {
      lib.fails(count++);
      return datagrams().failed > 0;
    }, 'one that fails as a datagram');
    await until(() => isDone('fails'), 'all to fail');
    const { lost } = datagrams();
    assert.equal(heard.length, count);
    assert.equal(heard.filter(({ isLost }) => isLost).length, lost);
    assert.ok(heard.every(({ isLost, error }) => isLost || error.name === 'RangeError'));
  });

  it('over a bad network run at most once each, and none is counted wrong', async () => {
    const random = new Random(4);
    const between = relayed(() => random.next());
    const lib = await open({ comm: 'udp' });
    const before = await warm(lib);
    const { relay } = between;
    for (let n = 0; n < 600; n++) {
      lib.note(n);
      if (n % 3 === 0) await new Promise(setImmediate);
    }
    await until(() => isDone('note'), 'all to end', 30000);
    const notes = await lib.notes();
    const { sent, arrived, lost } = datagrams();
    assert.equal(new Set(notes).size, notes.length, 'none twice');
    assert.equal(notes.length + lost, before + 600);
    assert.equal(arrived + lost, sent);
    assert.ok(lost > 0 && relay.did.changed > 0 && relay.did.replayed > 0);
    const { failures, lost: counted } = on.boundaries[0].points.get('note').meter.peek();
    assert.deepEqual([failures, counted, heard.length], [lost, lost, lost]);
    await relay.close();
  });

  it('are lost with their replica, and told so', async () => {
    const between = relayed(() => PASSES);
    const lib = await open({ comm: 'udp' });
    const before = await warm(lib);
    between.relay.isHolding = true;
    for (let n = 0; n < 20; n++) lib.note(n);
    // The first call of a function goes over the link: this one comes through.
    lib.ends();
    await until(() => isDone('note') && isDone('ends'), 'all to end, or be lost', 30000);
    const { lost } = on.boundaries[0].points.get('note').meter.peek();
    const [ended] = on.fleet.records();
    assert.deepEqual([ended.state, ended.datagrams.why], ['ended', '']);
    assert.ok(ended.datagrams.lost >= 20);
    assert.equal(ended.datagrams.sent, ended.datagrams.arrived + ended.datagrams.lost, 'none is under way any more');
    assert.ok(heard.some((one) => one.function === 'ends' && one.error.code === 'IGNIS_REPLICA_LOST'));
    assert.equal(heard.length, lost + 1);
    assert.ok(before > 0);
    await between.relay.close();
  });

  it('that were sent before Ignis closes are waited for', async () => {
    const lib = await open({ comm: 'udp' });
    await warm(lib);
    for (let n = 0; n < 100; n++) lib.note(n);
    await on.close();
    assert.equal(isDone('note'), true);
    const [{ datagrams: counts }] = on.fleet.records();
    assert.equal(counts.sent, counts.arrived + counts.lost);
  });

  it('that a program has sent are told of before it ends, and keep it no longer', async () => {
    on = { close: () => family.end() };
    const out = path.join(hosts.folder, 'lines');
    const args = [path.join(hosts.folder, 'app', 'main.js'), path.join(__dirname, '../../lib'), JSON.stringify(node), out];
    const family = new Family(args, { env: { IGNIS_IDENTITY: hosts.keys('home') }, cwd: path.join(hosts.folder, 'app') });
    assert.deepEqual(await family.ended, { code: 0, signal: null }, family.err);
    await family.gone();
    const { sent, arrived, lost } = JSON.parse(family.out);
    assert.ok(sent > 50);
    assert.equal(sent, arrived + lost);
    const lines = fs.readFileSync(out, 'utf8').trim().split('\n');
    assert.ok(lines.filter((line) => line !== 'first').length >= 50 - lost);
  });
});
