'use strict';

// A module whose replicas are here first and then on hosts: daemons of this machine, one of them a process of its own, as a user starts it.

const assert = require('node:assert/strict');
const fs = require('node:fs');
const path = require('node:path');
const { STUCK_MS } = require('../../lib/spawn/free');
const { Distributed } = require('../helpers/distributed');
const { TestHosts } = require('../helpers/hosts');
const { until } = require('../helpers/until');
const { write } = require('../helpers/hosted-app');

const HOT = `const fs = require('node:fs');
exports.pid = async () => process.pid;
// So long that what waits here is answered sooner there.
exports.square = async (n) => { for (const end = performance.now() + 3; performance.now() < end; ); return n * n; };
exports.turn = async (bytes) => bytes.reverse();
// Keeps its replica meanwhile: one that only waited would be idle.
exports.work = async (file) => { while (!fs.existsSync(file)); return process.pid; };`;

describe('a module that is here first and then on hosts', function () {
  this.timeout(60000);

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

  /** @param {string} first @param {object[]} nodes */
  function open(first, nodes) {
    const recipe = { call: 'await', copies: [0, 8], nodes, pure: true, state: 'none', where: [first, 'host'] };
    on = new Distributed(file, recipe, undefined, { ...hosts.home, startMs: 60000 });
    return on.lib;
  }

  /** As the coordinator asks: again and again, since a start on a busy machine may fail. @param {number} count @param {number} here */
  async function resized(count, here) {
    const failures = () => `${count} replicas, ${here} of them here: ${on.failures.map(({ message }) => message)}`;
    await until(
      () => (void on.set.resize(count, 'a test', here), on.set.ready === count && on.set.replicas.length === count),
      failures,
      30_000,
    );
  }

  const kinds = () => on.set.replicas.map(({ where }) => where.split(' ')[0]);
  const pids = (/** @type {boolean} */ isFar) => on.set.replicas.filter((one) => one.isFar === isFar).map(({ pid }) => pid);

  it('starts here, then there, is answered by both, ends there first, and serves on here when its host is lost', async () => {
    const one = await hosts.process('host1');
    const lib = open('process', [one.node]);
    await resized(1, 1);
    assert.deepEqual(kinds(), ['process']);
    await resized(2, 1);
    assert.deepEqual(kinds(), ['process', 'host']);
    assert.deepEqual(on.set.near, { ready: 1, starting: 0 });
    assert.equal(on.set.hosts.named, 1);

    // One call at a time finds the one here idle. Where that has something to do, the other one answers.
    for (let i = 0; i < 20; i++) assert.equal(await lib.pid(), pids(false)[0]);
    const sign = path.join(hosts.folder, 'go-on');
    const working = lib.work(sign);
    await until(() => on.set.replicas[0].stuckMs(performance.now()) > STUCK_MS, 'the one here is seen to work');
    assert.equal(await lib.pid(), pids(true)[0]);
    fs.writeFileSync(sign, '');
    assert.equal(await working, pids(false)[0]);
    const [{ busyMsPerSecond, near }] = [on.set.read(performance.now(), [0, 8])];
    assert.ok(near.busyMsPerSecond <= busyMsPerSecond);

    await resized(1, 1);
    assert.deepEqual(kinds(), ['process'], 'the one there has ended');
    await resized(2, 1);
    let asked = 0;
    const failed = [];
    let isOver = false;
    const clients = Array.from({ length: 8 }, async () => {
      while (!isOver) {
        const n = asked++;
        const answer = await lib.square(n).catch((error) => error);
        if (answer !== n * n) failed.push(answer);
      }
    });
    const here = pids(false);
    try {
      const before = on.set.replicas.map(({ calls }) => calls);
      await until(() => on.set.replicas.every(({ calls }, i) => calls > before[i] + 20), 'calls in both');
      process.kill(one.child.pid, 'SIGKILL');
      await until(() => on.set.lost === 1 && on.failures.some(({ code }) => code === 'IGNIS_NO_HOST'), 'the loss', 30_000);
      const then = asked;
      await until(() => asked > then + 100, 'calls after it');
    } finally {
      isOver = true;
    }
    await Promise.all(clients);
    assert.deepEqual(failed, []);
    // Asked for again, hosts say no again; this machine serves on, and nobody waits for what does not come.
    const said = await until(
      () => {
        void on.set.resize(2, 'a test', 1);
        const now = on.set.hosts;
        return now.failure !== undefined && now;
      },
      'why there is none',
      30_000,
    );
    assert.match(said.failure, /no other host takes a replica: .*host1.*; tried again after/);
    assert.deepEqual([said.offers, said.awaited], [[], 0]);
    await until(() => on.set.starting === 0 && on.set.wanted === 1, 'the end of that');
    assert.deepEqual([pids(false), on.set.ready], [here, 1]);
    assert.equal(on.permission.allowed, true, 'hosts that do not answer bring nothing home');
    // What it must have, it has here then.
    await resized(2, 2);
    assert.deepEqual(kinds(), ['process', 'process']);
  });

  it('is threads here and processes there, which get bytes alike', async () => {
    const two = await hosts.daemon('host2');
    const lib = open('thread', [two.node]);
    await resized(2, 1);
    assert.deepEqual(kinds().sort(), ['host', 'thread']);
    const sent = Array.from({ length: 40 }, (_, i) => Buffer.from([i, 1, 2]));
    const back = await Promise.all(sent.map((bytes) => lib.turn(bytes)));
    assert.deepEqual(
      back.map((bytes) => [...bytes]),
      sent.map((_, i) => [2, 1, i]),
    );
    const large = Buffer.alloc(300_000, 7);
    for (const answer of await Promise.all(Array.from({ length: 8 }, () => lib.turn(large)))) assert.deepEqual(Buffer.from(answer), large);
    assert.equal(large.byteLength, 300_000, 'it is still here');
    assert.ok(on.set.replicas.every(({ calls }) => calls > 0), 'both were asked'); // prettier-ignore
  });
});
