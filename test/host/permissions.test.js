'use strict';
/*
 * The smallest permissions of docs/hosts-engine.md, as they stand there, in a server: all that a host, or the log of files, does works, all
 * else is refused.
 */
const assert = require('node:assert/strict');
const fs = require('node:fs');
const os = require('node:os');
const path = require('node:path');
const { ClusterLog } = require('../../lib/fs/cluster-log.js');
const { ClusterState } = require('../../lib/fs/cluster-state.js');
const { openEngine } = require('../../lib/host/engine.js');
const { Membership } = require('../../lib/host/membership.js');
const { PlacementRegistry } = require('../../lib/host/placement-record.js');
const { Presence } = require('../../lib/host/presence.js');
const { ReplicatedLog } = require('../../lib/host/replicated-log.js');
const { needs, startNats } = require('../helpers/servers.js');
const { until } = require('../helpers/until.js');

const LIMIT_MS = 30_000;
const refused = (error) => error.code === 'IGNIS_ENGINE_REFUSED';

/** The users that the page shows, with passwords. */
function usersOfPage() {
  const page = fs.readFileSync(path.join(__dirname, '../../docs/hosts-engine.md'), 'utf8');
  const users = [...page.matchAll(/```\n(\{ user: [\s\S]*?)```/g)].map(([, text]) => text.replace('"..."', '"secret"'));
  assert.equal(users.length, 3);
  return users;
}

describe('a program whose files have their log in a cluster, with the smallest permissions', function () {
  this.timeout(60_000);
  let server;
  let folder;
  before(async function () {
    const binary = needs('nats', this);
    folder = fs.mkdtempSync(path.join(os.tmpdir(), 'ignis-fs-'));
    const state = new ClusterState(folder);
    state.write({});
    const { id } = state.known;
    const users = usersOfPage().map((text) => text.replaceAll('fs-ID', `fs-${id}`));
    server = await startNats(binary, { more: `accounts { SHOP { jetstream: enabled, users: [ ${users.join(' ')} ] } }` });
  });
  after(async () => {
    await server?.end();
    if (folder !== undefined) fs.rmSync(folder, { recursive: true });
  });
  const logOf = (user, state = folder) =>
    new ClusterLog({ folder: state, cluster: server.url.replace('//', `//${user}:secret@`), isSync: false });

  it('has its log, and no other', async () => {
    const first = logOf('home');
    await first.open();
    await first.begin(0);
    await first.append({ text: 'a' }, () => {});
    await first.close();
    const log = logOf('files');
    assert.equal(await log.open(), true);
    await log.append({ text: 'b' }, () => {});
    const texts = [];
    for await (const { entry } of log.from(1)) texts.push(entry.text);
    assert.deepEqual(texts, ['a', 'b']);
    await log.trim(2);
    await log.begin(2);
    assert.equal(await log.append({ text: 'c' }, () => {}), 3);
    await log.close();
    const { position, id } = new ClusterState(folder).known;
    const engine = await openEngine(server.url.replace('//', '//home:secret@'));
    const lost = await new Promise((resolve) => engine.follow(`fs-${id}`, position.seq - 2, () => {}, { onLost: resolve }));
    assert.equal(lost.code, 'IGNIS_LOG_GAP');
    await engine.close();
    const other = path.join(folder, 'other');
    fs.mkdirSync(other);
    const foreign = logOf('files', other);
    await assert.rejects(foreign.open(), /refused/);
    await foreign.close();
  });
});

describe('a host with the smallest permissions', function () {
  this.timeout(60_000);
  let server;
  let home;
  let host;
  const url = (user, password = 'secret') => server.url.replace('//', `//${user}:${password}@`);
  before(async function () {
    const binary = needs('nats', this);
    server = await startNats(binary, { more: `accounts { SHOP { jetstream: enabled, users: [ ${usersOfPage().join(' ')} ] } }` });
    home = await openEngine(url('home'), { app: 'shop', node: 'home' });
    await home.append('state', Buffer.of(0, 1));
    await home.append('secrets', Buffer.of(0, 1));
    host = await openEngine(url('n1'), { app: 'shop', node: 'n1', requestMs: 2000 });
  });
  after(async () => {
    await home?.close();
    await host?.close();
    await server?.end();
  });

  it('is present, sees who else is, and what is placed', async () => {
    const presence = new Presence(host, { name: 'n1', about: () => ({ load: 1 }) });
    await presence.join();
    await presence.tell();
    const membership = new Membership(host);
    await membership.open();
    assert.deepEqual(
      membership.list().map(({ name }) => name),
      ['n1'],
    );
    await new PlacementRegistry(home).change('uri-js', () => [{ host: 'n1' }]);
    const placed = [];
    const stop = new PlacementRegistry(host).watch('', (name, { replicas }) => placed.push([name, replicas]));
    await until(() => placed.length > 0, 'it sees the placement', LIMIT_MS);
    assert.deepEqual(placed, [['uri-js', [{ host: 'n1' }]]]);
    assert.equal((await new PlacementRegistry(host).read('uri-js')).epoch, 1);
    stop();
    membership.close();
    await presence.close();
    assert.equal(await home.get('members/n1'), null);
  });

  it('shares the state of a module', async () => {
    const got = [];
    const log = new ReplicatedLog(host, { log: 'state', apply: (bytes) => got.push(...bytes) });
    await log.start();
    await log.change(Buffer.of(2));
    assert.deepEqual(got, [1, 2]);
    log.close();
  });

  it('may not write records of others', async () => {
    await assert.rejects(host.put('members/n2', { name: 'n2' }), refused);
    await assert.rejects(host.put('placement/uri-js', { epoch: 9, replicas: [] }), refused);
    await assert.rejects(host.put('leases/shop', { holder: 'n1' }), refused);
    await assert.rejects(host.delete('placement/uri-js'), refused);
    assert.equal((await new PlacementRegistry(home).read('uri-js')).epoch, 1);
    assert.equal(await home.get('members/n2'), null);
  });

  it('may not read or write another log, nor forget what is in one', async () => {
    await assert.rejects(host.append('secrets', Buffer.of(1)), refused);
    await assert.rejects(host.append('new', Buffer.of(1)), refused);
    await assert.rejects(host.trim('state', 1), refused);
    const about = { entries: 0, lost: null };
    host.follow('secrets', 0, () => (about.entries += 1), { onLost: (error) => (about.lost = error) });
    await until(() => about.lost, 'it is refused', LIMIT_MS);
    assert.equal(about.lost.code, 'IGNIS_ENGINE_REFUSED');
    assert.equal(about.entries, 0);
  });

  it('may not make, empty or delete a stream, nor listen to others', async () => {
    const { connect } = require('@nats-io/transport-node');
    const { jetstreamManager } = require('@nats-io/jetstream');
    const nc = await connect({ servers: server.url, user: 'n1', pass: 'secret', inboxPrefix: '_INBOX_n1' });
    try {
      const jsm = await jetstreamManager(nc);
      await assert.rejects(jsm.streams.add({ name: 'other', subjects: ['x'] }), /permission/i);
      await assert.rejects(jsm.streams.purge('KV_ign_shop'), /permission/i);
      await assert.rejects(jsm.streams.delete('ign_shop_state'), /permission/i);
      for (const subject of ['_INBOX_home.>', '>', '$KV.>', 'ign.shop.log.secrets']) {
        await assert.rejects(
          new Promise((resolve, reject) => nc.subscribe(subject, { callback: (error) => (error ? reject(error) : resolve()) })),
          /permission/i,
          subject,
        );
      }
    } finally {
      await nc.close();
    }
  });

  it('is nobody with a wrong password, and no message says the password', async () => {
    for (const wrong of [url('n1', 'hidden-word'), url('nobody', 'hidden-word'), server.url]) {
      await assert.rejects(openEngine(wrong, { app: 'shop', node: 'n1', connectMs: 3000 }), (error) => {
        assert.equal(error.code, 'IGNIS_ENGINE_REFUSED');
        assert.doesNotMatch(`${error.stack}\n${JSON.stringify(error)}`, /hidden-word/);
        return true;
      });
    }
  });

  it('is there again after the servers lost their store, when one who may has made the bucket anew', async () => {
    const presence = new Presence(host, { name: 'n1', about: () => ({}), beatMs: 200 });
    await presence.join();
    const seen = [];
    const stop = host.watch('members/', ({ value }) => value !== null && seen.push(value.beat));
    await until(() => seen.length > 0, 'it hears of itself', LIMIT_MS);
    await server.kill();
    await until(() => presence.state === 'unheard' && host.state === 'down', 'it is noticed', LIMIT_MS);
    fs.rmSync(server.store, { recursive: true });
    await server.restart();
    const isRefused = () => host.get('members/n1').then(() => false, refused);
    await until(() => host.state === 'up' && isRefused(), 'there is no bucket, and it may not make one', LIMIT_MS);
    const before = seen.at(-1);
    await until(async () => (await home.get('members/n1').catch(() => null)) !== null, 'it is there', LIMIT_MS);
    // That it was gone, it hears only where it looked before its own next beat.
    await until(() => presence.state === 'present' && seen.at(-1) > before, 'it hears of its later beats', LIMIT_MS);
    stop();
    await presence.close();
  });
});

describe('a node whose permissions are taken away for a while', function () {
  this.timeout(60_000);
  let server;
  before(async function () {
    server = await startNats(needs('nats', this), { more: usersThat('') });
  });
  after(() => server?.end());

  /** @param {string} permissions of the one named home */
  function usersThat(permissions) {
    return `accounts { SHOP { jetstream: enabled, users: [ { user: n1, password: s }, { user: home, password: s${permissions} } ] } }`;
  }

  it('hears of the others again when they are given back, and says so meanwhile', async () => {
    const file = path.join(server.folder, 'server.conf');
    const allowed = fs.readFileSync(file, 'utf8');
    const said = [];
    const open = (user) => openEngine(server.url.replace('//', `//${user}:s@`), { warn: (sentence) => said.push(sentence) });
    const [other, home] = await Promise.all([open('n1'), open('home')]);
    const seen = new Map();
    const about = { isReady: false, lost: null };
    home.watch('members/', ({ key, value }) => seen.set(key, value), {
      onReady: () => (about.isReady = true),
      onLost: (error) => (about.lost = error),
    });
    await until(() => about.isReady, 'it has looked', LIMIT_MS);
    fs.writeFileSync(file, allowed.replace(usersThat(''), usersThat(', permissions: { publish: { deny: ["$JS.API.CONSUMER.>"] } }')));
    server.send('SIGHUP');
    await until(
      () => about.lost ?? said.some((sentence) => /no longer heard of.*Permissions Violation/.test(sentence)),
      'it is refused',
      LIMIT_MS,
    );
    await other.put('members/n1', 1);
    fs.writeFileSync(file, allowed);
    server.send('SIGHUP');
    await until(() => about.lost ?? seen.get('members/n1') === 1, 'it hears of what came meanwhile', LIMIT_MS);
    assert.equal(about.lost, null);
    assert.match(said.at(-1), /changes there are heard of again$/);
    await Promise.all([other.close(), home.close()]);
  });

  it('goes on with its log of files when they are given back, also where that has to be read anew', async () => {
    const file = path.join(server.folder, 'server.conf');
    const allowed = fs.readFileSync(file, 'utf8');
    const folder = fs.mkdtempSync(path.join(os.tmpdir(), 'ignis-fs-'));
    new ClusterState(folder).write({});
    const said = [];
    const lost = [];
    const report = (sentence) => said.push(sentence);
    const log = new ClusterLog({ folder, cluster: server.url.replace('//', '//home:s@'), isSync: false, report });
    log.onLost = (why) => lost.push(why);
    const append = (text) => log.append({ text }, () => {}).then(String, (error) => error.code);
    try {
      await log.open();
      await log.begin(0);
      // More than is kept at home.
      for (let n = 1; n <= 10; n++) await append(String(n).padEnd(480_000));
      const denied = ', permissions: { publish: { deny: ["$JS.API.CONSUMER.>", "ign.>"] } }';
      fs.writeFileSync(file, allowed.replace(usersThat(''), usersThat(denied)));
      server.send('SIGHUP');
      await until(() => lost[0] ?? said.some((sentence) => /no longer heard of.*Violation/.test(sentence)), 'it is refused', LIMIT_MS);
      assert.equal(await append('refused'), 'EIO');
      const first = log.from(1).next();
      fs.writeFileSync(file, allowed);
      server.send('SIGHUP');
      await until(() => lost[0] ?? /heard of again$/.test(said.at(-1)), 'it is heard of again', LIMIT_MS);
      assert.deepEqual(lost, []);
      assert.equal((await first).value.entry.text.trim(), '1');
      assert.equal(await append('later'), '11');
    } finally {
      await log.close();
      fs.rmSync(folder, { recursive: true });
    }
  });

  it('loses its log of files where that is deleted', async () => {
    const engine = await openEngine(server.url.replace('//', '//n1:s@'));
    const { connect } = require('@nats-io/transport-node');
    const { jetstreamManager } = require('@nats-io/jetstream');
    const nc = await connect({ servers: server.url, user: 'n1', pass: 's' });
    try {
      await engine.append('short', Buffer.of(1));
      const about = { isReady: false, lost: null };
      engine.follow('short', 0, () => {}, { onReady: () => (about.isReady = true), onLost: (error) => (about.lost = error) });
      await until(() => about.isReady, 'it is followed', LIMIT_MS);
      await (await jetstreamManager(nc)).streams.delete('ign_ignis_short');
      await until(() => about.lost, 'it is lost', LIMIT_MS);
      assert.equal(about.lost.code, 'IGNIS_LOG_GAP');
    } finally {
      await nc.close();
      await engine.close();
    }
  });
});
