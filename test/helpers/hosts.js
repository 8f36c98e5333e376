'use strict';
/*
 * Hosts for tests: keys that are made once a file, and daemons on loopback, in this process or in one of their own. In: a name. Out: a node
 * for a recipe, with a weight, so that where replicas go is no matter of how busy the machine is, and an end that leaves nothing.
 */
const fs = require('node:fs');
const os = require('node:os');
const path = require('node:path');
const { spawn } = require('node:child_process');
const { Daemon } = require('../../lib/host/daemon');
const { readIdentity } = require('../../lib/host/identity');
const { makeKeys } = require('../../lib/host/keys');
const { freePorts } = require('./ports');

const ROOT = path.join(__dirname, '..', '..');

class TestHosts {
  /** @type {Set<{close: () => Promise<void>}>} */
  #open = new Set();
  /** Daemons in processes of their own: each needs a store that no other has. */
  #started = 0;

  /** @returns {Promise<TestHosts>} */
  static async make(names = ['home', 'host1', 'host2']) {
    const hosts = new TestHosts();
    hosts.folder = fs.realpathSync(fs.mkdtempSync(path.join(os.tmpdir(), 'ignis-host-')));
    await makeKeys(path.join(hosts.folder, 'keys'), names);
    return hosts;
  }

  /** @param {string} name */
  keys(name) {
    return path.join(this.folder, 'keys', name);
  }

  get home() {
    return { identity: this.keys('home') };
  }

  /** A daemon in this process. @param {string} name @param {object} [options] */
  async daemon(name, options = {}) {
    const log = [];
    const daemon = new Daemon({
      identity: readIdentity({ identity: this.keys(name) }, false),
      homes: ['home'],
      agentFile: path.join(ROOT, 'lib', 'spawn', 'host-agent.js'),
      store: path.join(this.folder, 'store', name),
      storeBytes: 1e9,
      maxReplicas: 8,
      memoryMb: 256,
      labels: {},
      leaseMs: 60000,
      user: null,
      attempts: 1000,
      maxBlockBytes: 1 << 28,
      log: (text) => log.push(text),
      ...options,
    });
    const port = await daemon.listen('127.0.0.1', 0);
    this.#open.add(daemon);
    return { daemon, log, port, node: { ip: '127.0.0.1', port, name, weight: 1 }, close: () => daemon.close() };
  }

  /**
   * A daemon as a user starts it.
   *
   * @param {string} name
   * @param {string[]} [args]
   * @param {number} [port] without one, another that is nobody else's, also when it has ended
   */
  async process(name, args = [], port) {
    const [own] = port === undefined ? await freePorts(1) : [port];
    const child = spawn(
      process.execPath,
      [
        ...[path.join(ROOT, 'bin', 'ignis.js'), 'daemon', '--listen', `127.0.0.1:${own}`, '--identity', this.keys(name)],
        ...[
          '--store',
          path.join(this.folder, 'store', `${name}-${++this.#started}`),
          '--user',
          os.userInfo().username,
          '--max-replicas',
          '8',
          ...args,
        ],
      ],
      { stdio: ['ignore', 'pipe', 'pipe'] },
    );
    const seen = { err: '' };
    child.stderr.setEncoding('utf8').on('data', (text) => (seen.err += text));
    const exited = new Promise((resolve) => {
      child.once('close', (code, signal) => resolve({ code, signal }));
    });
    const close = async () => {
      child.kill('SIGKILL');
      await exited;
    };
    this.#open.add({ close });
    const taken = await new Promise((resolve, reject) => {
      let out = '';
      child.stdout.setEncoding('utf8').on('data', (text) => {
        out += text;
        const found = /listens on .*:(\d+)\n/.exec(out);
        if (found !== null) resolve(Number(found[1]));
      });
      void exited.then(() => reject(new Error(`the daemon ended: ${seen.err}`)));
    });
    return { child, seen, exited, close, port: taken, node: { ip: '127.0.0.1', port: taken, name, weight: 1 } };
  }

  async close() {
    for (const one of this.#open) await one.close();
    fs.rmSync(this.folder, { recursive: true, force: true });
  }
}

exports.TestHosts = TestHosts;
