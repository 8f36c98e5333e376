'use strict';

// Replicas of a daemon that cannot be started, or would be nobody's.

const assert = require('node:assert/strict');
const crypto = require('node:crypto');
const fs = require('node:fs');
const path = require('node:path');
const { spawn, spawnSync } = require('node:child_process');
const { Host } = require('../../lib/host/host');
const { ControlLink } = require('../../lib/host/control-link');
const { HomeSession } = require('../../lib/host/home-session');
const { HousedReplica } = require('../../lib/host/housed-replica');
const { VERSION } = require('../../lib/host/control-frames');
const { readIdentity } = require('../../lib/host/identity');
const { KIND } = require('../../lib/host/opening');
const { secureLink } = require('../../lib/host/secure-link');
const { TestHosts } = require('../helpers/hosts');
const { until } = require('../helpers/until');

const ROOT = path.join(__dirname, '..', '..');

describe('a replica that a daemon cannot start', function () {
  this.timeout(30000);
  /** @type {TestHosts} */
  let hosts;
  before(async () => {
    hosts = await TestHosts.make(['home', 'host1']);
  });
  after(() => hosts.close());

  it('has ended, says why, and takes no place', async () => {
    // No system knows such a user: Node throws instead of telling of it later.
    const { daemon, node } = await hosts.daemon('host1', { maxReplicas: 1, user: { uid: 0.5, gid: 0.5 } });
    const host = new Host(node, readIdentity(hosts.home, true), crypto.randomBytes(16), () => {});
    try {
      for (let i = 0; i < 3; i++) {
        const start = host.start({ onExit: () => {}, isResident: false });
        await assert.rejects(start, { code: 'IGNIS_START_FAILED', message: /could not be started: .*uid/ });
        assert.equal(daemon.replicas, 0);
      }
    } finally {
      await host.close();
    }
  });

  it('says what its process has written, not where that stood in the code', async () => {
    const { log, node } = await hosts.daemon('host1', { agentFile: path.join(__dirname, 'fixtures', 'throws.js') });
    const host = new Host(node, readIdentity(hosts.home, true), crypto.randomBytes(16), () => {});
    const start = host.start({ onExit: () => {}, isResident: false });
    await assert.rejects(start, { code: 'IGNIS_START_FAILED', message: /exit code 1; it last wrote: .*Error: no thread can be had/ });
    assert.match(log.join('\n'), /replica 1 of home ended: exit code 1; it last wrote: .*Error: no thread can be had/);
    await host.close();
  });
});

describe('a replica of a daemon that has no descriptor left', function () {
  this.timeout(30000);

  it('has ended, says why, and nobody is sent the signal that would end it', function () {
    if (process.platform === 'win32') this.skip();
    // In a process group of its own, which Node 20 would end.
    const run = spawnSync(
      '/bin/sh',
      ['-c', 'ulimit -n 60; exec "$0" "$1"', process.execPath, path.join(__dirname, 'fixtures', 'no-descriptors.js')],
      {
        detached: true,
        encoding: 'utf8',
        // Node has no descriptor left to write its coverage, and hands it on also where it is left out.
        env: { ...process.env, NODE_V8_COVERAGE: undefined },
      },
    );
    assert.deepEqual([run.signal, run.status, run.stderr], [null, 0, '']);
    const { is, exits, pid } = JSON.parse(run.stdout);
    assert.deepEqual([is, exits.length, exits[1], pid], ['EMFILE', 2, 'IGNIS_START_FAILED', 0]);
    assert.match(exits[0], /could not be started: spawn .* EMFILE/);
  });
});

describe('a replica of a daemon whose folder for temporary files has gone', () => {
  it('names that folder, and not Node', async () => {
    const before = process.env.TMPDIR;
    process.env.TMPDIR = path.join(__dirname, 'gone');
    const replica = new HousedReplica({
      ...{ id: 1, agentFile: path.join(__dirname, 'fixtures', 'idle.js'), memoryMb: 64, user: null, nodeEnv: null },
      ...{ ca: '', homeFingerprint: '', leaseMs: 60000, maxBlockBytes: 1 << 20, rootOf: String, onOutput: () => {}, whyFull: () => '' },
      onExit: () => {},
    });
    try {
      await assert.rejects(replica.start(), { code: 'IGNIS_START_FAILED', message: /temporary files is not there: .*gone$/ });
    } finally {
      if (before === undefined) delete process.env.TMPDIR;
      else process.env.TMPDIR = before;
    }
  });
});

describe('a replica of a daemon that never takes links', function () {
  this.timeout(30000);

  it('is ended, and says why', async () => {
    const exits = [];
    const replica = new HousedReplica({
      ...{ id: 1, agentFile: path.join(__dirname, 'fixtures', 'idle.js'), memoryMb: 64, user: null, nodeEnv: null, startMs: 200 },
      ...{ ca: '', homeFingerprint: '', leaseMs: 60000, maxBlockBytes: 1 << 20, rootOf: String, onOutput: () => {}, whyFull: () => '' },
      onExit: (why) => exits.push(why),
    });
    await assert.rejects(replica.start(), { code: 'IGNIS_START_FAILED', message: /did not start within 200 ms/ });
    assert.deepEqual(exits, ['did not start within 200 ms']);
    assert.throws(() => process.kill(replica.pid, 0), { code: 'ESRCH' });
  });
});

describe('a replica of a daemon that is ended before it has a process', () => {
  it('gets none, and is told of once', async () => {
    const exits = [];
    const replica = new HousedReplica({
      ...{ id: 1, agentFile: path.join(__dirname, 'fixtures', 'idle.js'), memoryMb: 64, user: null, nodeEnv: null },
      ...{ ca: '', homeFingerprint: '', leaseMs: 60000, maxBlockBytes: 1 << 20, rootOf: String, onOutput: () => {}, whyFull: () => '' },
      onExit: (why) => exits.push(why),
    });
    const start = replica.start();
    replica.kill('its home has ended');
    assert.deepEqual(exits, ['its home has ended']);
    await assert.rejects(start, { code: 'IGNIS_START_FAILED', message: /its home has ended/ });
    assert.deepEqual([exits.length, replica.pid], [1, 0]);
  });
});

/** A replica without a module, and why it ended. */
async function startReplica() {
  const exits = [];
  const replica = new HousedReplica({
    ...{ id: 1, agentFile: path.join(ROOT, 'lib', 'spawn', 'host-agent.js'), memoryMb: 64, user: null, nodeEnv: null },
    ...{ ca: '', homeFingerprint: '', leaseMs: 60000, maxBlockBytes: 1 << 20, rootOf: String, onOutput: () => {}, whyFull: () => '' },
    onExit: (why) => exits.push(why),
  });
  await replica.start();
  return { replica, exits };
}

describe('a replica of a daemon that is stopped', function () {
  this.timeout(30000);

  before(function () {
    if (process.platform !== 'linux') this.skip();
  });

  it('is ended when that was seen again and again; one that runs, or goes on in time, is not', async () => {
    const { replica, exits } = await startReplica();
    const is = (state) =>
      until(() => new RegExp(`^State:\\s+${state}`, 'm').test(fs.readFileSync(`/proc/${replica.pid}/status`, 'latin1')), state);
    const look = (times) => Array.from({ length: times }, () => replica.look());
    look(10);
    process.kill(replica.pid, 'SIGSTOP');
    await is('T');
    look(2);
    process.kill(replica.pid, 'SIGCONT');
    await is('[RS]');
    look(1);
    process.kill(replica.pid, 'SIGSTOP');
    await is('T');
    look(2);
    assert.equal(process.kill(replica.pid, 0), true);
    look(1);
    await until(() => exits.length > 0, 'its end');
    assert.deepEqual(exits, ['it was stopped, and gave no sign of life']);
  });
});

describe('a replica of a daemon that all processes of the daemon are told to end with', function () {
  this.timeout(30000);

  it('leaves it to the daemon, which waits for its calls', async function () {
    if (process.platform === 'win32') this.skip();
    const { replica, exits } = await startReplica();
    // The first that ends a process is what it ended with, whatever comes after it.
    for (const signal of ['SIGINT', 'SIGTERM', 'SIGHUP', 'SIGQUIT', 'SIGUSR1', 'SIGUSR2', 'SIGKILL']) process.kill(replica.pid, signal);
    await until(() => exits.length > 0, 'its end');
    assert.deepEqual(exits, ['signal SIGKILL']);
  });
});

describe('a replica that computes for ever, whose daemon is killed', function () {
  this.timeout(30000);

  it('ends', async function () {
    if (process.platform === 'win32') this.skip();
    const daemon = spawn(process.execPath, [path.join(__dirname, 'fixtures', 'one-replica.js')], { stdio: ['ignore', 'pipe', 'inherit'] });
    const pid = Number(await new Promise((resolve) => daemon.stdout.once('data', resolve)));
    const isThere = () => {
      try {
        // What nobody has waited for yet is there, and has ended.
        return process.kill(pid, 0) && !/^State:\s+Z/m.test(fs.readFileSync(`/proc/${pid}/status`, 'latin1'));
      } catch ({ code }) {
        return code === 'ENOENT' && process.platform !== 'linux';
      }
    };
    try {
      assert.equal(isThere(), true);
      daemon.kill('SIGKILL');
      await until(() => !isThere(), 'its end');
    } finally {
      if (isThere()) process.kill(pid, 'SIGKILL');
    }
  });
});

describe('a replica that left a process of its own behind', function () {
  this.timeout(30000);

  it('has ended with itself, not with what holds its streams yet', async () => {
    const exits = [];
    let written = '';
    const replica = new HousedReplica({
      ...{ id: 1, agentFile: path.join(__dirname, 'fixtures', 'leaves-one.js'), memoryMb: 64, user: null, nodeEnv: null },
      ...{ ca: '', homeFingerprint: '', leaseMs: 60000, maxBlockBytes: 1 << 20, rootOf: String, whyFull: () => '' },
      onOutput: (_fd, text) => (written += text),
      onExit: (why) => exits.push(why),
    });
    // It may have ended before it was seen to be up.
    await replica.start().catch(() => {});
    try {
      await until(() => exits.length > 0, 'the end of the replica');
      assert.deepEqual(exits, ['signal SIGKILL']);
      assert.equal(process.kill(Number(written), 0), true, 'what it started lives');
    } finally {
      process.kill(Number(written), 'SIGKILL');
    }
  });
});

describe('a replica that prints more than its home takes', function () {
  this.timeout(30000);

  it('waits, and prints on when home takes it again, over the same link or another', async () => {
    const session = new HomeSession('home', '', /** @type {any} */ ({
      ...{ agentFile: path.join(__dirname, 'fixtures', 'prints.js'), user: null, memoryMb: 64, leaseMs: 60000, ca: '', maxBlockBytes: 1 << 20 },
      ...{ store: { rootOf: String }, takeId: () => 1, whyFull: () => '', onExit: () => {}, onEnd: () => {}, log: () => {} },
    })); // prettier-ignore
    let told = 0;
    const tell = (/** @type {string} */ name) => (told += Number(name === 'output'));
    const link = { isFull: false, tell, close: () => {}, destroy: () => {} };
    const turns = async () => {
      for (let i = 0; i < 200; i++) await new Promise((resolve) => setImmediate(resolve));
      return told;
    };
    const more = async () => {
      const before = told;
      await until(() => told > before + 10, 'what it prints');
    };
    session.attach(/** @type {any} */ (link));
    try {
      await session.ask('start', { env: null }, null);
      await more();
      link.isFull = true;
      const before = told;
      await until(() => told > before, 'what was one too many');
      assert.equal(await turns(), before + 1);
      link.isFull = false;
      session.flow();
      await more();
      link.isFull = true;
      await turns();
      session.attach(/** @type {any} */ ({ ...link, isFull: false }));
      await more();
    } finally {
      session.end('the test is over');
      await session.gone;
    }
  });
});

describe('a home that has ended', () => {
  it('is given nothing any more by a host', async () => {
    const session = new HomeSession('home', '', /** @type {any} */ ({ onEnd: () => {}, whyFull: () => assert.fail('it was asked') }));
    session.end('its home has ended');
    await assert.rejects(session.ask('start', { env: null }, null), { code: 'IGNIS_NO_HOST', message: /has ended/ });
  });
});

describe('a link to a daemon', function () {
  this.timeout(30000);

  it('says hello once, and what it has started ends with it', async () => {
    const hosts = await TestHosts.make(['home', 'host1']);
    try {
      const { daemon, node } = await hosts.daemon('host1');
      const aim = { kind: KIND.CONTROL, ticket: crypto.randomBytes(16) };
      const stream = await secureLink(/** @type {any} */ ({ node, title: 'host1' }), readIdentity(hosts.home, true), aim);
      const link = new ControlLink(stream, { onTell: () => {}, onClose: () => {} });
      const hello = () => link.ask('hello', { version: VERSION, session: crypto.randomBytes(16), node: process.version });
      try {
        await hello();
        await link.ask('start', { env: null });
        await assert.rejects(hello(), { code: 'IGNIS_BAD_FRAME', message: /says hello once/ });
        assert.equal(daemon.replicas, 1);
        link.tell('bye');
        await until(() => daemon.replicas === 0, 'the end of its replica');
      } finally {
        link.destroy();
      }
    } finally {
      await hosts.close();
    }
  });
});
