'use strict';

// One running application: a process of its own, in an empty folder of its own.
// In: which one, and whether plain, under Ignis, or under Ignis with its page open. Out: its address, how long it took until it served, its
// processor time. A program that does not serve in time is an error with its own last words.

const { spawn } = require('node:child_process');
const { once } = require('node:events');
const fs = require('node:fs');
const net = require('node:net');
const os = require('node:os');
const path = require('node:path');
const { setTimeout: sleep } = require('node:timers/promises');
const { OpenPage } = require('../lib/page.js');
const { processorMs } = require('../lib/processor.js');

const IGNIS = path.join(__dirname, '..', '..', 'bin', 'ignis.js');
const LOADED = path.join(__dirname, 'loaded.js');
const READY_MS = 60000;
const END_MS = 10000;
const LOOK_MS = 10;

/** @typedef {'plain' | 'ignis run' | 'ignis run --dash'} Way the last one: a page is open all the time */

/** @type {Way[]} */
const WAYS = ['plain', 'ignis run', 'ignis run --dash'];

/** @type {Record<Way, string[]>} */
const BEFORE = { plain: [], 'ignis run': [IGNIS, 'run'], 'ignis run --dash': [IGNIS, 'run', '--dash'] };

class Running {
  /** @type {import('node:child_process').ChildProcess} */
  #child;
  #folder;
  #app;
  #port;
  #words = '';
  #startedAt = performance.now();
  /** @type {OpenPage | null} */
  #page = null;
  /** Until it served, ms. */
  startMs = NaN;

  /**
   * @param {import('./list.js').App} app
   * @param {string} main its file
   * @param {Way} way
   * @param {number} port
   * @param {boolean} isCounted its files can be asked for
   */
  constructor(app, main, way, port, isCounted) {
    this.#app = app;
    this.#port = port;
    this.#folder = fs.mkdtempSync(path.join(os.tmpdir(), 'ignis-app-'));
    const { args, env } = app.layOut({ folder: this.#folder, port });
    const preload = isCounted ? ['-r', LOADED] : [];
    this.#child = spawn(process.execPath, [...preload, ...BEFORE[way], main, ...args], {
      cwd: this.#folder,
      stdio: ['ignore', 'pipe', 'pipe'],
      env: {
        ...process.env,
        NODE_ENV: 'production',
        XDG_RUNTIME_DIR: this.#folder,
        APPS_LOADED: path.join(this.#folder, 'loaded'),
        ...env,
      },
    });
    process.once('exit', this.#abandon);
    for (const stream of [this.#child.stdout, this.#child.stderr])
      stream?.on('data', (text) => (this.#words = `${this.#words}${text}`.slice(-20000)));
  }

  /**
   * @param {import('./list.js').App} app
   * @param {string} main
   * @param {Way} way
   * @param {{isCounted?: boolean}} [how]
   * @returns {Promise<Running>} it serves
   */
  static async start(app, main, way, { isCounted = false } = {}) {
    const running = new Running(app, main, way, await freePort(), isCounted);
    try {
      await running.#ready();
      if (way === 'ignis run --dash') await running.#openPage();
      return running;
    } catch (error) {
      await running.end();
      throw error;
    }
  }

  get url() {
    return `http://127.0.0.1:${this.#port}`;
  }

  /** Of the home process, ms since its start. */
  get processorMs() {
    return processorMs(this.#child.pid ?? 0);
  }

  async #ready() {
    const { ready, readyHeaders = {}, name } = this.#app;
    const deadline = performance.now() + READY_MS;
    while (performance.now() < deadline && this.#child.exitCode === null && this.#child.signalCode === null) {
      try {
        const response = await fetch(this.url + ready, { headers: readyHeaders, signal: AbortSignal.timeout(READY_MS) });
        await response.arrayBuffer();
        if (response.status === 200) return void (this.startMs = performance.now() - this.#startedAt);
      } catch {
        // It does not listen yet.
      }
      await sleep(LOOK_MS);
    }
    throw new Error(`${name} did not become ready:\n${this.#words}`);
  }

  /** As a browser does. */
  async #openPage() {
    const [, address] = /the page is at (http\S+)/.exec(this.#words) ?? [];
    if (address === undefined) throw new Error(`${this.#app.name} has no page:\n${this.#words}`);
    this.#page = await OpenPage.open(address);
  }

  /** @returns {Promise<number>} boundaries on the page, by the next snapshot */
  async boundaries() {
    return (await this.#page?.next())?.boundaries.length ?? 0;
  }

  /** @returns {Promise<string[]>} addresses of all scripts that it has loaded */
  async loaded() {
    const file = path.join(this.#folder, 'loaded');
    this.#child.kill('SIGUSR2');
    const deadline = performance.now() + READY_MS;
    while (!fs.existsSync(file)) {
      if (performance.now() > deadline) throw new Error(`${this.#app.name} did not say what it has loaded:\n${this.#words}`);
      await sleep(LOOK_MS);
    }
    return JSON.parse(fs.readFileSync(file, 'utf8'));
  }

  /** Ends it in good order, or after some seconds at once, and removes its files. */
  async end() {
    this.#page?.close();
    if (this.#child.exitCode === null && this.#child.signalCode === null) {
      const timer = setTimeout(() => this.#child.kill('SIGKILL'), END_MS);
      this.#child.kill('SIGTERM');
      await once(this.#child, 'exit');
      clearTimeout(timer);
    }
    this.#abandon();
  }

  /** Nothing stays behind, also when this process exits in between. */
  #abandon = () => {
    process.removeListener('exit', this.#abandon);
    this.#child.kill('SIGKILL');
    fs.rmSync(this.#folder, { recursive: true, force: true, maxRetries: 5 });
  };
}

/** @returns {Promise<number>} a port of this machine that nobody uses */
async function freePort() {
  const server = net.createServer().listen(0, '127.0.0.1');
  await once(server, 'listening');
  const { port } = /** @type {net.AddressInfo} */ (server.address());
  server.close();
  await once(server, 'close');
  return port;
}

exports.Running = Running;
exports.WAYS = WAYS;
exports.freePort = freePort;
