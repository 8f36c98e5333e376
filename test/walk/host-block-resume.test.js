'use strict';

// Links to a host that break, where a module lives there and its caller waits, blocked: through a middle box of this machine. The home is a
// program of its own, since nothing else could happen in its process meanwhile.

const assert = require('node:assert/strict');
const fs = require('node:fs');
const path = require('node:path');
const { KIND } = require('../../lib/host/opening');
const { readIdentity } = require('../../lib/host/identity');
const { SIGN, encodeSign } = require('../../lib/wire/block');
const { BreakingProxy } = require('../helpers/breaking-proxy');
const { startHome } = require('../helpers/home-program');
const { TestHosts } = require('../helpers/hosts');
const { Random } = require('../helpers/random');
const { anotherHome, answerTo } = require('../helpers/uninvited');
const { until } = require('../helpers/until');
const { write } = require('../helpers/hosted-app');

const HOT = `const fs = require('node:fs');
const ran = [];
exports.pid = () => process.pid;
exports.once = (n) => { ran.push(n); return n * 2; };
exports.map = (list, f) => list.map((item) => f(item));
exports.flip = (bytes) => { ran.push(bytes[0]); return Buffer.from(bytes).reverse(); };
exports.ran = () => ran;
exports.Counter = class Counter { #n = 0; next() { return ++this.#n; } };
exports.compute = (begun, over) => { fs.writeFileSync(begun, ''); while (!fs.existsSync(over)); return 'done'; };
exports.note = (file) => fs.writeFileSync(file, 'noted');`;

/** Calls of all sorts, each looked at; what it found wrong. */
const MANY_CALLS = `const { Counter } = hot, counter = new Counter(), asked = [], wrong = [];
  const pid = hot.pid();
  for (let n = 0; n < 300; n++) {
    if (n % 10 === 0) {
      const bytes = Buffer.alloc(2 + (n * 7919) % 50000, n % 251);
      bytes[bytes.length - 1] = 255;
      asked.push(bytes[0]);
      if (!Buffer.from(hot.flip(bytes)).reverse().equals(bytes)) wrong.push(['flip', n]);
    } else if (n % 10 === 1) {
      const depths = hot.map([n, n + 1], (one) => hot.map([one], (other) => hot.pid() === pid && other * 2)[0]);
      if (depths[0] !== n * 2 || depths[1] !== n * 2 + 2) wrong.push(['map', n, depths]);
    } else {
      asked.push(n);
      if (hot.once(n) !== n * 2) wrong.push(['once', n]);
    }
    const next = counter.next();
    if (next !== n + 1) wrong.push(['next', n, next]);
  }
  tell({ wrong, isSame: JSON.stringify(hot.ran()) === JSON.stringify(asked), hasStayed: hot.pid() === pid });`;

describe('a link to a host that breaks, while its caller waits, blocked', function () {
  this.timeout(90000);

  /** @type {TestHosts} */
  let hosts;
  let app;
  const proxies = [];
  before(async () => {
    hosts = await TestHosts.make();
    app = path.join(hosts.folder, 'app');
    write(app, { 'package.json': '{ "name": "app" }', 'hot.js': HOT });
  });
  /** @type {import('node:child_process').ChildProcess[]} */
  const children = [];
  afterEach(async () => {
    for (const child of children.splice(0)) child.kill('SIGKILL');
    for (const proxy of proxies.splice(0)) await proxy.close();
  });
  after(() => hosts.close());

  const place = (/** @type {string} */ name) => path.join(hosts.folder, name);

  /** @param {number} port of a daemon @param {() => number} [budget] */
  async function proxyTo(port, budget) {
    const proxy = await BreakingProxy.open(port, budget);
    proxies.push(proxy);
    return proxy;
  }

  /** A program with ./hot.js on a host. @param {number} port @param {string} body statements @returns {Promise<any>} what it tells */
  async function start(port, body) {
    const recipe = { where: 'host', call: 'block', nodes: [{ ip: '127.0.0.1', port }] };
    const home = startHome(
      app,
      `ignis.start({ quiet: true, startMs: 60000, identity: ${JSON.stringify(hosts.keys('home'))} });
      const hot = ignis()('./hot', ${JSON.stringify(recipe)});
      ${body}`,
    );
    children.push(home.child);
    const { code, err } = await home.ended;
    assert.equal(home.lines.length, 1, `it told ${home.lines.length} things; ${code}: ${err}`);
    return home.lines[0];
  }

  it('goes on with another: each use runs once, in order, through many breaks: calls, callbacks in callbacks, large buffers, objects', async () => {
    const random = new Random(5);
    const { port } = await hosts.daemon('host1');
    let isHere = false;
    const proxy = await proxyTo(port, () => (isHere ? 9000 + random.below(random.below(4) === 0 ? 200000 : 20000) : Infinity));
    const told = start(proxy.port, `hot.note(${JSON.stringify(place('here'))});\n${MANY_CALLS}`);
    await Promise.race([told, until(() => fs.existsSync(place('here')), 'its first call', 60000)]);
    isHere = true;
    proxy.breakAll();
    assert.deepEqual(await told, { wrong: [], isSame: true, hasStayed: true });
    assert.ok(proxy.breaks >= 50, `${proxy.breaks} breaks`);
  });

  it('is resumed while the module computes, and its answer comes', async () => {
    const { port } = await hosts.daemon('host1');
    const proxy = await proxyTo(port);
    const told = start(proxy.port, `tell(hot.compute(${JSON.stringify(place('begun'))}, ${JSON.stringify(place('over'))}));`);
    await until(() => fs.existsSync(place('begun')), 'the call', 60000);
    const before = proxy.links;
    proxy.breakAll();
    // To the daemon, to the replica, and for the last word.
    await until(() => proxy.links >= before + 3 && proxy.count >= 3, () => `${proxy.links - before} links`, 20000); // prettier-ignore
    fs.writeFileSync(place('over'), '');
    assert.equal(await told, 'done');
  });

  it('is lost where home does not get through for 3 s, and the replica ends with its lease', async () => {
    const { daemon, port, log } = await hosts.daemon('host1', { leaseMs: 200 });
    const proxy = await proxyTo(port);
    const files = [place('begun-2'), place('never')];
    const body = `try { hot.compute(...${JSON.stringify(files)}); } catch ({ code, ran }) { tell([code, ran]); }`;
    const told = start(proxy.port, body);
    await until(() => fs.existsSync(files[0]), 'the call', 60000);
    await proxy.close();
    assert.deepEqual(await told, ['IGNIS_REPLICA_LOST', 'maybe']);
    await until(() => daemon.replicas === 0, () => log.join('; ')); // prettier-ignore
  });

  it('is the last one where home ends by itself: the replica does not wait, and serves listeners of the exit until then', async () => {
    const { daemon, port, log } = await hosts.daemon('host1', { leaseMs: 3_600_000 });
    for (const [at, how] of ['process.exit(0);', ''].entries()) {
      const file = place(`noted-${at}`);
      const told = start(port, `process.on('exit', () => tell([hot.once(21), hot.note(${JSON.stringify(file)})]));\n${how}`);
      assert.deepEqual(await told, [42, null]);
      assert.equal(fs.readFileSync(file, 'utf8'), 'noted');
      await until(() => daemon.replicas === 0, () => log.join('; ')); // prettier-ignore
    }
  });

  it('is waited for, for as long as a lease, where home was killed', async () => {
    const { daemon, port, log } = await hosts.daemon('host1', { leaseMs: 300 });
    const told = start(port, "tell(hot.pid()); process.kill(process.pid, 'SIGKILL');");
    assert.ok((await told) > 0);
    await until(() => daemon.replicas === 0, () => log.join('; ')); // prettier-ignore
  });

  it('is resumed by nobody else, and ends where a count cannot be', async () => {
    const { daemon, port } = await hosts.daemon('host1');
    const files = [place('begun-3'), place('over-3')];
    const told = start(port, `try { tell(hot.compute(...${JSON.stringify(files)})); } catch ({ code }) { tell(code); }`);
    await until(() => fs.existsSync(files[0]), 'the call', 60000);
    const [{ ticket, cert }] = daemon.housed();
    const link = { port, kind: KIND.RESIDENT, ticket, cert };
    assert.equal((await answerTo(link, await anotherHome(hosts), 0)).length, 0);
    const isBye = (/** @type {Buffer} */ bytes) => bytes.includes(encodeSign(SIGN.BYE, 1));
    assert.ok(isBye(await answerTo(link, readIdentity(hosts.home, true), 1e6)));
    assert.match(await told, /^IGNIS_(REPLICA_LOST|BAD_FRAME)$/);
  });
});
