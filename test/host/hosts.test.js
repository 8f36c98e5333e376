'use strict';

// All hosts that the recipes of one home name.

const assert = require('node:assert/strict');
const crypto = require('node:crypto');
const fs = require('node:fs');
const net = require('node:net');
const os = require('node:os');
const path = require('node:path');
const tls = require('node:tls');
const { ControlLink } = require('../../lib/host/control-link');
const { IgnisError } = require('../../lib/errors');
const { Host } = require('../../lib/host/host');
const { Hosts } = require('../../lib/host/hosts');
const { readIdentity } = require('../../lib/host/identity');
const { GO, readOpening } = require('../../lib/host/opening');
const { BreakingProxy } = require('../helpers/breaking-proxy');
const { makeApp } = require('../helpers/hosted-app');
const { TestHosts } = require('../helpers/hosts');
const { until } = require('../helpers/until');

/**
 * A replica whose link may be reset when all ends.
 *
 * @param {import('../../lib/host/host').Host} host
 * @param {(why: string) => void} [onExit]
 */
async function started(host, onExit = () => {}) {
  const replica = await host.start({ onExit, isResident: false });
  replica.stream.on('error', () => {});
  return replica;
}

describe('the hosts of a home', function () {
  this.timeout(60000);

  /** @type {TestHosts} */
  let hosts;
  before(async () => {
    hosts = await TestHosts.make();
  });
  after(() => hosts.close());

  it('have their replicas side by side where two recipes name one daemon in two ways', async () => {
    const { node, daemon, log } = await hosts.daemon('host1');
    const own = new Hosts(hosts.home, () => {});
    const ways = [node, { ip: node.ip, port: node.port }, { ip: 'localhost', port: node.port }];
    const ended = [];
    /** @param {import('../../lib/host/host').Host} host */
    const start = (host) => started(host, (why) => ended.push(why));
    for (const way of ways) await own.first([way], { bundle: null }, start);
    // An answer to what was asked last: whatever was said before it has been heard.
    for (const way of ways) await (await own.get(way).link()).ask('echo', {});
    assert.deepEqual([daemon.replicas, ended, log.filter((text) => /gone|ended/.test(text))], [ways.length, [], []]);
    await own.close();
  });

  it('keep nobody waiting who say nothing while another one answers: where all have failed, all are asked at the same time', async () => {
    const silent = [];
    const nodes = [];
    for (let i = 0; i < 3; i++) {
      const server = net.createServer((socket) => {
        silent.push(socket);
        socket.on('error', () => {}).once('close', () => silent.splice(silent.indexOf(socket), 1));
      });
      await new Promise((resolve) => server.listen(0, '127.0.0.1', resolve));
      nodes.push({ ip: '127.0.0.1', port: server.address().port, weight: 9, server });
    }
    const { node } = await hosts.daemon('host1');
    const own = new Hosts(hosts.home, () => {});
    const fail = (all) => all.forEach((one) => own.get(one).fail());
    const first = (all) => own.first(all, { bundle: null }, async ({ title }) => title);
    try {
      fail(nodes);
      const none = first(nodes);
      await until(() => silent.length === nodes.length, 'all of them asked, and none answered');
      for (const socket of [...silent]) socket.destroy();
      await assert.rejects(none, { code: 'IGNIS_NO_HOST', message: /(.*(?:closed the link before a handshake|ECONNRESET)){3}/ });
      fail([...nodes, node]);
      assert.match(await first([...nodes, node]), /^host1 /);
      await until(() => silent.length === nodes.length, 'the others, none of which has answered, or run out of time');
      // One that is asked for the first time, and says nothing, is waited for no longer than others take.
      const fresh = new Hosts(hosts.home, () => {});
      assert.match(await fresh.first([nodes[0], node], { bundle: null }, async ({ title }) => title), /^host1 /);
      assert.ok(fresh.get(nodes[0]).isAsked, 'it has not run out of time');
      await fresh.close();
    } finally {
      await own.close();
      for (const socket of [...silent]) socket.destroy();
      for (const { server } of nodes) server.close();
    }
  });

  it('keep nobody waiting who say nothing any more while they start something, and what they give then is given up', async () => {
    const [one, two] = [await hosts.daemon('host1'), await hosts.daemon('host2')];
    const proxy = await BreakingProxy.open(one.port);
    const nodes = [{ ...one.node, port: proxy.port, weight: 9 }, two.node];
    const own = new Hosts(hosts.home, () => {});
    const host = own.get(nodes[0]);
    const givenUp = [];
    const use = async (/** @type {Host} */ used) => {
      if (used === host) proxy.isHolding = true;
      // Answered as soon as it goes on.
      await (await used.link()).ask('echo', {});
      return used.title;
    };
    try {
      assert.match(await own.first(nodes, { bundle: null }, use, (given) => void givenUp.push(given)), /^host2 /);
      assert.deepEqual([host.isLinked, host.load, givenUp], [true, 1, []], 'it is not taken for gone, and may start it yet');
      proxy.isHolding = false;
      await until(() => givenUp.length === 1, 'that it has');
      assert.deepEqual([givenUp, host.load], [[host.title], 0]);
      // Where there is no other one it is waited for.
      const alone = own.first(nodes.slice(0, 1), { bundle: null }, use, () => assert.fail('it was waited for'));
      await until(() => host.isDoubtful, 'that it says nothing');
      proxy.isHolding = false;
      assert.equal(await alone, host.title);
    } finally {
      await own.close();
      await proxy.close();
    }
  });

  it('end no program by a link that breaks before anybody has taken it over, or that was given up', async () => {
    const { node } = await hosts.daemon('host1');
    const own = new Hosts(hosts.home, () => {});
    const { stream } = await own.get(node).start({ onExit() {}, isResident: false });
    const closed = new Promise((resolve) => stream.once('close', () => resolve(null)));
    stream.destroy(new Error('read ECONNRESET'));
    await closed;
    await own.close();
  });

  it('of a cluster that nobody has heard, since they may be gone for long, are asked after those that were heard', async () => {
    let asked = 0;
    const gone = net.createServer((socket) => {
      asked += 1;
      socket.on('error', () => {}).destroy();
    });
    await new Promise((resolve) => gone.listen(0, '127.0.0.1', resolve));
    const { node } = await hosts.daemon('host1');
    const own = new Hosts(hosts.home, () => {});
    const all = ['a', 'b'].map((name) => ({ ip: '127.0.0.1', port: gone.address().port, name, weight: 9, isSilent: true }));
    const first = (others) => own.first([...others, node], { bundle: null }, async ({ title }) => title);
    try {
      assert.match(await first(all), /^host1 /);
      assert.equal(asked, 0);
      assert.match(await own.first([...all, { ...node, isSilent: true }], { bundle: null }, async ({ title }) => title), /^host1 /);
    } finally {
      await own.close();
      gone.close();
    }
  });

  it('are sent one bundle for replicas that start together, and another one later', async () => {
    const own = new Hosts(hosts.home, () => {});
    const folder = fs.mkdtempSync(path.join(os.tmpdir(), 'ignis-hosts-'));
    const file = makeApp(folder);
    const [first, second] = await Promise.all([own.bundle(file), own.bundle(file)]);
    assert.ok(first === second);
    assert.ok((await own.bundle(file)) !== first);
    await own.close();
    fs.rmSync(folder, { recursive: true });
  });

  it('hear nothing that they would end the link for, and all that runs there: home says what is wrong with it', async () => {
    const { node, daemon } = await hosts.daemon('host1');
    const own = new Hosts(hosts.home, () => {});
    const ended = [];
    const { NODE_ENV } = process.env;
    const start = () => own.first([node], { bundle: null }, (host) => started(host, (why) => ended.push(why)));
    try {
      await start();
      process.env.NODE_ENV = 'x'.repeat(65);
      await assert.rejects(start(), { code: 'IGNIS_NO_HOST', message: /host1 \(.*\): .*'env' of 'start' has a wrong shape$/ });
      await (await own.get(node).link()).ask('echo', {});
      assert.deepEqual([ended, daemon.replicas], [[], 1]);
    } finally {
      if (NODE_ENV === undefined) delete process.env.NODE_ENV;
      else process.env.NODE_ENV = NODE_ENV;
      await own.close();
    }
  });

  it('count no replica that ended before home knew of it', async () => {
    const { node, daemon } = await hosts.daemon('host1');
    const own = new Hosts(hosts.home, () => {});
    const host = own.get(node);
    const link = await host.link();
    const ask = link.ask.bind(link);
    link.ask = async (name, body) => {
      const answer = await ask(name, body);
      if (name !== 'start') return answer;
      // A home that computes meanwhile finds both in one block: the answer, and that it has ended.
      process.kill(answer.pid, 'SIGKILL');
      await until(() => daemon.replicas === 0, 'it has ended');
      await ask('echo', {});
      return answer;
    };
    await assert.rejects(started(host), { code: 'IGNIS_NO_HOST' });
    assert.equal(host.load, 0);
    await own.close();
  });

  it('say why a replica was lost with its host, and not of all others that they take none', async () => {
    const { node, close } = await hosts.process('host1');
    const own = new Hosts(hosts.home, () => {});
    const host = own.get(node);
    const asked = new Promise((resolve, reject) => {
      // Read, so that its end is seen.
      started(host, resolve).then(({ stream }) => stream.resume() && close(), reject);
    });
    assert.match(await asked, /^the link to the host host1 \(.*\) ended: 127\.0\.0\.1:\d+ cannot be reached \(ECONNREFUSED\)$/);
    await own.close();
  });

  it('say in the log of their daemon what they refuse a home, once as long as it is the same', async () => {
    const { node, log, daemon } = await hosts.daemon('host1', { storeBytes: 10, maxReplicas: 1 });
    const own = new Hosts(hosts.home, () => {});
    const folder = fs.mkdtempSync(path.join(os.tmpdir(), 'ignis-hosts-'));
    const bundle = await own.bundle(makeApp(folder));
    const host = own.get(node);
    const refused = () => log.filter((text) => text.startsWith('refused'));
    for (let times = 0; times < 2; times++) await assert.rejects(host.ship(bundle), { code: 'IGNIS_HOST_REFUSED' });
    assert.match(
      refused().join(),
      /^refused home: its store of code is full: 0 bytes of 10 are used, and \d+ more are needed \(--store-bytes\)$/,
    );
    await started(host);
    await assert.rejects(started(host), { code: 'IGNIS_HOST_REFUSED' });
    assert.deepEqual(refused().slice(1), ['refused home: it runs 1 replica, and may run 1 (--max-replicas)']);
    await (await host.link()).ask('echo', {});
    const signature = crypto.randomBytes(64);
    await assert.rejects(host.ship({ ...bundle, digest: 'other', signature }), { code: 'IGNIS_BAD_BUNDLE' });
    assert.deepEqual(refused().slice(2), ['refused home: its manifest is not signed with the deploy key']);
    assert.equal(daemon.replicas, 1);
    await own.close();
    fs.rmSync(folder, { recursive: true });
  });

  it('say what native addons were built for where these do not run there', async () => {
    const { node } = await hosts.daemon('host1');
    const own = new Hosts(hosts.home, () => {});
    const host = own.get(node);
    await host.link();
    host.word.facts = { ...host.word.facts, node: 'v9.1.2', modules: '59' };
    const bundle = /** @type {any} */ ({ digest: 'd', isNative: true });
    await assert.rejects(
      own.first([node], { bundle }, (one) => started(one)),
      ({ code, message }) => {
        const { platform, arch, version, versions } = process;
        const [there, here] = [`with Node v9.1.2, interface 59`, `with Node ${version}, interface ${versions.modules}`];
        assert.equal(code, 'IGNIS_NO_HOST');
        assert.ok(message.endsWith(`is ${platform} ${arch} ${there}, where the native addons of this machine (${platform} ${arch} ${here}) do not run`), message); // prettier-ignore
        return true;
      },
    );
    await own.close();
  });

  it('have replicas that are taken whatever the clock of their host says', async () => {
    const { node, daemon } = await hosts.daemon('host2');
    const own = new Hosts(hosts.home, () => {});
    const { now } = Date;
    const DAY_MS = 86400000;
    try {
      // TLS goes by the clock of the system, as home does.
      for (const days of [2, -4000]) {
        Date.now = () => now() + days * DAY_MS;
        await own.first([node], { bundle: null }, (host) => started(host));
      }
      assert.equal(daemon.replicas, 2);
    } finally {
      Date.now = now;
      await own.close();
    }
  });

  it('of another version are linked no longer than it takes to hear that', async () => {
    const { key, cert, ca } = readIdentity({ identity: hosts.keys('host1') }, false);
    const said = { linked: 0, gone: 0 };
    const secure = tls.createServer({ key, cert, ca, minVersion: 'TLSv1.3', requestCert: true }, (stream) => {
      said.linked += 1;
      const onAsk = async () => {
        throw new IgnisError('IGNIS_VERSION_MISMATCH', 'this host speaks 9, home 2');
      };
      new ControlLink(stream, { onAsk, onClose: () => (said.gone += 1) });
    });
    const server = net.createServer({ pauseOnConnect: true }, async (socket) => {
      // Home ends its link at once, which may be a reset.
      socket.on('error', () => {});
      await readOpening(socket, 5000);
      socket.write(GO);
      secure.emit('connection', socket);
    });
    await new Promise((resolve) => server.listen(0, '127.0.0.1', () => resolve(null)));
    const { port } = /** @type {net.AddressInfo} */ (server.address());
    const host = new Host({ ip: '127.0.0.1', port }, readIdentity(hosts.home, true), crypto.randomBytes(16), () => {});
    try {
      for (const tries of [1, 2]) {
        await assert.rejects(host.link(), { code: 'IGNIS_VERSION_MISMATCH' });
        await until(
          () => said.gone === tries,
          () => `an end of each link: ${JSON.stringify(said)}`,
        );
      }
      assert.deepEqual(said, { linked: 2, gone: 2 });
    } finally {
      await host.close();
      server.close();
    }
  });
});
