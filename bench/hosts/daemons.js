'use strict';

// The hosts of the benchmark: keys made for this run, and a daemon a place, each started as a user starts it.
// In: places. Out: their nodes, as a recipe names them, the keys of home, and an end that leaves nothing.

const { spawn } = require('node:child_process');
const { once } = require('node:events');
const fs = require('node:fs');
const os = require('node:os');
const path = require('node:path');
const readline = require('node:readline');
const { makeKeys } = require('../../lib/host/keys');
const { onLoopback } = require('./places');

const IGNIS = path.join(__dirname, '..', '..', 'bin', 'ignis.js');
const END_MS = 5000;

/** @typedef {import('./places').Place} Place */
/** @typedef {{ip: string, port: number, name: string}} Node */

/** This machine itself. */
const HERE = onLoopback('127.0.0.1');

class Daemons {
  /** @type {import('node:child_process').ChildProcess[]} */
  #children = [];
  #folder = fs.realpathSync(fs.mkdtempSync(path.join(os.tmpdir(), 'ignis-hosts-')));
  /** @type {Node[]} */
  nodes = [];

  /** @param {Place[]} places @param {number} replicas that each may run @returns {Promise<Daemons>} all of them listen */
  static async start(places, replicas) {
    const daemons = new Daemons();
    process.once('exit', daemons.#abandon);
    try {
      const names = places.map((_, i) => `host${i + 1}`);
      await makeKeys(path.join(daemons.#folder, 'keys'), ['home', ...names]);
      daemons.nodes = await Promise.all(places.map((place, i) => daemons.#start(place, names[i], replicas)));
      return daemons;
    } catch (error) {
      await daemons.end();
      throw error;
    }
  }

  /** To a daemon and its replicas. @param {number} index @param {NodeJS.Signals} signal */
  signal(index, signal) {
    const { pid } = this.#children[index];
    const children = fs.readFileSync(`/proc/${pid}/task/${pid}/children`, 'utf8').trim().split(' ').filter(Boolean);
    for (const one of [Number(pid), ...children.map(Number)]) process.kill(one, signal);
  }

  /** @param {string} name @returns {string} its folder of keys */
  keys(name) {
    return path.join(this.#folder, 'keys', name);
  }

  /** A file of this run. @param {string} name @param {string} text @returns {string} its path */
  write(name, text) {
    const file = path.join(this.#folder, name);
    fs.writeFileSync(file, text);
    return file;
  }

  /** @returns {Promise<void>} all have ended, and their files are gone */
  async end() {
    await Promise.all(
      this.#children.map(async (child) => {
        if (child.exitCode !== null || child.signalCode !== null) return;
        const timer = setTimeout(() => child.kill('SIGKILL'), END_MS);
        child.kill('SIGTERM');
        await once(child, 'exit');
        clearTimeout(timer);
      }),
    );
    this.#abandon();
  }

  /** @param {Place} place @param {string} name @param {number} replicas @returns {Promise<Node>} */
  async #start({ ip, within }, name, replicas) {
    const [command, args] = within(process.execPath, [
      ...[IGNIS, 'daemon', '--listen', `${ip}:0`, '--identity', this.keys(name), '--store', path.join(this.#folder, 'store', name)],
      ...['--user', os.userInfo().username, '--max-replicas', String(replicas)],
    ]);
    const child = spawn(command, args, { stdio: ['ignore', 'pipe', 'pipe'] });
    this.#children.push(child);
    let last = '';
    child.stderr.setEncoding('utf8').on('data', (text) => (last = (last + text).slice(-2000)));
    for await (const line of readline.createInterface({ input: child.stdout })) {
      const found = /listens on .*:(\d+)$/.exec(line);
      if (found === null) continue;
      child.stdout.resume();
      return { ip, port: Number(found[1]), name };
    }
    throw new Error(`the daemon of ${name} ended: ${last}`);
  }

  #abandon = () => {
    process.removeListener('exit', this.#abandon);
    for (const child of this.#children) child.kill('SIGKILL');
    fs.rmSync(this.#folder, { recursive: true, force: true });
  };
}

exports.Daemons = Daemons;
exports.HERE = HERE;
