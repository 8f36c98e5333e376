'use strict';

// Who does not prove who he is gets nothing: raw sockets, foreign keys, other versions, frames of every wrong kind, against a daemon that
// must go on.

const assert = require('node:assert/strict');
const crypto = require('node:crypto');
const fs = require('node:fs');
const net = require('node:net');
const path = require('node:path');
const tls = require('node:tls');
const { Host } = require('../../lib/host/host');
const { readIdentity } = require('../../lib/host/identity');
const { makeAuthority, makeIdentity } = require('../../lib/host/keys');
const { VERSION } = require('../../lib/host/control-frames');
const { ControlLink } = require('../../lib/host/control-link');
const { KIND, encode, dial } = require('../../lib/host/opening');
const { secureLink } = require('../../lib/host/secure-link');
const { makeCodec } = require('../../lib/wire/codec');
const { SIGN, encodeBlock, encodeSign } = require('../../lib/wire/block');
const { TestHosts } = require('../helpers/hosts');
const { until } = require('../helpers/until');

describe('the trust between hosts', function () {
  this.timeout(60000);

  /** @type {TestHosts} */
  let hosts;
  let one;
  let authority;
  let home;
  before(async () => {
    hosts = await TestHosts.make(['home', 'host1', 'other']);
    one = await hosts.daemon('host1');
    home = readIdentity(hosts.home, true);
    const read = (name) => fs.readFileSync(path.join(hosts.keys('authority'), name), 'utf8');
    authority = { key: read('key.pem'), cert: read('cert.pem') };
  });
  after(() => hosts.close());

  const opened = [];
  afterEach(async () => {
    for (const host of opened.splice(0)) await host.close();
    assert.equal(one.daemon.replicas, 0, 'nothing was started for anybody');
  });

  /** @param {object} [identity] @param {object} [node] */
  function hostAs(identity = {}, node = one.node) {
    const host = new Host(node, { ...home, ...identity }, crypto.randomBytes(16), () => {});
    opened.push(host);
    return host;
  }

  /** What a raw socket gets for some bytes. @param {Buffer[]} parts @returns {Promise<Buffer>} all until the end */
  function answerTo(...parts) {
    return new Promise((resolve) => {
      const socket = net.connect(one.port, '127.0.0.1');
      const got = [];
      socket.on('data', (bytes) => got.push(bytes)).on('error', () => {});
      socket.on('close', () => resolve(Buffer.concat(got)));
      for (const part of parts) socket.write(part);
    });
  }

  /** A link over TLS on which anything can be said. @param {object} [identity] @param {object} [to] */
  async function linkAs(identity = home, { node = one.node, ticket = Buffer.alloc(16) } = {}) {
    const raw = await dial(node, KIND.CONTROL, ticket, 5000);
    const { key, cert, ca } = identity;
    const stream = tls.connect({ socket: raw, key, cert, ca, minVersion: 'TLSv1.3', checkServerIdentity: () => undefined });
    stream.on('error', () => {});
    const ended = new Promise((resolve) => stream.once('close', resolve));
    await Promise.race([ended, new Promise((resolve) => stream.once('secureConnect', resolve))]);
    // What each side begins with: it has no block of the other yet.
    stream.write(encodeSign(SIGN.HAVE, 0));
    // Else it would not see the end.
    stream.resume();
    return { stream, ended };
  }

  /** @param {any} frame */
  const blockOf = (frame) => encodeBlock(makeCodec('msgpackr'), [frame]);

  it('lets the home in whose certificate says so, and tells it what the host is', async () => {
    const host = hostAs();
    await host.link();
    const { platform, arch, node, cpus, builtins, maxReplicas } = host.word.facts;
    assert.deepEqual(
      [platform, arch, node, cpus > 0, builtins, maxReplicas],
      [process.platform, process.arch, process.version, true, ['crypto', 'zlib'], 8],
    );
  });

  it('ends a link that begins with anything else than its opening', async () => {
    const garbage = [
      Buffer.from('GET / HTTP/1.1\r\nHost: localhost\r\n\r\n'),
      crypto.randomBytes(24),
      crypto.randomBytes(4096),
      Buffer.concat([encode(KIND.CONTROL), Buffer.from([1])]),
      Buffer.concat([Buffer.from('IGNIS\0'), Buffer.from([9, 0]), Buffer.alloc(16)]),
      Buffer.concat([Buffer.from('IGNIS\0'), Buffer.from([1, 7]), Buffer.alloc(16)]),
      encode(KIND.REPLICA, crypto.randomBytes(16)),
    ];
    for (const bytes of garbage) assert.equal((await answerTo(bytes)).length, 0);
  });

  it('answers one byte before the handshake, and none to who then speaks no TLS', async () => {
    for (const bytes of [crypto.randomBytes(4096), blockOf([1, 1, 'start', { env: null }, [-1]])]) {
      const raw = await dial(one.node, KIND.CONTROL, Buffer.alloc(16), 5000);
      const got = [];
      const ended = new Promise((resolve) => raw.on('close', resolve).on('error', () => {}));
      raw.on('data', (part) => got.push(part));
      raw.write(bytes);
      await ended;
      // At most an alert of TLS, in clear.
      assert.ok(Buffer.concat(got).length <= 7);
    }
  });

  it('takes no certificate of another authority, none that has expired, none of another name, and not none', async () => {
    const foreign = await makeAuthority();
    const cases = {
      foreign: await makeIdentity('home', foreign, { isHome: true }),
      expired: await makeIdentity('home', authority, { isHome: true, days: -1 }),
      named: await makeIdentity('stranger', authority, { isHome: true }),
      'of a host': {
        key: fs.readFileSync(path.join(hosts.keys('other'), 'key.pem'), 'utf8'),
        cert: fs.readFileSync(path.join(hosts.keys('other'), 'cert.pem'), 'utf8'),
      },
      none: { key: undefined, cert: undefined },
    };
    for (const [what, identity] of Object.entries(cases)) {
      await assert.rejects(
        hostAs(identity).link(),
        (error) => error.code === 'IGNIS_NO_HOST' && error.message.includes(one.node.name),
        what,
      );
    }
    await assert.rejects(hostAs({ ...cases.named, name: 'stranger' }).link(), {
      message: /host1 \(127\.0\.0\.1:\d+\) closed the link after this home had proved to be 'stranger': its --homes do not name that home,/,
    });
    assert.ok(one.log.some((line) => /'stranger' is not a home/.test(line)));
    // Who it was, and on one line, whatever OpenSSL says.
    const failed = () => one.log.filter((line) => /^refused 127\.0\.0\.1: its handshake failed: [^\n]+$/.test(line));
    await until(() => failed().length >= 4, () => one.log.join('\n')); // prettier-ignore
    for (const why of [/CERT_HAS_EXPIRED/, /peer did not return a certificate/]) assert.ok(failed().some((line) => why.test(line)), String(why)); // prettier-ignore
    for (const line of one.log) assert.ok(!line.includes('\n') && !line.includes('somebody'), line);
  });

  it('says that the certificate of home has expired, also where it did while home was linked, and starts nothing', async () => {
    const saying = { code: 'IGNIS_NO_HOST', message: /the certificate of this home has expired \(.* GMT\)/ };
    const expired = await makeIdentity('home', authority, { isHome: true, days: -1 });
    await assert.rejects(hostAs(expired).link(), saying);
    const identity = { ...home };
    const host = new Host(one.node, identity, crypto.randomBytes(16), () => {});
    opened.push(host);
    await host.link();
    identity.cert = expired.cert;
    const log = one.log.length;
    await assert.rejects(host.start({ onExit() {}, isResident: false }), saying);
    assert.ok(!one.log.slice(log).some((line) => /replica/.test(line)));
  });

  it('says that it is the clock, where a certificate is not good yet', async () => {
    const { cert, key } = await makeIdentity('host1', authority, { inDays: 2 });
    const clock = String.raw`the clock of this machine says \w{3}, .* GMT`;
    // Of a file: nothing is begun with it.
    const folder = hosts.keys('host1');
    const files = ['cert.pem', 'key.pem'].map((name) => path.join(folder, name));
    const before = files.map((file) => fs.readFileSync(file, 'utf8'));
    [cert, key].forEach((text, i) => fs.writeFileSync(files[i], text));
    try {
      assert.throws(() => readIdentity({ identity: folder }, false), {
        code: 'IGNIS_BAD_OPTION',
        message: new RegExp(`cert\\.pem is good from .* GMT on, and ${clock}$`),
      });
    } finally {
      before.forEach((text, i) => fs.writeFileSync(files[i], text));
    }
    // Of the other side.
    const early = await makeIdentity('home', authority, { isHome: true, inDays: 2 });
    await assert.rejects(hostAs(early).link(), {
      message: new RegExp(`the certificate of this home is good from .* GMT on, and ${clock}$`),
    });
    await until(() => one.log.some((line) => /CERT_NOT_YET_VALID/.test(line)), () => one.log.join('\n')); // prettier-ignore
    assert.match(String(one.log.find((line) => /CERT_NOT_YET_VALID/.test(line))), new RegExp(`\\(${clock}\\)$`));
    const other = await hosts.daemon('host1', { identity: { ...readIdentity({ identity: folder }, false), cert, key } });
    try {
      await assert.rejects(hostAs({}, other.node).link(), { code: 'IGNIS_NO_HOST', message: new RegExp(`not yet valid \\(${clock}\\)$`) });
    } finally {
      await other.close();
    }
  });

  it('says that the certificate of the daemon itself has expired while it ran', async () => {
    const { cert, key } = await makeIdentity('host1', authority, { days: -1 });
    const other = await hosts.daemon('host1', { identity: { ...readIdentity({ identity: hosts.keys('host1') }, false), cert, key } });
    try {
      await assert.rejects(hostAs({}, other.node).link(), {
        code: 'IGNIS_NO_HOST',
        message: /has expired \(the clock of this machine says/,
      });
      const saying = /; the certificate of this host has expired \(.* GMT\); renew it, and restart the daemon$/;
      await until(() => other.log.some((line) => saying.test(line)), () => other.log.join('\n')); // prettier-ignore
    } finally {
      await other.close();
    }
  });

  it('keeps a link whose host has proved itself for longer than that may take, and none to another host', async () => {
    const linkTo = (node, limitMs) =>
      secureLink(/** @type {any} */ ({ node, title: 'host1' }), home, { kind: KIND.CONTROL, ticket: crypto.randomBytes(16), limitMs });
    const stream = await linkTo(one.node, 2000);
    let hasEnded = false;
    stream.once('close', () => (hasEnded = true));
    await new Promise((resolve) => void setTimeout(resolve, 2100));
    assert.equal(hasEnded, false);
    const before = one.log.length;
    await assert.rejects(linkTo({ ...one.node, name: 'host9' }, 10_000), /which is not who it must be/);
    // It may have been quicker than the other half of the handshake.
    const hasGone = () => one.log.slice(before).some((line) => /^home is gone|its handshake failed/.test(line));
    await until(hasGone, () => one.log.join('\n'));
    stream.destroy();
  });

  it('takes no host for one that it is not', async () => {
    await assert.rejects(hostAs({}, { ...one.node, name: 'host9' }).link(), /'host1', which is not who it must be/);
    const foreign = await makeAuthority();
    await assert.rejects(hostAs({ ca: foreign.cert }).link(), { code: 'IGNIS_NO_HOST' });
    await assert.rejects(hostAs({}, { ip: '127.0.0.1', port: 1 }).link(), /127\.0\.0\.1:1 cannot be reached \(ECONNREFUSED\)/);
    const silent = net.createServer((socket) => socket.on('error', () => {}).end('HTTP/1.1 400 Bad Request\r\n\r\n'));
    await new Promise((resolve) => silent.listen(0, '127.0.0.1', resolve));
    try {
      await assert.rejects(hostAs({}, { ip: '127.0.0.1', port: silent.address().port }).link(), /it is not a daemon of this version/);
    } finally {
      silent.close();
    }
  });

  it('speaks TLS 1.3 only', async () => {
    const raw = await dial(one.node, KIND.CONTROL, Buffer.alloc(16), 5000);
    const stream = tls.connect({ socket: raw, ...home, maxVersion: 'TLSv1.2', checkServerIdentity: () => undefined });
    const [error] = await new Promise((resolve) => stream.once('error', (...all) => resolve(all)));
    assert.match(error.message, /alert|version/i);
  });

  it('ends the link of a home that says what nobody may say, and goes on', async () => {
    const huge = blockOf('x');
    huge.writeUInt32LE(0xfffffff0, 4);
    const version = blockOf('x');
    version[2] = 77;
    const wrong = {
      'no block': crypto.randomBytes(64),
      'a block over the limit': huge,
      'a block of another version': version,
      'no frame': blockOf('x'),
      'no such kind': blockOf([9, 1, {}, [-1]]),
      'no such question': blockOf([1, 1, 'eval', { text: 'process.exit()' }, [-1]]),
      'a name of every object': blockOf([1, 1, 'constructor', {}, [-1]]),
      'a question of a wrong shape': blockOf([1, 1, 'chunk', { digest: '../../x', hash: 'y', offset: -1 }, [-1]]),
      'an answer that nobody waits for': blockOf([2, 1, {}, [-1]]),
      'a text that is none': blockOf([1, 1, 'offer', { text: 7, signature: 1 }, [-1]]),
    };
    for (const [what, bytes] of Object.entries(wrong)) {
      const { stream, ended } = await linkAs();
      const gone = () => one.log.filter((line) => /^home is gone: /.test(line)).length;
      const before = gone();
      stream.write(bytes);
      await ended;
      await until(() => gone() === before + 1, `what the daemon says of ${what}`);
    }
    await hostAs().link();
  });

  it('does nothing for a home that has not said hello, or speaks another version', async () => {
    for (const [frame, right] of [
      [[1, 1, 'start', { env: null }, [-1]], /a link begins with hello/],
      [[1, 1, 'hello', { version: 9, session: Buffer.alloc(16), node: '' }, [-1]], new RegExp(`this host speaks ${VERSION}, home 9`)],
    ]) {
      const { stream, ended } = await linkAs();
      const got = [];
      stream.on('data', (bytes) => got.push(bytes));
      stream.write(blockOf(frame));
      await until(() => right.test(Buffer.concat(got).toString('latin1')), String(right));
      stream.destroy();
      await ended;
    }
  });

  it('lets an address that fails too often wait', async () => {
    const strict = await hosts.daemon('other', { attempts: 3 });
    const knock = () =>
      new Promise((resolve) => {
        const socket = net.connect(strict.port, '127.0.0.1');
        socket.on('error', () => {}).on('close', resolve);
        socket.write(crypto.randomBytes(24));
      });
    for (let i = 0; i < 5; i++) await knock();
    await assert.rejects(hostAs({}, strict.node).link(), { code: 'IGNIS_NO_HOST' });
    assert.equal(strict.log.filter((line) => line.startsWith('refused')).length, 3);
    assert.equal(strict.log.filter((line) => line.includes('linked')).length, 0);
    // A home there is shut out, too, and hears nothing but an end.
    assert.deepEqual(strict.log.slice(3), [
      '127.0.0.1 failed to prove itself 3 times in a minute: connections from there are refused for a while',
    ]);
  });

  it('holds nothing against the address of a home that dialled its link anew, and gave up, while the host stood still', async () => {
    const strict = await hosts.daemon('other', { attempts: 3 });
    const countOf = (what) => strict.log.filter((line) => line.includes(what)).length;
    const ticket = crypto.randomBytes(16);
    const { stream, ended } = await linkAs(home, { node: strict.node, ticket });
    await until(() => countOf('is linked') === 1, 'its link');
    for (let i = 1; i <= 5; i++) {
      const raw = await dial(strict.node, KIND.CONTROL, ticket, 5000);
      raw.on('error', () => {}).destroy();
      await until(() => countOf('its handshake failed') === i, 'that it has ended there');
    }
    await hostAs({}, strict.node).link();
    stream.destroy();
    await ended;
  });

  it('lets no address that says nothing keep others out, and a home that is linked dial many at once', async function () {
    // All of 127.0.0.0/8 is there.
    if (process.platform !== 'linux') this.skip();
    const crowded = await hosts.daemon('other');
    let shut = 0;
    let open = 0;
    const sockets = [];
    const knock = (count, localAddress) => {
      for (let i = 0; i < count; i++) {
        const socket = net.connect({ port: crowded.port, host: '127.0.0.1', localAddress });
        socket.on('connect', () => (open += 1)).on('error', () => {});
        socket.on('close', () => (shut += 1)).resume();
        sockets.push(socket);
      }
    };
    try {
      knock(64, '127.0.0.9');
      await until(
        () => shut === 48,
        () => `${shut} of 48 ends`,
      );
      await hostAs({}, crowded.node).link();
      knock(49, '127.0.0.1');
      await until(
        () => shut === 49 && open === 113,
        () => `${shut} of 49 ends`,
      );
    } finally {
      for (const socket of sockets) socket.destroy();
    }
  });

  it('counts no failure of a home that looks for a replica which has just ended', async () => {
    const strict = await hosts.daemon('other', { attempts: 2 });
    const host = hostAs({}, strict.node);
    let why = null;
    const { id, stream } = await host.start({ onExit: (text) => (why = text) });
    stream.on('error', () => {});
    const way = host.wayTo(id);
    const [{ ticket }] = strict.daemon.housed();
    process.kill([...strict.daemon.housed()][0].pid, 'SIGKILL');
    await until(() => why !== null, 'its end');
    await assert.rejects(way.dial(), /the replica has ended/);
    // As by a home that has not heard of it.
    const knock = (/** @type {Buffer} */ bytes) => assert.rejects(dial(strict.node, KIND.REPLICA, bytes, 5000), /closed the link/);
    for (let i = 0; i < 5; i++) await knock(ticket);
    await hostAs({}, strict.node).link();
    for (let i = 0; i < 2; i++) await knock(crypto.randomBytes(16));
    await assert.rejects(hostAs({}, strict.node).link(), { code: 'IGNIS_NO_HOST' });
    assert.equal(strict.log.filter((line) => line.includes('no replica has its ticket')).length, 7);
  });

  /**
   * The ticket leads to the replica; the certificate, of the same name and authority as home's, is another one.
   *
   * @param {number} kind
   * @returns {Promise<number>}
   */
  async function bytesForStranger(kind) {
    const late = await makeIdentity('home', authority, { isHome: true });
    const { ticket, cert } = [...one.daemon.housed()][0];
    const raw = await dial(one.node, kind, ticket, 5000);
    const stranger = tls.connect({ socket: raw, ...late, ca: cert, minVersion: 'TLSv1.3', checkServerIdentity: () => undefined });
    let bytes = 0;
    stranger.on('data', (chunk) => (bytes += chunk.length)).on('error', () => {});
    await new Promise((resolve) => stranger.once('close', resolve));
    return bytes;
  }

  it('lets only the home to a replica that it was started for', async () => {
    const host = hostAs();
    const { id, stream } = await host.start({ onExit() {} });
    const session = one.daemon;
    assert.equal(session.replicas, 1);
    assert.equal(await bytesForStranger(KIND.REPLICA), 0);
    stream.destroy();
    host.kill(id);
    await until(() => one.daemon.replicas === 0, 'its end');
  });

  it('shuts a stranger out of a replica in which modules are to live, and ends it', async () => {
    const link = await hostAs().link();
    await link.ask('start', { env: null });
    assert.equal(await bytesForStranger(KIND.RESIDENT), 0);
    await until(() => one.daemon.replicas === 0, 'its end');
  });

  it('keeps the replicas of a home that is gone for its lease, and gives them back to that one', async () => {
    const lender = await hosts.daemon('other', { leaseMs: 3_600_000 });
    const session = crypto.randomBytes(16);
    const again = async () => {
      const raw = await dial(lender.node, KIND.CONTROL, Buffer.alloc(16), 5000);
      const stream = tls.connect({ socket: raw, ...home, checkServerIdentity: () => undefined });
      const told = [];
      /** @type {ControlLink} */
      const link = new ControlLink(stream, { onTell: (...all) => told.push(all), onClose() {} });
      const hello = await link.ask('hello', { version: VERSION, session, node: '' });
      return { link, hello, told };
    };
    const first = await again();
    const { replica } = await first.link.ask('start', { env: null });
    first.link.destroy();
    await until(() => lender.log.some((line) => line.startsWith('home is gone')), 'its loss');
    assert.equal(lender.daemon.replicas, 1);
    const second = await again();
    assert.deepEqual(second.hello.replicas, [replica]);
    second.link.tell('bye');
    await until(() => lender.daemon.replicas === 0, 'its end with its home');
    const strict = await hosts.daemon('other', { leaseMs: 0 });
    lender.node = strict.node;
    const third = await again();
    await third.link.ask('start', { env: null });
    third.link.destroy();
    await until(() => strict.log.some((line) => /ended: its home is gone past its lease/.test(line)), 'its end past the lease');
  });

  it('names in its log and its errors no key', () => {
    const secrets = [home.key, authority.key, one.node.name].slice(0, 2).map((pem) => pem.split('\n')[1]);
    for (const line of one.log) for (const secret of secrets) assert.ok(!line.includes(secret));
  });
});
