'use strict';

// Links to a host that break again and again, through a middle box of this machine: nobody may notice.

const assert = require('node:assert/strict');
const fs = require('node:fs');
const path = require('node:path');
const { spawn } = require('node:child_process');
const { once } = require('node:events');
const { KIND, dial } = require('../../lib/host/opening');
const { readIdentity } = require('../../lib/host/identity');
const { BreakingProxy } = require('../helpers/breaking-proxy');
const { Distributed } = require('../helpers/distributed');
const { TestHosts } = require('../helpers/hosts');
const { Random } = require('../helpers/random');
const { anotherHome, answerTo } = require('../helpers/uninvited');
const { until } = require('../helpers/until');
const { write } = require('../helpers/hosted-app');

const SEEDS = [1];

const HOT = `const ran = [];
exports.pid = async () => process.pid;
exports.once = async (n) => { ran.push(n); return n * 2; };
exports.later = async (n, ms) => { ran.push(n); await new Promise((resolve) => setTimeout(resolve, ms)); return n * 2; };
exports.ran = async () => ran;
exports.flip = async (bytes) => { ran.push(bytes[0]); return Buffer.from(bytes).reverse(); };
exports.each = async (count, told) => { for (let i = 0; i < count; i++) await told(i); return count; };
exports.say = async (text) => { console.log(text); };
exports.exit = async (code) => { process.exit(code); };
exports.mark = async (file) => { require('node:fs').writeFileSync(file, String(process.pid)); };
exports.until = async (begun, file, then) => { await exports.mark(begun); while (!require('node:fs').existsSync(file)) await new Promise((resolve) => setTimeout(resolve, 5)); await exports.mark(then); };`;

/** @param {number} pid */
function isAlive(pid) {
  try {
    process.kill(pid, 0);
    return true;
  } catch {
    return false;
  }
}

/** @param {number} pid of a process whose parent is stopped @returns {boolean} */
const hasEnded = (pid) => /^State:\s+Z/m.test(fs.readFileSync(`/proc/${pid}/status`, 'utf8'));

describe('a link to a host that breaks', function () {
  this.timeout(90000);

  /** @type {TestHosts} */
  let hosts;
  let file;
  let on = null;
  const proxies = [];
  before(async () => {
    hosts = await TestHosts.make();
    write(path.join(hosts.folder, 'app'), { 'package.json': '{ "name": "app" }', 'hot.js': HOT });
    file = path.join(hosts.folder, 'app', 'hot.js');
  });
  afterEach(async () => {
    await on?.close();
    on = null;
    for (const proxy of proxies.splice(0)) await proxy.close();
  });
  after(() => hosts.close());

  /**
   * One replica, which has the only copy of its module that is used; home reaches its host through a proxy.
   *
   * @param {{port: number, node: object}} host
   * @param {object} [more] of the recipe
   */
  async function placed(host, more = {}) {
    const proxy = await BreakingProxy.open(host.port);
    proxies.push(proxy);
    const nodes = [{ ...host.node, port: proxy.port }];
    on = new Distributed(file, { call: 'await', copies: [0, 1], nodes, state: 'private', ...more }, 'host', {
      ...hosts.home,
      startMs: 60000,
    });
    await until(() => (void on.set.resize(1), on.set.ready === 1), () => `its replica: ${on.failures.map(({ message }) => message)}`, 60000); // prettier-ignore
    return { lib: on.lib, proxy, pid: await on.lib.pid() };
  }

  for (const seed of SEEDS) {
    it(`runs each call once, and answers it, through 50 breaks: calls, callbacks, large buffers (seed ${seed})`, async () => {
      const random = new Random(seed);
      const { lib, proxy, pid } = await placed(await hosts.daemon('host1'));
      proxy.budget = () => (random.below(5) === 0 ? random.below(6000) : random.below(1500000));
      proxy.breakAll();
      const asked = [];
      const flips = [];
      let calls = 0;
      let isOver = false;
      const client = async () => {
        while (!isOver) {
          const n = calls++;
          const kind = random.below(10);
          if (kind === 0) {
            const bytes = Buffer.alloc(random.below(150000) + 2, n % 251);
            bytes[bytes.length - 1] = 255;
            flips.push(n % 251);
            const back = await lib.flip(bytes);
            assert.ok(back.length === bytes.length && Buffer.from(back).reverse().equals(bytes), `buffer ${n}`);
          } else if (kind === 1) {
            const told = [];
            assert.equal(await lib.each(10, (i) => void told.push(i)), 10);
            await until(() => told.length === 10, 'its callbacks');
            assert.deepEqual(told, [0, 1, 2, 3, 4, 5, 6, 7, 8, 9]);
          } else {
            asked.push(n);
            assert.equal(await (random.below(2) === 0 ? lib.once(n) : lib.later(n, random.below(5))), n * 2);
          }
        }
      };
      const clients = Promise.all(Array.from({ length: 8 }, client));
      try {
        // A client that fails ends the wait, too.
        await Promise.race([clients, until(() => proxy.breaks >= 50, () => `50 breaks, not ${proxy.breaks}`, 60000)]); // prettier-ignore
      } finally {
        proxy.budget = () => Infinity;
        isOver = true;
      }
      await clients;
      const sorted = (numbers) => [...numbers].sort((a, b) => a - b);
      assert.deepEqual(sorted(await lib.ran()), sorted([...asked, ...flips]));
      assert.equal(await lib.pid(), pid);
      assert.equal(on.set.lost, 0);
    });
  }

  it('keeps the order of calls', async () => {
    const random = new Random(3);
    const { lib, proxy } = await placed(await hosts.daemon('host1'));
    const answers = [];
    let sent = 0;
    const pump = () => {
      while (on.set.pending < 50) {
        const n = sent++;
        lib.once(n).then((answer) => answers.push([n, answer]), (error) => answers.push([n, error])); // prettier-ignore
      }
      if (random.below(8) === 0) proxy.breakAll();
      return proxy.breaks >= 50;
    };
    await until(pump, '50 breaks', 60000);
    await until(() => answers.length === sent, () => `the answers: ${answers.length} of ${sent}`, 20000); // prettier-ignore
    const right = Array.from({ length: sent }, (_, n) => n);
    assert.deepEqual(await lib.ran(), right);
    assert.deepEqual(answers, right.map((n) => [n, n * 2])); // prettier-ignore
  });

  it('loses nothing that is printed, nor the exit, while the link to its daemon is broken, and takes no other replica for it', async () => {
    const { lib, proxy } = await placed(await hosts.daemon('host1'));
    const { write: own } = process.stdout;
    let printed = '';
    process.stdout.write = (text, ...rest) => (
      (printed += text),
      own.call(process.stdout, String(text).startsWith('line ') ? '' : text, ...rest)
    );
    try {
      for (let i = 0; i < 40; i++) {
        const said = lib.say(`line ${i}`);
        proxy.breakAll();
        await said;
      }
      const all = Array.from({ length: 40 }, (_, i) => `line ${i}\n`).join('');
      await until(() => printed.replace(/[^]*?(?=line 0)/, '').includes(all), () => `what it printed: ${printed}`); // prettier-ignore
    } finally {
      process.stdout.write = own;
    }
    const lost = lib.exit(7).catch((error) => error);
    proxy.breakAll();
    const { code, message } = await lost;
    assert.equal(code, 'IGNIS_REPLICA_LOST');
    assert.match(message, /exit code 7/);
  });

  it('is told at once where the host was killed: nobody listens there any more', async () => {
    const host = await hosts.process('host1');
    const { lib, proxy } = await placed(host);
    const waiting = lib.later(1, 60000).catch((error) => error);
    await until(() => on.set.pending > 0, 'the call');
    host.child.kill('SIGKILL');
    await host.exited;
    // As a host does that has no middle box before it.
    await proxy.close();
    const { code, ran, message } = await waiting;
    assert.deepEqual([code, ran], ['IGNIS_REPLICA_LOST', 'maybe']);
    // Not by its silence.
    assert.match(message, /ECONNREFUSED/);
  });

  it('begins no call later whose caller was told that it was lost, though the network has kept it until it is whole again', async () => {
    const { lib, proxy, pid } = await placed(await hosts.daemon('host1'));
    const marks = path.join(hosts.folder, 'marks');
    fs.mkdirSync(marks);
    proxy.isHolding = true;
    const { code, ran } = await lib.mark(path.join(marks, 'late')).catch((error) => error);
    assert.deepEqual([code, ran], ['IGNIS_REPLICA_LOST', 'maybe']);
    assert.ok(isAlive(pid));
    proxy.isHolding = false;
    await until(() => !isAlive(pid), 'its end, with the next link of its home');
    assert.deepEqual(fs.readdirSync(marks), []);
  });

  it('begins no call whose caller was told that it was lost while it waited there for its turn', async () => {
    const { lib, proxy, pid } = await placed(await hosts.daemon('host1'), { order: true });
    const [begun, gate, first, second] = ['begun', 'gate', 'first', 'second'].map((name) => path.join(hosts.folder, name));
    // On a full machine its first calls may have taken so long that the second one would wait at home, and run there.
    while (on.set.replicas[0].pace.window(performance.now()) < 2) await lib.pid();
    const lost = [lib.until(begun, gate, first), lib.mark(second)].map((call) => call.catch((error) => error));
    await until(() => fs.existsSync(begun) && on.set.queued === 0, 'the first, and with it the other one');
    proxy.isHolding = true;
    assert.deepEqual((await Promise.all(lost)).map(({ code, ran }) => [code, ran]), [['IGNIS_REPLICA_LOST', 'maybe'], ['IGNIS_REPLICA_LOST', 'maybe']]); // prettier-ignore
    fs.writeFileSync(gate, '');
    await until(() => fs.existsSync(first), 'the end of the first');
    proxy.isHolding = false;
    await until(() => !isAlive(pid), 'its end');
    assert.equal(fs.existsSync(second), false);
  });

  it('begins no call whose caller was told that it was lost as its host stood still, when that goes on', async function () {
    if (process.platform !== 'linux') this.skip();
    const host = await hosts.process('host1');
    const { lib, pid } = await placed(host);
    const file = path.join(hosts.folder, 'stopped');
    for (const one of [host.child.pid, pid]) process.kill(one, 'SIGSTOP');
    const { code, ran } = await lib.mark(file).catch((error) => error);
    assert.deepEqual([code, ran], ['IGNIS_REPLICA_LOST', 'maybe']);
    // It reads what its system has kept for it, and behind the call the last word of its home.
    process.kill(pid, 'SIGCONT');
    await until(() => hasEnded(pid), 'its end');
    assert.equal(fs.existsSync(file), false);
    process.kill(host.child.pid, 'SIGCONT');
  });

  it('runs each call once, and answers it, where the network holds all for as long as home does not give its host up', async () => {
    const { lib, proxy, pid } = await placed(await hosts.daemon('host1'));
    for (let i = 0; i < 2; i++) {
      const before = proxy.links;
      proxy.isHolding = true;
      const answers = Promise.all([1, 2, 3].map((n) => lib.once(10 * i + n)));
      await until(() => proxy.links > before, 'that home doubts');
      proxy.isHolding = false;
      assert.deepEqual(await answers, [1, 2, 3].map((n) => 2 * (10 * i + n))); // prettier-ignore
    }
    assert.deepEqual(await lib.ran(), [1, 2, 3, 11, 12, 13]);
    assert.deepEqual([await lib.pid(), on.set.lost], [pid, 0]);
  });

  it('ends a replica whose home does not come again within the lease', async () => {
    const { daemon, node, port, log } = await hosts.daemon('host1', { leaseMs: 200 });
    const { lib, proxy } = await placed({ node, port });
    const waiting = lib.later(1, 60000).catch((error) => error);
    await until(() => on.set.pending > 0, 'the call');
    await proxy.close();
    assert.equal((await waiting).code, 'IGNIS_REPLICA_LOST');
    await until(() => daemon.replicas === 0, () => `its end: ${log.join('; ')}`); // prettier-ignore
  });

  /** As it says something else to the daemon, in the same turn: what is written behind that would never leave. */
  const EXIT_BEHIND_A_PING = `const { tell } = ControlLink.prototype;
ControlLink.prototype.tell = function (...said) {
  tell.apply(this, said);
  this.flush();
  ControlLink.prototype.tell = tell;
  process.exit(0);
};`;

  /** A program with a replica on this host, which ends after a call. @param {object} node @param {string} how statements */
  async function programThatEnds(node, how) {
    const program = path.join(hosts.folder, 'program.js');
    fs.writeFileSync(
      program,
      `const { Distributed } = require(${JSON.stringify(require.resolve('../helpers/distributed'))});
const { ControlLink } = require(${JSON.stringify(require.resolve('../../lib/host/control-link'))});
const [file, nodes, options, how] = JSON.parse(process.argv[2]);
const on = new Distributed(file, { call: 'await', copies: [0, 1], nodes, state: 'private' }, 'host', options);
setInterval(() => {}, 1000);
const look = async () => {
  await on.set.resize(1);
  if (on.set.ready !== 1) return void setTimeout(look, 20);
  await on.lib.once(1);
  new Function('ControlLink', how)(ControlLink);
};
look();`,
    );
    const args = [file, [node], { ...hosts.home, startMs: 60000 }, how];
    const child = spawn(process.execPath, [program, JSON.stringify(args)], { stdio: ['ignore', 'inherit', 'inherit'] });
    await once(child, 'close');
  }

  it('ends the replicas of a home that ends by itself at once, and of one that is killed after the lease', async () => {
    const patient = await hosts.daemon('host1', { leaseMs: 3_600_000 });
    for (const [at, how] of ['process.exit(0)', EXIT_BEHIND_A_PING].entries()) {
      await programThatEnds(patient.node, how);
      const told = () => patient.log.filter((line) => /ended: its home has ended/.test(line)).length;
      await until(() => told() === at + 1, () => patient.log.join('; ')); // prettier-ignore
    }
    const strict = await hosts.daemon('host2', { leaseMs: 300 });
    await programThatEnds(strict.node, "process.kill(process.pid, 'SIGKILL')");
    await until(() => strict.daemon.replicas === 0, () => strict.log.join('; ')); // prettier-ignore
  });

  it('is resumed by nobody else, not with another ticket, and not with a count that cannot be', async () => {
    const { daemon, node, port, log } = await hosts.daemon('host1');
    const home = readIdentity(hosts.home, true);
    const { lib, pid } = await placed({ node, port });
    const [{ ticket, cert }] = daemon.housed();
    const direct = { ip: '127.0.0.1', port };
    await assert.rejects(dial(direct, KIND.REPLICA, Buffer.alloc(16, 1), 5000), { code: 'IGNIS_NO_HOST' });
    assert.ok(log.some((line) => /no replica has its ticket/.test(line)));
    const link = { port, kind: KIND.REPLICA, ticket, cert };
    assert.equal((await answerTo(link, await anotherHome(hosts), 0)).length, 0);
    assert.equal(await lib.pid(), pid, 'nobody noticed');
    const lost = lib.later(1, 60000).catch((error) => error);
    await until(() => on.set.pending > 0, 'the call');
    await answerTo(link, home, 1e6);
    const { code, message } = await lost;
    assert.deepEqual([code, /exit code 1; it last wrote: .*IGNIS_BAD_FRAME/.test(message)], ['IGNIS_REPLICA_LOST', true], message);
  });
});
