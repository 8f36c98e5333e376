'use strict';

// `ignis keys` and `ignis daemon` as commands: what they make, what they refuse to begin with, and that they hold no secret out.

const assert = require('node:assert/strict');
const { X509Certificate } = require('node:crypto');
const fs = require('node:fs');
const net = require('node:net');
const os = require('node:os');
const path = require('node:path');
const { call, spawn } = require('./call.js');
const { TestHosts } = require('../helpers/hosts');
const { until } = require('../helpers/until');
const { Hosts } = require('../../lib/host/hosts');
const { readIdentity } = require('../../lib/host/identity');
const { makeAuthority, makeKeys } = require('../../lib/host/keys');
const { readManifest, sign } = require('../../lib/host/manifest');

describe('ignis keys', function () {
  this.timeout(60000);
  let hosts;
  before(async () => {
    hosts = await TestHosts.make();
  });
  after(() => hosts.close());

  it('makes an authority, identities and a deploy key in one command, for their owner alone', () => {
    const folder = path.join(hosts.folder, 'made');
    const { code, out, err } = spawn(['keys', folder, '--names', 'home,alpha']);
    assert.deepEqual([code, err], [0, '']);
    assert.ok(out.includes(path.join(folder, 'alpha')) && !/PRIVATE|BEGIN/.test(out));
    const files = fs.readdirSync(folder, { recursive: true }).filter((name) => fs.statSync(path.join(folder, name)).isFile());
    assert.equal(files.length, 10);
    for (const name of files) assert.equal(fs.statSync(path.join(folder, name)).mode & 0o777, 0o600, name);
    assert.equal(readIdentity({ identity: path.join(folder, 'home') }, true).name, 'home');
    const before = fs.readFileSync(path.join(folder, 'home', 'key.pem'), 'utf8');
    assert.equal(spawn(['keys', folder, '--names', 'home,beta']).code, 0);
    assert.equal(fs.readFileSync(path.join(folder, 'home', 'key.pem'), 'utf8'), before, 'what is there stays');
    readIdentity({ identity: path.join(folder, 'beta') }, false);
  });

  it('makes what says whose it is: a host is no home, nor a home a host', async () => {
    const folder = path.join(hosts.folder, 'roles');
    await makeKeys(folder, ['alpha', 'beta']);
    const read = (/** @type {string} */ name, /** @type {boolean} */ isHome) => readIdentity({ identity: path.join(folder, name) }, isHome);
    assert.throws(() => read('alpha', false), { code: 'IGNIS_BAD_OPTION', message: /alpha was made for a home, not for a host; the first of the names given to .* is the home$/ }); // prettier-ignore
    assert.throws(() => read('beta', true), { code: 'IGNIS_BAD_OPTION', message: /beta was made for a host, not for a home;/ });
    fs.rmSync(path.join(folder, 'beta', 'deploy.pub'));
    assert.throws(() => read('beta', false), /the deploy key cannot be read from .*deploy\.pub \(ENOENT\)/);
  });

  it('says how long each is good, which has expired, and which is only half there', async () => {
    const folder = path.join(hosts.folder, 'old');
    await makeKeys(folder, ['home', 'alpha'], { days: -1 });
    const again = spawn(['keys', folder, '--names', 'home,alpha,beta']);
    assert.deepEqual([again.code, again.out.match(/HAS EXPIRED on \d{4}-\d\d-\d\d/g).length], [0, 2]);
    assert.match(again.out, /beta\n {2}is valid until \d{4}-\d\d-\d\d\n/);
    for (const name of ['key.pem', 'cert.pem']) fs.rmSync(path.join(folder, 'alpha', name));
    assert.match(spawn(['keys', folder, '--names', 'home,alpha']).out, /alpha\n {2}is valid until/);
    fs.rmSync(path.join(folder, 'alpha', 'key.pem'));
    const half = spawn(['keys', folder, '--names', 'home,alpha']);
    assert.deepEqual([half.code, half.out], [2, '']);
    assert.match(half.err, /alpha.cert\.pem exists without the other half of its pair/);
  });

  it('says to whom files are to be given that another user has made', async () => {
    const folder = path.join(hosts.folder, 'foreign');
    await makeKeys(folder, ['home', 'alpha']);
    const { readFileSync } = fs;
    fs.readFileSync = (file, ...how) => {
      if (String(file).endsWith('key.pem')) throw Object.assign(new Error('permission denied'), { code: 'EACCES' });
      return readFileSync(file, ...how);
    };
    try {
      assert.throws(() => readIdentity({ identity: path.join(folder, 'alpha') }, false), {
        code: 'IGNIS_BAD_OPTION',
        message: /key\.pem \(EACCES\); give it, and its folder, to the user of this process \(uid \d+\)$/,
      });
    } finally {
      fs.readFileSync = readFileSync;
    }
  });

  it('makes none that is good for longer than its authority, and none by one that has expired', async () => {
    const folder = path.join(hosts.folder, 'ending');
    const write = (/** @type {string} */ name, /** @type {{key: string, cert: string}} */ { key, cert }) => {
      fs.mkdirSync(path.join(folder, name), { recursive: true });
      fs.writeFileSync(path.join(folder, name, 'key.pem'), key);
      fs.writeFileSync(path.join(folder, name, 'cert.pem'), cert);
    };
    const ending = await makeAuthority(10);
    write('authority', ending);
    const until = new Date(new X509Certificate(ending.cert).validTo).toISOString().slice(0, 10);
    const { out } = spawn(['keys', folder, '--names', 'home,alpha']);
    assert.equal(out.match(new RegExp(`is valid until ${until}\n`, 'g'))?.length, 2, out);
    const expired = await makeAuthority(-1);
    write('authority', expired);
    const late = spawn(['keys', folder, '--names', 'home,beta']);
    assert.deepEqual([late.code, late.out], [2, '']);
    assert.match(
      late.err,
      /authority.cert\.pem has expired \(.* GMT\): nobody whom it certifies is accepted; make the keys of all nodes again/,
    );
    assert.ok(!fs.existsSync(path.join(folder, 'beta')));
    // Of two that stand there, one is enough.
    const trust = path.join(folder, 'home', 'trust.pem');
    const read = () => readIdentity({ identity: path.join(folder, 'home') }, true);
    fs.writeFileSync(trust, expired.cert);
    assert.throws(read, {
      code: 'IGNIS_BAD_OPTION',
      message: /trust\.pem has expired \(.* GMT\), and nobody whom it certifies is accepted$/,
    });
    fs.writeFileSync(trust, `the old one\n${expired.cert}the new one\n${ending.cert}`);
    assert.equal(read().name, 'home');
  });

  it('lets a host take the code of a further home beside that of the first, and says what is to be done', async () => {
    const folder = path.join(hosts.folder, 'two');
    const at = (...parts) => path.join(folder, ...parts);
    await makeKeys(folder, ['home', 'alpha', 'beta']);
    const { code, out } = spawn(['keys', folder, '--names', 'other,alpha,gamma']);
    assert.equal(code, 0);
    assert.match(out, /alpha\n.*\n {2}now also accepts code from other: .*copy its deploy\.pub to that host/);
    assert.match(out, /gamma\n.*\n {2}copy this to that host only, and start there: .* --homes other\n/);
    const again = spawn(['keys', folder, '--names', 'other,alpha']);
    assert.match(again.out, /alpha\n.*\n {2}copy this to that host only/, 'it has the key already');
    assert.equal(fs.statSync(at('alpha', 'deploy.pub')).mode & 0o777, 0o600);
    const signed = (name) => {
      const [key] = readIdentity({ identity: at(name) }, true).deploy;
      const text = JSON.stringify({ version: 1, files: [], links: [], native: null });
      return [text, sign(text, key)];
    };
    const takenBy = (host, home) => readManifest(...signed(home), ...readIdentity({ identity: at(host) }, false).deploy).version;
    assert.deepEqual([takenBy('alpha', 'home'), takenBy('alpha', 'other'), takenBy('gamma', 'other')], [1, 1, 1]);
    for (const [host, home] of [
      ['beta', 'other'],
      ['gamma', 'home'],
    ])
      // prettier-ignore
      assert.throws(() => takenBy(host, home), { code: 'IGNIS_BAD_BUNDLE' });
  });

  it('makes none beside those of another authority, which would neither take them nor be taken', async () => {
    const folder = path.join(hosts.folder, 'moved');
    const at = (...parts) => path.join(folder, ...parts);
    await makeKeys(folder, ['home', 'alpha']);
    fs.renameSync(at('authority'), at('kept-elsewhere'));
    const fails = (names, pattern) => {
      const { code, out, err } = spawn(['keys', folder, '--names', names]);
      assert.deepEqual([code, out], [2, '']);
      assert.match(err, pattern);
    };
    fails('home,beta', /moved.home was certified by an authority that is no longer in .*moved.authority; restore that one, or make /);
    assert.deepEqual([at('authority'), at('beta')].map(fs.existsSync), [false, false]);
    fs.renameSync(at('kept-elsewhere'), at('authority'));
    assert.equal(spawn(['keys', folder, '--names', 'home,beta']).code, 0);
    const other = path.join(hosts.folder, 'moved-other');
    await makeKeys(other, ['home', 'alpha']);
    fs.rmSync(at('authority'), { recursive: true });
    fs.cpSync(path.join(other, 'authority'), at('authority'), { recursive: true });
    fails('home,gamma', /moved.home was certified by another authority than the one of this folder; restore that one, /);
    for (const name of ['key.pem', 'cert.pem']) fs.rmSync(at('home', name));
    fails('home,gamma', /home.trust\.pem has another authority than the one of this folder; restore that one, /);
  });

  it('names the file that is something else, and the folder that was made for another role', async () => {
    const folder = path.join(hosts.folder, 'wrong');
    await makeKeys(folder, ['home', 'alpha']);
    const fails = (names, pattern) => {
      const { code, out, err } = spawn(['keys', folder, '--names', names]);
      assert.deepEqual([code, out], [2, '']);
      assert.match(err, pattern);
      assert.doesNotMatch(err, / at |PRIVATE/);
    };
    fails('alpha,beta', /wrong.alpha was made for a host, and cannot be a home/);
    fails('gamma,home', /wrong.home was made for a home, and cannot be a host/);
    for (const [file, what] of [
      ['alpha/deploy.pub', 'an Ed25519 public key in PEM'],
      ['home/deploy.key', 'an Ed25519 private key in PEM'],
      ['home/cert.pem', 'a certificate in PEM'],
      ['authority/key.pem', 'a private key in PEM'],
      ['authority/cert.pem', 'a certificate in PEM'],
    ]) {
      fs.writeFileSync(path.join(folder, file), 'something else');
      fails('home,alpha', new RegExp(`${file} is not ${what}`));
    }
  });

  it('takes no name that is no folder of its own', async () => {
    const folder = path.join(hosts.folder, 'none');
    for (const names of [['home'], ['home', '../x'], ['home', 'home'], ['home', 'authority'], ['home', 'a b']])
      await assert.rejects(makeKeys(folder, names), { code: 'IGNIS_BAD_OPTION' });
    assert.equal(call(['keys']).code, 2);
    assert.equal(fs.existsSync(folder), false);
  });

  it('says so where no folder can be made', function () {
    if (process.platform !== 'linux') this.skip();
    for (const [folder, why] of [
      ['/proc/nope/keys', 'ENOENT'],
      [path.join(__filename, 'keys'), 'ENOTDIR'],
    ]) {
      const { code, out, err } = spawn(['keys', folder]);
      assert.deepEqual([code, out], [2, '']);
      assert.match(err, new RegExp(`^ignis: .*keys cannot be written into the folder ${folder}: ${why}.* \\(IGNIS_BAD_OPTION\\)\n$`));
    }
  });
});

describe('ignis daemon', function () {
  this.timeout(60000);
  let hosts;
  before(async () => {
    hosts = await TestHosts.make();
  });
  after(() => hosts.close());

  it('says so where the folder of its store cannot be made', function () {
    if (process.platform !== 'linux') this.skip();
    const { code, out, err } = spawn([
      'daemon',
      '--identity',
      hosts.keys('host1'),
      '--store',
      '/proc/nope/store',
      '--listen',
      '127.0.0.1:0',
    ]);
    assert.deepEqual([code, out], [2, '']);
    assert.match(err, /the store \/proc\/nope\/store cannot be made: ENOENT[^\n]*; name another one with --store \(IGNIS_BAD_OPTION\)\n$/);
  });

  it('says what to name where its user is a number without a name and a home folder, as in some containers', function () {
    const { homedir, userInfo } = os;
    const { getuid } = process;
    if (getuid === undefined) this.skip();
    const { XDG_CACHE_HOME } = process.env;
    delete process.env.XDG_CACHE_HOME;
    const none = () => {
      throw new Error('A system error occurred: uv_os_homedir returned ENOENT (no such file or directory)');
    };
    Object.assign(os, { homedir: none, userInfo: none });
    process.getuid = () => 12345;
    try {
      const args = ['daemon', '--identity', hosts.keys('host1'), '--listen', '127.0.0.1:0'];
      const { code, err } = call(args);
      assert.deepEqual(
        [code, err],
        [
          2,
          'ignis: an option or argument of Ignis is wrong: the user of this daemon has no home folder: name a folder for code with --store (IGNIS_BAD_OPTION)\n',
        ],
      );
      const named = call([...args, '--store', path.join(hosts.folder, 'named'), '--user', 'somebody']);
      assert.match(named.err, /only a daemon that runs as root can run replicas as 'somebody'/);
    } finally {
      Object.assign(os, { homedir, userInfo });
      Object.assign(process, { getuid });
      if (XDG_CACHE_HOME !== undefined) process.env.XDG_CACHE_HOME = XDG_CACHE_HOME;
    }
  });

  it('does not begin with the store of another daemon, as long as that one runs', async () => {
    const store = path.join(hosts.folder, 'one-store');
    const args = ['--identity', hosts.keys('host2'), '--store', store, '--user', os.userInfo().username, '--listen'];
    const one = await hosts.process('host1', ['--store', store]);
    const { code, out, err } = spawn(['daemon', ...args, '127.0.0.1:0']);
    assert.deepEqual([code, out], [2, '']);
    assert.match(err, new RegExp(`another daemon \\(process ${one.child.pid}\\) uses the store [^\n]*one-store: [^\n]*\n$`));
    await one.close();
    const next = await hosts.process('host2', ['--store', store]);
    next.child.kill('SIGTERM');
    assert.deepEqual(await next.exited, { code: 0, signal: null });
    assert.deepEqual(fs.readdirSync(store).sort(), ['bundles', 'files', 'partial'], 'it is given up');
  });

  it('stops where a daemon of another container has taken its store', async function () {
    // Elsewhere nobody tells one container from another.
    if (process.platform !== 'linux') this.skip();
    const store = path.join(hosts.folder, 'taken-store');
    const one = await hosts.process('host1', ['--store', store]);
    fs.writeFileSync(path.join(store, 'lock'), '77 1 another-space');
    assert.deepEqual(await one.exited, { code: 0, signal: null });
    assert.match(one.seen.err, /^ignis daemon: process 77 has taken over the store, [^\n]*\nignis daemon: stops$/m);
    assert.equal(fs.readFileSync(path.join(store, 'lock'), 'utf8'), '77 1 another-space');
  });

  it('does not begin where replicas could not read their code', function () {
    if (process.getuid?.() !== 0) this.skip();
    const closed = path.join(hosts.folder, 'closed');
    fs.mkdirSync(closed, { mode: 0o700 });
    const args = ['daemon', '--identity', hosts.keys('host1'), '--listen', '127.0.0.1:0', '--user', 'nobody'];
    const { code, out, err } = spawn([...args, '--store', path.join(closed, 'store')]);
    assert.deepEqual([code, out], [2, '']);
    assert.match(err, /replicas run as 'nobody', who may not read [^\n]*\n$/);
  });

  it('does not begin without an identity, nor with files that are none', () => {
    const key = fs.readFileSync(path.join(hosts.keys('host1'), 'key.pem'), 'utf8').split('\n')[1];
    const cases = [
      [[], /a daemon needs --identity/],
      [['--identity', path.join(hosts.folder, 'absent')], /cannot be read .*key\.pem \(ENOENT\)/],
      [['--identity', hosts.keys('home')], /home was made for a home, not for a host/],
      [['--identity', hosts.keys('host1'), '--deploy-key', path.join(hosts.keys('home'), 'deploy.key')], /is not an Ed25519 public key/],
      [['--identity', hosts.keys('host1'), '--trust', path.join(hosts.keys('host1'), 'key.pem')], /is not a certificate/],
      [['--identity', hosts.keys('host1'), '--listen', 'everywhere'], /ADDRESS:PORT/],
      [['--identity', hosts.keys('host1'), '--insecure'], /insecure/],
    ];
    for (const [args, right] of cases) {
      const { code, err } = call(['daemon', ...args]);
      assert.equal(code, 2, String(right));
      assert.match(err, right);
      assert.ok(!err.includes(key));
    }
  });

  it('says that its port is taken', async () => {
    const other = net.createServer();
    await new Promise((resolve) => other.listen(0, '127.0.0.1', resolve));
    try {
      const args = [
        '--identity',
        hosts.keys('host1'),
        '--store',
        path.join(hosts.folder, 's'),
        '--listen',
        `127.0.0.1:${other.address().port}`,
      ];
      const { code, err } = spawn(['daemon', ...args]);
      assert.equal(code, 2);
      assert.match(err, /cannot be listened on: the port is in use \(IGNIS_BAD_OPTION\)/);
    } finally {
      other.close();
    }
  });

  it('has loaded all that its first link and its first replica need before it listens, as it could not say meanwhile that it lives', async () => {
    const { NODE_OPTIONS } = process.env;
    process.env.NODE_OPTIONS = `-r ${path.join(__dirname, '../fixtures/hosts/late.js')}`;
    const one = await hosts.process('host1').finally(() => {
      if (NODE_OPTIONS === undefined) delete process.env.NODE_OPTIONS;
      else process.env.NODE_OPTIONS = NODE_OPTIONS;
    });
    const own = new Hosts(hosts.home, () => {});
    const { stream } = await own.get(one.node).start({ onExit() {}, isResident: false });
    stream.on('error', () => {});
    await own.close();
    await one.close();
    assert.match(one.seen.err, /replica 1 of home started/);
    assert.doesNotMatch(one.seen.err, /^late:/m);
  });

  it('ends at a SIGTERM that comes while it looks up where it is to listen', () => {
    const slow = path.join(hosts.folder, 'slow.js');
    fs.writeFileSync(
      slow,
      `const dns = require('node:dns');
      const { lookup } = dns;
      dns.lookup = (...args) => {
        const waiting = setInterval(() => {}, 1000);
        process.once('SIGTERM', () => setImmediate(() => (clearInterval(waiting), lookup(...args))));
        process.kill(process.pid, 'SIGTERM');
      };`,
    );
    const who = ['--identity', hosts.keys('host1'), '--user', os.userInfo().username];
    const args = ['daemon', '--listen', 'localhost:0', '--store', path.join(hosts.folder, 'slow'), ...who];
    const { code, out, err } = spawn(args, { env: { NODE_OPTIONS: `--require ${slow}` } });
    assert.deepEqual([code, out, err], [0, '', 'ignis daemon: stops\n']);
  });

  it('ends at SIGTERM without waiting for a cluster that takes connections and says nothing', async () => {
    let asked = 0;
    const silent = net.createServer((socket) => {
      asked += 1;
      socket.on('error', () => {}).resume();
    });
    await new Promise((resolve) => silent.listen(0, '127.0.0.1', () => resolve(null)));
    try {
      const one = await hosts.process('host1', ['--cluster', `nats://127.0.0.1:${silent.address().port}`]);
      await until(() => asked > 0, 'that it seeks its cluster');
      one.child.kill('SIGTERM');
      // A connection is waited for for ten seconds.
      let ended = null;
      void one.exited.then((how) => (ended = how));
      await until(() => ended, 'its end', 6000);
      assert.deepEqual(ended, { code: 0, signal: null });
      assert.match(one.seen.err, /its cluster has said nothing for 1500 ms$/m);
    } finally {
      silent.close();
    }
  });

  it('shows no secret among its arguments, and ends at SIGTERM', async () => {
    const one = await hosts.process('host1');
    if (process.platform === 'linux') assert.ok(!/PRIVATE|BEGIN/.test(fs.readFileSync(`/proc/${one.child.pid}/cmdline`, 'utf8')));
    one.child.kill('SIGTERM');
    assert.deepEqual(await one.exited, { code: 0, signal: null });
    assert.match(one.seen.err, /^ignis daemon: stops$/m);
  });
});
