'use strict';

// A module whose replicas are on other hosts: two daemons of this machine, each a process of its own, as a user starts them.

const assert = require('node:assert/strict');
const fs = require('node:fs');
const path = require('node:path');
const { spawnSync } = require('node:child_process');
const { Distributed } = require('../helpers/distributed');
const { TestHosts } = require('../helpers/hosts');
const { makeApp } = require('../helpers/hosted-app');
const { until } = require('../helpers/until');

/** @param {number} pid */
function isAlive(pid) {
  try {
    process.kill(pid, 0);
    return !/^State:\s+Z/m.test(fs.readFileSync(`/proc/${pid}/status`, 'utf8'));
  } catch {
    return false;
  }
}

describe('a module on other hosts', function () {
  this.timeout(120000);

  /** @type {TestHosts} */
  let hosts;
  let file;
  let on = null;
  before(async () => {
    hosts = await TestHosts.make();
    file = makeApp(path.join(hosts.folder, 'app'));
  });
  afterEach(async () => {
    await on?.close();
    on = null;
  });
  after(() => hosts.close());

  /** @param {object} recipe @param {number} count */
  async function place(recipe, count, options = {}) {
    on = new Distributed(file, { where: 'host', call: 'await', copies: [0, 8], ...recipe }, 'host', {
      ...hosts.home,
      startMs: 60000,
      ...options,
    });
    await on.set.resize(count);
    return on.lib;
  }

  /**
   * The same where all of them come: on a busy machine perhaps not at the first try.
   *
   * @param {object} recipe
   * @param {number} count
   * @param {object} [options]
   */
  async function placed(recipe, count, options) {
    const lib = await place(recipe, count, options);
    await allReady(count);
    return lib;
  }

  /** Asks again and again, as the coordinator does: a start that fails is not repeated by the set. @param {number} count */
  async function allReady(count) {
    const failures = () => `${count} replicas: ${on.failures.map(({ message }) => message)}`;
    await until(() => (void on.set.resize(count), on.set.ready === count), failures, 60_000);
  }

  it('finds its files, packages and links as at home, and shows itself nowhere', async () => {
    const one = await hosts.daemon('host1');
    const lib = await placed({ nodes: [one.node] }, 1);
    assert.deepEqual(on.failures, []);
    const away = await lib.look();
    assert.deepEqual(away, await on.exports.look());
    assert.equal(away.dep, 'dep with inner 2');
    assert.equal(away.work, 'work with inner 1');
    assert.notEqual(await lib.pid(), process.pid);
    const { env, send, argv } = await lib.surroundings();
    assert.deepEqual([env.filter((name) => /IGNIS|CHANNEL/.test(name)), send, argv], [[], 'undefined', process.argv.length]);
    assert.equal(await lib.size(Buffer.alloc(3_000_000)), 3_000_000);
    assert.match(on.set.records()[0].where, /^host host1 \(127\.0\.0\.1:\d+\)$/);
  });

  it('is sent with a file that grows meanwhile, as a log does, as that was', async () => {
    const [before, { readFile }] = [file, fs.promises];
    file = makeApp(path.join(hosts.folder, 'grown'));
    const log = path.join(hosts.folder, 'grown', 'app.log');
    fs.writeFileSync(log, 'first line\n');
    let grown = 0;
    fs.promises.readFile = /** @type {any} */ (
      async (/** @type {any} */ place, /** @type {any[]} */ ...rest) => {
        if (place === log) fs.appendFileSync(log, `line ${(grown += 1)}\n`);
        return Reflect.apply(readFile, fs.promises, [place, ...rest]);
      }
    );
    try {
      const one = await hosts.daemon('host1');
      const lib = await place({ nodes: [one.node] }, 1);
      assert.equal(on.set.failure, '');
      assert.ok(grown >= 2, 'it was looked at, and sent');
      assert.equal(await lib.fib(10), 55);
    } finally {
      fs.promises.readFile = readFile;
      file = before;
    }
  });

  it('is sent without a file that goes meanwhile, and with one that changes as it is then', async () => {
    const [before, { readFile }] = [file, fs.promises];
    const folder = path.join(hosts.folder, 'restless');
    file = makeApp(folder);
    const [upload, journal, words] = ['upload.tmp', 'journal.db', 'data/words.txt'].map((name) => path.join(folder, name));
    for (const place of [upload, journal]) fs.writeFileSync(place, 'first');
    let made = 0;
    fs.promises.readFile = /** @type {any} */ (
      async (/** @type {any} */ place, /** @type {any[]} */ ...rest) => {
        const content = await Reflect.apply(readFile, fs.promises, [place, ...rest]);
        // It was looked at.
        if (place === upload) fs.unlinkSync(upload);
        // Others come instead, each time.
        if (place === words) fs.writeFileSync(path.join(folder, `other-${(made += 1)}.tmp`), '');
        if (place === journal && content.toString() === 'first') fs.writeFileSync(journal, 'other');
        return content;
      }
    );
    try {
      const one = await hosts.daemon('host1', { store: path.join(hosts.folder, 'store', 'restless') });
      const lib = await place({ nodes: [one.node] }, 1);
      assert.deepEqual([on.failures, on.set.failure, fs.existsSync(upload)], [[], '', false]);
      assert.equal((await lib.look()).data, 'words');
      assert.equal(one.daemon.replicas, 1);
    } finally {
      fs.promises.readFile = readFile;
      file = before;
    }
  });

  it('is served by a host whose store is smaller than all that was ever sent to it', async () => {
    const before = file;
    const folder = path.join(hosts.folder, 'changing');
    file = makeApp(folder);
    fs.writeFileSync(path.join(folder, 'data', 'large.bin'), Buffer.alloc(100_000, 1));
    try {
      // Two trees with one file between them, and a tree and a bit.
      const one = await hosts.daemon('host1', { store: path.join(hosts.folder, 'store', 'small'), storeBytes: 450_000 });
      const lib = await placed({ nodes: [one.node], pure: true }, 1);
      for (let i = 0; i < 6; i++) {
        assert.notEqual(await lib.pid(), process.pid);
        await on.set.resize(0);
        await until(() => one.daemon.replicas === 0, 'the end of its replica');
        fs.writeFileSync(path.join(folder, 'data', 'changes.txt'), `change ${i}`);
        await allReady(1);
      }
      assert.deepEqual(on.failures, []);
    } finally {
      file = before;
    }
  });

  it('is sent again where a host has lost what it had been sent', async () => {
    const store = path.join(hosts.folder, 'store', 'emptied');
    const one = await hosts.daemon('host1', { store });
    const lib = await placed({ nodes: [one.node], pure: true }, 1);
    assert.equal((await lib.look()).data, 'words');
    await on.set.resize(0);
    await until(() => one.daemon.replicas === 0, 'the end of its replica');
    for (const part of ['bundles', 'files'])
      for (const name of fs.readdirSync(path.join(store, part))) fs.rmSync(path.join(store, part, name), { recursive: true });
    await allReady(1);
    assert.equal((await lib.look()).data, 'words');
    assert.deepEqual([on.failures, one.daemon.replicas], [[], 1]);
  });

  it('is served by the other host where one cannot load it, however much more that one has', async () => {
    const before = file;
    file = makeApp(path.join(hosts.folder, 'fit'));
    fs.appendFileSync(file, "if (__dirname.includes('host1-unfit')) throw new SyntaxError('an odd word');");
    try {
      const unfit = await hosts.daemon('host1', { store: path.join(hosts.folder, 'store', 'host1-unfit') });
      const fit = await hosts.daemon('host2');
      const lib = await place({ nodes: [{ ...unfit.node, weight: 1000 }, fit.node] }, 1);
      assert.match(on.failures[0].message, /hot\.js: an odd word$/);
      // What lies beside a module may change whenever it likes.
      fs.writeFileSync(path.join(path.dirname(file), 'journal.txt'), 'a line');
      await allReady(2);
      assert.match(String(on.set.records().map(({ where, state }) => `${state} ${where}`)), /^ended host host1 [^,]*,ready host host2 [^,]*,ready host host2 [^,]*$/); // prettier-ignore
      assert.equal(await lib.fib(10), 55);
    } finally {
      file = before;
    }
  });

  it('is served by the other host where one has no room to lay its code, or its replica crashes as it loads it, or is killed there', async () => {
    const before = file;
    const { writeFile } = fs.promises;
    file = makeApp(path.join(hosts.folder, 'room'));
    fs.appendFileSync(file, "if (__dirname.includes('host1-crash')) process.abort();");
    fs.appendFileSync(file, "if (__dirname.includes('host1-killed')) process.kill(process.pid, 'SIGKILL');");
    fs.promises.writeFile = async (place, ...rest) => {
      if (String(place).includes('host1-room')) throw Object.assign(new Error('ENOSPC: no space left on device'), { code: 'ENOSPC' });
      return writeFile.call(fs.promises, place, ...rest);
    };
    try {
      const fit = await hosts.daemon('host2');
      for (const [name, why] of [
        ['host1-room', /its disk is full/],
        ['host1-crash', /SIGABRT/],
        ['host1-killed', /SIGKILL/],
      ]) {
        const unfit = await hosts.daemon('host1', { store: path.join(hosts.folder, 'store', name) });
        const lib = await place({ nodes: [{ ...unfit.node, weight: 1000 }, fit.node], pure: true }, 1);
        assert.match(on.failures[0].message, why);
        await allReady(1);
        assert.match(String(on.set.records().map(({ where, state }) => `${state} ${where}`)), /^ended host host1 [^,]*,ready host host2 [^,]*$/); // prettier-ignore
        assert.equal(await lib.fib(10), 55);
        await on.close();
      }
    } finally {
      fs.promises.writeFile = writeFile;
      file = before;
    }
  });

  it('is spread over its hosts, and printed at home', async () => {
    const [one, two] = [await hosts.daemon('host1'), await hosts.daemon('host2')];
    const lib = await placed({ nodes: [one.node, two.node], pure: true, sched: 'rr' }, 4);
    assert.deepEqual([one.daemon.replicas, two.daemon.replicas], [2, 2]);
    assert.equal(new Set(await Promise.all(Array.from({ length: 40 }, () => lib.pid()))).size, 4);
    const { write } = process.stdout;
    let printed = '';
    process.stdout.write = (text, ...rest) => ((printed += text), write.call(process.stdout, text === 'far away\n' ? '' : text, ...rest));
    try {
      await lib.say('far away');
      await until(() => printed.includes('far away\n'), 'what it printed');
    } finally {
      process.stdout.write = write;
    }
  });

  it('gets every pure call answered when a host is killed, and each other one rejected once', async () => {
    const [one, two] = [await hosts.process('host1'), await hosts.daemon('host2')];
    const functions = { fib: { pure: true }, pid: { pure: true } };
    const lib = await placed({ nodes: [one.node, two.node], functions, sched: 'rr', state: 'none' }, 2);
    const pids = new Set(await Promise.all(Array.from({ length: 8 }, () => lib.pid())));
    assert.deepEqual([pids.size, two.daemon.replicas], [2, 1]);
    const sign = path.join(hosts.folder, 'go-on');
    const waiting = Array.from({ length: 4 }, () => lib.wait(sign).catch((error) => error));
    const pure = Array.from({ length: 60 }, (_, i) => lib.fib(18 + (i % 3)));
    const there = () => on.set.replicas.find((replica) => replica.where.includes('host1')).outstanding();
    const waitsThere = () => there().filter(({ plan }) => plan.path[0] === 'wait').length;
    await until(waitsThere, 'a call there that waits');
    const doomed = waitsThere();
    process.kill(one.child.pid, 'SIGKILL');
    await until(() => on.set.lost === 1, 'the loss', 30000);
    // Calls that wait take room in a replica, which others may need.
    fs.writeFileSync(sign, '');
    assert.deepEqual(
      await Promise.all(pure),
      Array.from({ length: 60 }, (_, i) => [2584, 4181, 6765][i % 3]),
    );
    const rejected = (await Promise.all(waiting)).filter((end) => end !== null);
    assert.ok(rejected.length >= doomed && rejected.length < 5, `${rejected.length} of ${doomed}`);
    for (const { code } of rejected) assert.equal(code, 'IGNIS_REPLICA_LOST');
    for (const { ran } of rejected) assert.equal(ran, 'maybe');
    await until(() => [...pids].filter(isAlive).length === 1, 'its replica ends with it', 30000);
    // On the host that is left.
    await allReady(2);
    assert.equal(two.daemon.replicas, 2);
  });

  it('stays at home while no host answers, says why, and leaves when one does', async () => {
    const one = await hosts.process('host1');
    await one.close();
    const lib = await place({ nodes: [{ ...one.node, name: undefined }], pure: true }, 1);
    assert.equal(on.failures[0].code, 'IGNIS_NO_HOST');
    assert.match(on.permission.why, /no other host takes a replica: 127\.0\.0\.1:\d+ cannot be reached \(ECONNREFUSED\)/);
    assert.equal(await lib.pid(), process.pid);
    await hosts.process('host1', [], one.port);
    await until(
      async () => {
        await on.set.resize(1);
        return on.set.ready === 1;
      },
      'a replica there',
      60000,
    );
    assert.notEqual(await lib.pid(), process.pid);
  });

  it('stays at home with the reason where a host has no room, or does not know the deploy key', async () => {
    const other = await TestHosts.make(['home', 'host1']);
    try {
      const full = await hosts.daemon('host1', { storeBytes: 100, store: path.join(hosts.folder, 'full') });
      const one = await hosts.daemon('host2', { maxReplicas: 1 });
      const deployKey = path.join(other.keys('home'), 'deploy.key');
      for (const [node, options, count, right] of [
        [full.node, {}, 1, /host1 .*its store of code is full/],
        [one.node, { deployKey }, 1, /host2 .*its manifest is not signed with the deploy key/],
        [one.node, {}, 2, /host2 .*it runs 1 replica, and may run 1/],
      ]) {
        const lib = await place({ nodes: [node], pure: true }, count, options);
        assert.deepEqual([...new Set(on.failures.map(({ code }) => code))], ['IGNIS_NO_HOST']);
        assert.ok(
          on.failures.some(({ message }) => right.test(message)),
          on.failures.map(({ message }) => message).join('\n'),
        );
        await until(() => (void on.set.resize(count), on.set.ready === count - 1), 'all but one', 30_000);
        assert.equal(await lib.fib(10), 55);
        await on.close();
      }
      assert.deepEqual([full.daemon.replicas, one.daemon.replicas], [0, 0]);
      assert.deepEqual(fs.readdirSync(path.join(hosts.folder, 'full', 'files')), []);
    } finally {
      await other.close();
    }
  });

  it('runs as a user that may do nothing else, where the daemon runs as root', async function () {
    const nobody = { uid: 65534, gid: 65534 };
    const agent = path.join(__dirname, '..', '..', 'lib', 'spawn', 'host-agent.js');
    if (process.getuid?.() !== 0 || spawnSync('test', ['-r', agent], nobody).status !== 0) return this.skip();
    fs.chmodSync(hosts.folder, 0o711);
    const one = await hosts.daemon('host1', { user: nobody });
    const lib = await placed({ nodes: [one.node], pure: true }, 1);
    assert.deepEqual(on.failures, []);
    assert.equal((await lib.surroundings()).uid, 65534);
    assert.equal(await lib.exists(path.join(hosts.keys('host1'), 'key.pem')), false, 'it does not see the key of its host');
  });

  it('is ended with a daemon that is killed, also while it computes', async () => {
    const one = await hosts.process('host1');
    const lib = await placed({ nodes: [one.node], state: 'none' }, 1);
    const pid = await lib.pid();
    const never = lib.hang().catch((error) => error);
    await until(() => on.set.pending > 0, 'the call');
    await on.set.resize(1);
    process.kill(one.child.pid, 'SIGKILL');
    assert.equal((await never).code, 'IGNIS_REPLICA_LOST');
    await until(() => !isAlive(pid), 'its end', 30000);
  });

  it('tells at home how it ended by itself', async () => {
    const one = await hosts.daemon('host1');
    const lib = await placed({ nodes: [one.node], state: 'none' }, 1);
    await assert.rejects(lib.die(), { code: 'IGNIS_REPLICA_LOST', ran: 'maybe' });
    await until(() => one.log.some((line) => /^replica \d+ of home ended: exit code 7$/.test(line)), 'its exit, as the daemon saw it');
  });

  it('leaves a host that is stopped, after its calls', async () => {
    const one = await hosts.process('host1', ['--drain-ms', '3600000']);
    const lib = await placed({ nodes: [one.node], pure: true }, 1);
    const pid = await lib.pid();
    process.kill(one.child.pid, 'SIGTERM');
    await until(() => one.seen.err.includes('stops when 1 replica'), 'the drain');
    assert.equal(await lib.fib(10), 55);
    // Long before its time is over: nobody has a call there any more.
    assert.deepEqual(await one.exited, { code: 0, signal: null });
    assert.equal(isAlive(pid), false);
  });

  it('goes on elsewhere when a host is stopped, and loses none of its calls', async () => {
    const [one, two] = [await hosts.process('host1', ['--drain-ms', '3600000']), await hosts.process('host2')];
    // Less than the call takes that waits: the time of the host counts.
    const lib = await placed({ nodes: [one.node, two.node], state: 'private', sched: 'rr' }, 2, { closeMs: 1 });
    const on1 = () => on.set.replicas.filter(({ where }) => where.includes('host1'));
    while (on1().length !== 1) {
      // One of them was silent for long, so that both came to the other.
      await on.set.resize(0);
      await allReady(2);
    }
    const sign = path.join(hosts.folder, 'stopped');
    const waiting = [lib.wait(sign), lib.wait(sign)];
    const [doomed] = on1();
    await until(() => doomed.pending === 1, 'a call on each');
    process.kill(one.child.pid, 'SIGTERM');
    await until(
      () => (void on.set.resize(2), on.set.ready === 2 && on.set.replicas.length === 3),
      () => `a replica in its place: ${on.failures.map(String)}`,
      30_000,
    );
    const pids = await Promise.all(Array.from({ length: 8 }, () => lib.pid()));
    assert.ok(!pids.includes(doomed.pid) && !pids.includes(process.pid), 'no new calls there, nor at home');
    assert.deepEqual([doomed.state, doomed.pending], ['draining', 1]);
    fs.writeFileSync(sign, '');
    assert.deepEqual(await Promise.all(waiting), [null, null]);
    assert.deepEqual(await one.exited, { code: 0, signal: null });
    assert.equal(on.set.lost, 0);
    assert.ok(
      on.failures.every(({ code }) => code === 'IGNIS_NO_HOST'),
      String(on.failures),
    );
  });

  it('is closed with Ignis as any other while a host that is stopped waits for its calls', async () => {
    const one = await hosts.process('host1', ['--drain-ms', '3600000']);
    const lib = await placed({ nodes: [one.node], state: 'none' }, 1, { closeMs: 50 });
    const waiting = lib.wait(path.join(hosts.folder, 'never')).catch((error) => error);
    await until(() => on.set.replicas[0].pending === 1, 'the call');
    process.kill(one.child.pid, 'SIGTERM');
    await until(() => on.set.replicas[0].state === 'draining', 'the drain');
    await on.close();
    assert.equal((await waiting).code, 'IGNIS_REPLICA_LOST');
    assert.deepEqual(await one.exited, { code: 0, signal: null });
  });

  it('has its state on a host that is stopped until the calls there have ended, and begins anew then', async () => {
    const [one, two] = [await hosts.process('host1', ['--drain-ms', '3600000']), await hosts.process('host2')];
    const lib = await placed({ nodes: [one.node, two.node], state: 'shared' }, 1);
    const pid = await lib.pid();
    const stopped = on.set.replicas[0].where.includes('host1') ? one : two;
    process.kill(stopped.child.pid, 'SIGTERM');
    await until(() => on.set.lost === 1, 'its loss', 30_000);
    const next = await lib.pid();
    assert.ok(next !== pid && next !== process.pid, 'in another replica');
    assert.deepEqual(await stopped.exited, { code: 0, signal: null });
  });
});
