'use strict';

// A module whose replicas are on the hosts of a cluster: a NATS server of our own, and daemons that join it, each a process, as a user
// starts them.

const assert = require('node:assert/strict');
const path = require('node:path');
const { spawn } = require('node:child_process');
const { main } = require('../../lib/cli/main.js');
const { Distributed } = require('../helpers/distributed');
const { TestHosts } = require('../helpers/hosts');
const { makeApp } = require('../helpers/hosted-app');
const { needs, startNats } = require('../helpers/servers');
const { until } = require('../helpers/until');

const LIMIT_MS = 60_000;
const IGNIS = path.join(__dirname, '..', '..', 'bin', 'ignis.js');

describe('a module on the hosts of a cluster', function () {
  this.timeout(3 * LIMIT_MS);

  /** @type {TestHosts} */
  let hosts;
  let server;
  let file;
  let on = null;
  /** @type {Set<{child: import('node:child_process').ChildProcess, ended: Promise<unknown>}>} that have not ended */
  const running = new Set();
  before(async function () {
    server = await startNats(needs('nats', this));
    hosts = await TestHosts.make(['home', 'host1', 'host2', 'stranger']);
    file = makeApp(path.join(hosts.folder, 'app'));
  });
  afterEach(async () => {
    // Of a test that has failed: they would keep mocha alive for good.
    for (const { child, ended } of running) {
      child.kill('SIGKILL');
      await ended;
    }
    await on?.close();
    on = null;
  });
  after(async () => {
    await hosts?.close();
    await server?.end();
  });

  const join = (name, ...args) => hosts.process(name, ['--cluster', server.url, ...args]);

  /** As an operator ends it: it leaves the cluster first. */
  async function leave({ child, exited }) {
    child.kill('SIGTERM');
    assert.deepEqual(await exited, { code: 0, signal: null });
  }

  /** @param {object} recipe @param {number} count */
  async function place(recipe, count) {
    const whole = { where: 'host', cluster: server.url, call: 'await', pure: true, copies: [0, 8], sched: 'rr', ...recipe };
    on = new Distributed(file, whole, 'cluster', { ...hosts.home, startMs: LIMIT_MS });
    await resize(count);
    return on.lib;
  }

  /** Asks again until they are there: a host that was just started may not have joined yet. */
  async function resize(count) {
    await until(
      async () => {
        await on.set.resize(count);
        return on.set.ready === count;
      },
      () => `${count} replicas: ${on.failures.map(({ message }) => message)}`,
      LIMIT_MS,
    );
  }

  const where = () =>
    on.set
      .records()
      .filter(({ state }) => state !== 'ended')
      .map((record) => /^host (\w+)/.exec(record.where)[1])
      .sort();

  async function nodes(...args) {
    const child = spawn(process.execPath, [IGNIS, 'nodes', '--cluster', server.url, ...args], { stdio: ['ignore', 'pipe', 'pipe'] });
    const seen = { out: '', err: '' };
    child.stdout.setEncoding('utf8').on('data', (text) => (seen.out += text));
    child.stderr.setEncoding('utf8').on('data', (text) => (seen.err += text));
    const ended = new Promise((resolve) => child.once('close', (code, signal) => resolve({ code, signal })));
    const one = { child, ended };
    running.add(one);
    void ended.then(() => running.delete(one));
    return { child, seen, ended };
  }

  async function list() {
    let out = '';
    const { code, launch } = main(['nodes', '--cluster', server.url, '--json'], { out: (text) => (out += text), err: () => {}, env: {} });
    assert.equal(code, 0);
    await launch();
    return JSON.parse(out);
  }

  it('is spread over them, listed, kept while the engine is away, and placed again when it is back', async () => {
    const one = await join('host1', '--labels', 'disk=fast');
    const two = await join('host2', '--max-replicas', '2');
    const lib = await place({}, 1);
    await until(async () => (await list()).filter(({ state }) => state === 'here').length === 2, 'both hosts are listed', LIMIT_MS);
    await resize(3);
    assert.equal(new Set(await Promise.all(Array.from({ length: 30 }, () => lib.pid()))).size, 3);
    assert.deepEqual([...new Set(where())], ['host1', 'host2'], 'both serve');

    const [first, second] = await list();
    assert.deepEqual([first.name, first.state, first.labels, first.port], ['host1', 'here', { disk: 'fast' }, one.port]);
    assert.deepEqual([second.name, second.state, second.maxReplicas, second.port], ['host2', 'here', 2, two.port]);
    assert.equal(first.node, process.version);
    assert.ok(first.speed > 0 && first.cpus > 0);
    const placed = [...first.placed, ...second.placed];
    assert.deepEqual(
      placed.map(({ name, module }) => `${name}:${module}`),
      [`home:${file}`, `home:${file}`, `home:${file}`],
    );
    assert.deepEqual(
      [first.placed.length, second.placed.length],
      ['host1', 'host2'].map((name) => where().filter((host) => host === name).length),
    );

    await server.kill();
    await until(() => one.seen.err.includes('is no longer heard by the cluster'), 'the daemon notices', LIMIT_MS);
    assert.equal(await lib.fib(15), 610);
    assert.equal(new Set(await Promise.all(Array.from({ length: 30 }, () => lib.pid()))).size, 3, 'calls go on');
    await on.set.resize(4);
    await until(() => on.failures.length > 0, 'no new place is given', LIMIT_MS);
    assert.equal(on.failures.at(-1).code, 'IGNIS_NO_HOST');
    assert.match(on.failures.at(-1).message, /the engine of the cluster cannot be reached/);
    assert.equal(on.set.ready, 3);
    await server.restart();
    await resize(4);
    await on.close();
    on = null;
    await until(async () => (await list()).every(({ placed: left }) => left.length === 0), 'its places are free', LIMIT_MS);
    for (const host of [one, two]) await leave(host);
    assert.deepEqual(await list(), []);
  });

  it('goes where its labels are, and stays at home where no host has them', async () => {
    const one = await join('host1', '--labels', 'disk=slow,zone=a');
    const two = await join('host2', '--labels', 'disk=fast,zone=a');
    const lib = await place({ labels: { disk: 'fast', zone: 'a' } }, 2);
    assert.deepEqual(where(), ['host2', 'host2']);
    assert.equal(await lib.fib(10), 55);
    await on.close();
    on = new Distributed(
      file,
      { where: 'host', cluster: server.url, labels: { disk: 'none' }, call: 'await', pure: true },
      'cluster',
      hosts.home,
    );
    await on.set.resize(1);
    await until(() => on.failures.length > 0, 'no host takes it', LIMIT_MS);
    assert.match(on.failures[0].message, /host1 is not labelled disk=none; host2 is not labelled disk=none/);
    assert.notEqual(await on.lib.pid(), undefined);
    for (const host of [one, two]) await leave(host);
  });

  it('ends with its program, which no thread or socket to the engine keeps alive', async function () {
    this.timeout(LIMIT_MS);
    const link = JSON.stringify(require.resolve('../../lib/host/directory-link.js'));
    const text = `const { DirectoryLink } = require(${link});
      const link = new DirectoryLink({ cluster: ${JSON.stringify(server.url)}, home: 'home' });
      const wait = setInterval(() => {}, 1000);
      link.survey().then(({ nodes }) => { console.log('hosts:', nodes.length); clearInterval(wait); });`;
    const child = spawn(process.execPath, ['-e', text], { stdio: ['ignore', 'pipe', 'inherit'] });
    let out = '';
    child.stdout.setEncoding('utf8').on('data', (more) => (out += more));
    const timer = setTimeout(() => child.kill('SIGKILL'), LIMIT_MS / 2);
    const code = await new Promise((resolve) => child.once('close', resolve));
    clearTimeout(timer);
    assert.deepEqual([code, out], [0, 'hosts: 0\n']);
  });

  it('is listed again when it changes, until that is stopped', async () => {
    const { child, seen, ended } = await nodes('--watch', '--json');
    await until(() => seen.out.endsWith('\n'), 'a first list', LIMIT_MS);
    const one = await join('host1');
    const last = () => JSON.parse(seen.out.trim().split('\n').at(-1)).find(({ name }) => name === 'host1');
    await until(() => last()?.state === 'here', 'the host is listed', LIMIT_MS);
    await server.kill();
    await until(() => last().state === 'unknown', 'nobody knows of it while the engine is away', LIMIT_MS);
    await server.restart();
    await until(() => last().state === 'here', 'it is heard again', LIMIT_MS);
    await leave(one);
    await until(() => last()?.state === 'left', 'it left', LIMIT_MS);
    child.kill('SIGINT');
    assert.deepEqual(await ended, { code: 0, signal: null }, seen.err);
  });

  it('has one host of a name: another daemon serves, and does not join before that one has ended', async () => {
    const one = await join('host1');
    await until(() => one.seen.err.includes('has joined the cluster as host1'), 'the first has joined', LIMIT_MS);
    const other = await join('host1');
    await until(
      () => other.seen.err.includes('has not joined the cluster: another host of the cluster has this name: host1'),
      'the second has not',
      LIMIT_MS,
    );
    const [{ port }] = await list();
    assert.equal(port, one.port);
    await leave(one);
    await until(() => other.seen.err.includes('has joined the cluster as host1'), 'the second has, once the first has ended', LIMIT_MS);
    assert.deepEqual(
      (await list()).map((member) => [member.name, member.port]),
      [['host1', other.port]],
    );
    await leave(other);
  });

  it('has a host again that was paused, and whose name another one took, when that one has ended', async () => {
    const one = await join('host1');
    await until(() => one.seen.err.includes('has joined the cluster as host1'), 'the first has joined', LIMIT_MS);
    one.child.kill('SIGSTOP');
    const other = await join('host1');
    await until(() => other.seen.err.includes('has joined the cluster as host1'), 'the second has its name', LIMIT_MS);
    one.child.kill('SIGCONT');
    await until(() => one.seen.err.includes('is no longer in the cluster'), 'the first hears of it', LIMIT_MS);
    await leave(other);
    await until(() => one.seen.err.split('has joined the cluster as host1').length === 3, 'the first has it again', LIMIT_MS);
    await leave(one);
  });

  it('lists no place of a home that was killed', async () => {
    const { startHome } = require('../helpers/home-program');
    const one = await join('host1');
    await until(() => one.seen.err.includes('has joined the cluster as host1'), 'it has joined', LIMIT_MS);
    const recipe = { where: 'host', cluster: server.url, call: 'await', pure: true, copies: 1 };
    const home = startHome(
      path.join(hosts.folder, 'app'),
      `ignis.start({ quiet: true, startMs: 30000, identity: ${JSON.stringify(hosts.keys('home'))} });
      const hot = ignis()('./hot', ${JSON.stringify(recipe)});
      setInterval(async () => (await hot.pid()) !== process.pid && tell('there'), 50);`,
    );
    const placed = async () => (await list()).find(({ name }) => name === 'host1').placed.map(({ module }) => module);
    await until(() => home.lines.includes('there'), () => `its replica: ${one.seen.err}`, LIMIT_MS); // prettier-ignore
    assert.deepEqual(await placed(), ['./hot.js']);
    home.child.kill('SIGKILL');
    await home.ended;
    assert.deepEqual(await placed(), []);
    await leave(one);
  });

  it('goes to no host whose certificate is not the one that was recorded', async () => {
    const { openEngine } = require('../../lib/host/engine.js');
    const one = await join('host1');
    await until(() => one.seen.err.includes('has joined the cluster'), 'it has joined', LIMIT_MS);
    const engine = await openEngine(server.url);
    const { value } = await engine.get('members/host1');
    await leave(one);
    // Somebody who owns the engine leads home to another: to a host of the same authority and another name, and to one of that name and
    // another certificate.
    const [stranger, right] = [await hosts.process('stranger'), await hosts.process('host1')];
    let beat = 0;
    async function follow(record) {
      await engine.put('members/host1', { ...record, beat: (beat += 1) });
      on = new Distributed(file, { where: 'host', cluster: server.url, call: 'await', pure: true }, 'cluster', hosts.home);
      await on.set.resize(1);
      await until(() => on.failures.length > 0 || on.set.ready === 1, 'it is served or refused', LIMIT_MS);
      const [failure = null] = on.failures;
      await on.close();
      on = null;
      return failure;
    }
    assert.match((await follow({ ...value, port: stranger.port })).message, /is 'stranger', which is not who it must be/);
    assert.match((await follow({ ...value, port: right.port, fingerprint: 'AB:CD' })).message, /is 'host1', which is not who it must be/);
    assert.equal(await follow({ ...value, port: right.port }), null);
    await engine.delete('members/host1');
    await engine.close();
    await stranger.close();
    await right.close();
  });

  it('leaves while its cluster says nothing, and says that it could not tell it', async () => {
    const one = await join('host1');
    await until(() => /has joined the cluster/.test(one.seen.err), 'that it has joined', LIMIT_MS);
    server.send('SIGSTOP');
    try {
      one.child.kill('SIGTERM');
      let ended = null;
      void one.exited.then((how) => (ended = how));
      // One request is waited for for three seconds, and there are several.
      await until(() => ended, 'its end', 3500);
      assert.deepEqual(ended, { code: 0, signal: null });
      // What it said last may be read after its end.
      const said = /its cluster has said nothing for 1500 ms, and does not learn that this host leaves$/m;
      await until(() => said.test(one.seen.err), 'that it could not tell its cluster', LIMIT_MS);
    } finally {
      server.send('SIGCONT');
    }
  });
});
