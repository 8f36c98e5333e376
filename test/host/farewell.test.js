'use strict';

// What a home says as its last, over the link that is for nothing else: who may say it, what counts as said, and that the link is there
// again after it broke.

const assert = require('node:assert/strict');
const crypto = require('node:crypto');
const fs = require('node:fs');
const net = require('node:net');
const path = require('node:path');
const tls = require('node:tls');
const { once } = require('node:events');
const { VERSION } = require('../../lib/host/control-frames');
const { ControlLink } = require('../../lib/host/control-link');
const { Farewell, hearBye } = require('../../lib/host/farewell');
const { Host } = require('../../lib/host/host');
const { readIdentity } = require('../../lib/host/identity');
const { makeIdentity } = require('../../lib/host/keys');
const { KIND, dial } = require('../../lib/host/opening');
const { BreakingProxy } = require('../helpers/breaking-proxy');
const { TestHosts } = require('../helpers/hosts');
const { until } = require('../helpers/until');

describe('the last word of a home', function () {
  this.timeout(30000);

  /** @type {TestHosts} */
  let hosts;
  let home;
  before(async () => {
    hosts = await TestHosts.make(['home', 'host1', 'host2']);
    home = readIdentity(hosts.home, true);
  });
  after(() => hosts.close());

  it('is heard from the home alone whose link has that ticket, and an end without it says nothing', async () => {
    const { daemon, node, log } = await hosts.daemon('host1', { leaseMs: 3_600_000 });
    const ticket = crypto.randomBytes(16);
    /** @param {number} kind @param {Buffer} [shown] @param {{key: string, cert: string}} [who] */
    const streamOf = async (kind, shown = ticket, who = home) => {
      const raw = await dial(node, kind, shown, 5000);
      const { key, cert } = who;
      const stream = tls.connect({ socket: raw, key, cert, ca: home.ca, minVersion: 'TLSv1.3', checkServerIdentity: () => undefined });
      return stream.on('error', () => {});
    };
    /** What a stranger gets. */
    const refused = async (...how) => {
      const stream = await streamOf(KIND.FAREWELL, ...how);
      let bytes = 0;
      stream.on('data', (chunk) => (bytes += chunk.length));
      // One that is heard stays open.
      await Promise.race([once(stream, 'close'), once(stream, 'data')]);
      stream.destroy();
      return bytes;
    };
    const heard = async () => {
      const stream = await streamOf(KIND.FAREWELL);
      const [bytes] = await Promise.race([once(stream, 'data'), once(stream, 'close')]);
      assert.equal(String(bytes), 'H');
      return stream.resume();
    };
    assert.equal(await refused(), 0, 'before its home has said hello');
    const link = new ControlLink(await streamOf(KIND.CONTROL), { onClose() {} });
    await link.ask('hello', { version: VERSION, session: crypto.randomBytes(16), node: '' });
    await link.ask('start', { env: null });

    const read = (name) => fs.readFileSync(path.join(hosts.keys('authority'), name), 'utf8');
    const stranger = await makeIdentity('home', { key: read('key.pem'), cert: read('cert.pem') }, { isHome: true });
    assert.equal(await refused(ticket, stranger), 0);
    assert.equal(await refused(crypto.randomBytes(16)), 0);
    assert.equal(log.filter((line) => /no link to this host has its ticket/.test(line)).length, 3, log.join('; '));

    const [ended, wrong] = [await heard(), await heard()];
    // A newer one takes the place of the one before.
    if (!ended.destroyed) await once(ended, 'close');
    wrong.write('X');
    await once(wrong, 'close');
    const broken = await heard();
    broken.end();
    await once(broken, 'close');
    assert.equal(daemon.replicas, 1);

    const last = await heard();
    last.write('B');
    await once(last, 'close');
    await until(() => daemon.replicas === 0, () => log.join('; ')); // prettier-ignore
    assert.ok(log.some((line) => /ended: its home has ended/.test(line)));
    link.destroy();
  });

  it('is what the log of its daemon has of its end, not how its links broke with it', async () => {
    const { node, log } = await hosts.daemon('host1');
    const host = new Host(node, home, crypto.randomBytes(16), () => {});
    const { stream } = await host.start({ onExit: () => {}, isResident: false });
    stream.on('error', () => {});
    host.farewell();
    await until(() => log.some((line) => /^replica 1 of home ended: its home has ended/.test(line)), () => log.join('; ')); // prettier-ignore
    await host.close();
    await until(() => log.includes('home has ended'), () => log.join('; ')); // prettier-ignore
    assert.deepEqual(log.filter((line) => /is gone/.test(line)), []); // prettier-ignore
  });

  it('can be said again once a link that broke stands again', async () => {
    const { daemon, node, port, log } = await hosts.daemon('host2', { leaseMs: 3_600_000 });
    const proxy = await BreakingProxy.open(port);
    const host = new Host({ ...node, port: proxy.port }, home, crypto.randomBytes(16), () => {});
    const { stream } = await host.start({ onExit() {}, isResident: false });
    stream.on('error', () => {});
    // What its link to the daemon says is not what is heard here.
    const link = await host.link();
    link.flush = () => {};
    const { tell } = link;
    link.tell = (name, body) => (name === 'bye' ? undefined : tell.call(link, name, body));
    // Its link, that of its replica, and this one.
    assert.equal(proxy.count, 3);
    proxy.breakAll();
    assert.equal(daemon.replicas, 1, 'a break is no end');
    await until(() => (host.farewell(), daemon.replicas === 0), () => log.join('; ')); // prettier-ignore
    assert.ok(
      log.some((line) => /is linked again/.test(line)),
      'its link was resumed meanwhile',
    );
    assert.ok(log.some((line) => /ended: its home has ended/.test(line)));
    await host.close();
    await proxy.close();
  });

  describe('the link for it', () => {
    let server;
    let dialled;
    /** @type {Set<net.Socket>} */
    const there = new Set();
    beforeEach(async () => {
      dialled = 0;
      server = net.createServer((socket) => there.add(socket.on('close', () => there.delete(socket)))).listen(0, '127.0.0.1');
      await once(server, 'listening');
    });
    afterEach(async () => {
      await until(() => there.size === 0, 'the end of what was opened');
      server.close();
    });
    const dialIt = async () => {
      dialled += 1;
      const socket = net.connect(server.address().port, '127.0.0.1');
      await once(socket, 'connect');
      return socket.unref();
    };
    const accepted = () => until(() => [...there][0], 'a link');

    it('is made once, however often it is asked for, and says its word', async () => {
      const farewell = new Farewell(dialIt);
      const opened = [farewell.open(), farewell.open()];
      let isTold = false;
      hearBye(await accepted(), () => (isTold = true));
      await Promise.all(opened);
      assert.deepEqual([farewell.isReady, dialled], [true, 1]);
      await farewell.open();
      assert.equal(dialled, 1);
      farewell.say();
      await until(() => isTold, 'the word');
      await until(() => !farewell.isReady, 'its end');
      farewell.say();
    });

    it('says it as it is closed, and nothing as it is shut', async () => {
      for (const how of ['close', 'shut']) {
        const farewell = new Farewell(dialIt);
        const opened = farewell.open();
        let isTold = false;
        const socket = await accepted();
        hearBye(socket, () => (isTold = true));
        await opened;
        farewell[how]();
        assert.equal(farewell.isReady, false);
        await until(() => there.size === 0, 'its end');
        assert.equal(isTold, how === 'close');
      }
    });

    it('is ended where it was shut while it was made, and then can be made again', async () => {
      const farewell = new Farewell(dialIt);
      const early = farewell.open();
      hearBye(await accepted(), () => {});
      farewell.shut();
      await early;
      assert.equal(farewell.isReady, false);
      await until(() => there.size === 0, 'its end');
      const late = farewell.open();
      hearBye(await accepted(), () => {});
      await late;
      assert.equal(farewell.isReady, true);
      farewell.close();
    });

    it('is not asked for again at once where it could not be had, and fails nobody', async () => {
      const nobody = new Farewell(() => (dialled++, Promise.reject(new Error('nobody'))));
      await nobody.open();
      await nobody.open();
      assert.deepEqual([nobody.isReady, dialled], [false, 1]);
      nobody.say();
      nobody.close();
      const other = new Farewell(dialIt);
      const opened = other.open();
      (await accepted()).end('no');
      await opened;
      await other.open();
      assert.deepEqual([other.isReady, dialled], [false, 2]);
    });
  });
});
