'use strict';

// Hosts that fall silent without a word, and others that only compute: daemons of this machine, each a process of its own.

const assert = require('node:assert/strict');
const fs = require('node:fs');
const path = require('node:path');
const { Distributed } = require('../helpers/distributed');
const { TestHosts } = require('../helpers/hosts');
const { until } = require('../helpers/until');
const { write } = require('../helpers/hosted-app');

const HOT = `exports.pid = async () => process.pid;
exports.square = async (n) => n * n;
const atHome = () => globalThis.it !== undefined;
exports.crash = async () => { if (atHome()) throw new Error('it ran at home'); process.abort(); };
exports.eat = async () => { if (atHome()) throw new Error('it ran at home'); for (const eaten = [];;) eaten.push(new Array(100_000).fill(eaten.length)); };
exports.spin = async (ms) => { for (const end = Date.now() + ms; Date.now() < end; ); return 'done'; };`;

/** @param {number} pid @param {string} [last] @returns {number[]} it, and its children */
function familyOf(pid) {
  return [pid, ...fs.readFileSync(`/proc/${pid}/task/${pid}/children`, 'utf8').trim().split(' ').filter(Boolean).map(Number)]; // prettier-ignore
}

describe('a host that says nothing', function () {
  this.timeout(90000);

  /** @type {TestHosts} */
  let hosts;
  let file;
  let on = null;
  before(async () => {
    hosts = await TestHosts.make();
    write(path.join(hosts.folder, 'app'), { 'package.json': '{ "name": "app" }', 'hot.js': HOT });
    file = path.join(hosts.folder, 'app', 'hot.js');
  });
  afterEach(async () => {
    await on?.close();
    on = null;
  });
  after(() => hosts.close());

  /** @param {{node: object}[]} places @param {number} count @param {object} [more] of the recipe */
  async function placed(places, count, more = {}) {
    const nodes = places.map(({ node }) => node);
    const recipe = { call: 'await', copies: [0, 8], nodes, pure: true, state: 'none', sched: 'rr', ...more };
    on = new Distributed(file, recipe, 'host', { ...hosts.home, startMs: 60000 });
    await until(() => (void on.set.resize(count), on.set.ready === count), 'its replicas', 60_000);
    return on.lib;
  }

  it('loses no pure call where it is stopped with its replicas under load, and what ran there runs on the other one', async () => {
    const [one, two] = [await hosts.process('host1'), await hosts.process('host2')];
    const lib = await placed([one, two], 2);
    const stopped = familyOf(one.child.pid);
    assert.equal(stopped.length, 2, 'a replica on each');
    let asked = 0;
    const failed = [];
    let isOver = false;
    const clients = Array.from({ length: 8 }, async () => {
      while (!isOver) {
        const n = asked++;
        const answer = await lib.square(n).catch((error) => failed.push(error));
        if (answer !== n * n) failed.push(answer);
      }
    });
    try {
      await until(() => asked > 100, 'load');
      for (const pid of stopped) process.kill(pid, 'SIGSTOP');
      await until(() => on.set.lost === 1, 'the loss', 30_000);
      await until(() => (void on.set.resize(2), on.set.ready === 2), 'a replica in its place', 30_000);
      const places = on.set.replicas.map(({ where }) => where);
      assert.ok(places.every((where) => where.includes('host2')), places.join()); // prettier-ignore
      const before = asked;
      await until(() => asked > before + 100, 'load again');
    } finally {
      isOver = true;
      for (const pid of stopped) process.kill(pid, 'SIGCONT');
    }
    await Promise.all(clients);
    assert.deepEqual(failed, []);
  });

  it('has no call brought home that crashed, or ran out of memory, there', async () => {
    const one = await hosts.daemon('host1', { memoryMb: 64 });
    const seen = [];
    const onFail = (/** @type {any} */ error) => {
      seen.push([error.code, error.signal, error.exitCode, error.harm]);
      return 'home';
    };
    for (const [name, harm, message] of [
      ['crash', 'crash', /signal SIGABRT/],
      ['eat', 'memory', /signal SIGABRT; it ran out of memory: its host lets a replica have 64 MB \(--memory\)$/],
    ]) {
      const lib = await placed([one], 1, { onFail });
      await assert.rejects(lib[name](), { code: 'IGNIS_REPLICA_LOST', ran: 'maybe', signal: 'SIGABRT', harm, message });
      assert.deepEqual(seen.splice(0), [['IGNIS_REPLICA_LOST', 'SIGABRT', null, harm]]);
      await on.close();
    }
  });

  it('is not taken for gone while its replica computes, nor is a home that computes for longer than hosts may be silent', async () => {
    const one = await hosts.process('host1');
    const lib = await placed([one], 1);
    const pid = await lib.pid();
    const spinning = lib.spin(4000);
    await until(() => on.set.pending > 0, 'the call');
    assert.equal(await spinning, 'done');
    for (const end = Date.now() + 6500; Date.now() < end;);
    assert.equal(await lib.pid(), pid);
    assert.equal(on.set.lost, 0);
  });
});
