'use strict';

// One running wiki, and load on it; each is a process of its own.
// In: which way to run it. Out: its address, what it says on stderr line by line, its memory, the figures of a load.
// A program that does not say it is ready in time is an error with its own last words.

const { spawn } = require('node:child_process');
const { once } = require('node:events');
const fs = require('node:fs');
const os = require('node:os');
const path = require('node:path');
const readline = require('node:readline');
const { layOutPlain } = require('./plain-source.js');
const { processTree } = require('./processes.js');

const WIKI = path.join(__dirname, '..', '..', 'examples', 'wiki');
const REGISTER = path.join(__dirname, '..', '..', 'lib', 'register.js');
const READY_MS = 20000;
const END_MS = 8000;

/**
 * @typedef {object} Way
 * @property {string[]} args for node
 * @property {Record<string, string>} [env]
 * @property {boolean} [isPlainSource] without the two lines that Ignis takes
 */

/** @type {Record<string, Way>} */
const WAYS = {
  plain: { args: ['server.js'] },
  ignis: { args: ['-r', REGISTER, 'server.js'] },
  'ignis, lift': { args: ['-r', REGISTER, 'server.js'], env: { IGNIS_RECIPE: path.join(__dirname, 'lift.json') }, isPlainSource: true },
  // Without the two lines nobody has said that anything may be distributed, so nothing is.
  'ignis, only watching': { args: ['-r', REGISTER, 'server.js'], isPlainSource: true },
  'piscina, a task a call': { args: [path.join(__dirname, 'piscina.js')], env: { WIKI_CUT: 'call' } },
  'piscina, a task a page': { args: [path.join(__dirname, 'piscina.js')], env: { WIKI_CUT: 'page' } },
  'node:cluster': { args: [path.join(__dirname, 'cluster.js')] },
};

/**
 * @param {string} name of a way
 * @returns {string | null} why it cannot run here
 */
function whyNot(name) {
  if (!name.startsWith('ignis') || fs.existsSync(REGISTER)) return null;
  return 'lib/register.js is not there';
}

class Program {
  /** @type {import('node:child_process').ChildProcess} */
  #child;
  #folder;
  /** @type {string[]} */
  #lastWords = [];
  url = '';

  /**
   * @param {string} name of a way
   * @param {{ env?: Record<string, string>, onLine?: (line: string) => void }} [options] onLine: each line of stderr
   */
  constructor(name, { env = {}, onLine } = {}) {
    const way = WAYS[name];
    if (way === undefined) throw new Error(`there is no way ${JSON.stringify(name)}; there are ${Object.keys(WAYS).join(', ')}`);
    this.name = name;
    this.#folder = fs.mkdtempSync(path.join(os.tmpdir(), 'ignis-wiki-'));
    this.reportFile = path.join(this.#folder, 'report.json');
    const report = name.startsWith('ignis') ? { IGNIS_REPORT: this.reportFile } : {};
    this.#child = spawn(process.execPath, way.args, {
      cwd: way.isPlainSource ? layOutPlain(path.join(this.#folder, 'wiki')) : WIKI,
      stdio: ['ignore', 'pipe', 'pipe'],
      env: {
        ...process.env,
        NODE_ENV: 'production',
        ...way.env,
        ...report,
        ...env,
        PORT: '0',
        HOST: '127.0.0.1',
        WIKI_DATA: path.join(this.#folder, 'data'),
      },
    });
    process.once('exit', this.#abandon);
    readline.createInterface({ input: /** @type {any} */ (this.#child.stderr) }).on('line', (line) => {
      this.#lastWords = [...this.#lastWords, line].slice(-20);
      onLine?.(line);
    });
  }

  /** @returns {number} */
  get pid() {
    return this.#child.pid ?? 0;
  }

  /** @returns {Promise<this>} when it takes requests */
  async ready() {
    const lines = readline.createInterface({ input: /** @type {any} */ (this.#child.stdout) });
    const timer = setTimeout(() => lines.close(), READY_MS);
    for await (const line of lines) {
      const match = /^wiki ready on (http:\S+)$/.exec(line);
      if (match === null) continue;
      this.url = match[1];
      break;
    }
    clearTimeout(timer);
    this.#child.stdout?.resume();
    if (this.url !== '') return this;
    await this.end();
    throw new Error(`${this.name} did not become ready:\n${this.#lastWords.join('\n')}`);
  }

  /**
   * @param {Parameters<typeof load>[1]} options
   * @returns {Promise<LoadReport>}
   * @throws {Error} when the load cannot be put on it, with the program's last words
   */
  async load(options) {
    try {
      return await load(this.url, options);
    } catch (error) {
      const { exitCode, signalCode } = this.#child;
      const state = exitCode === null && signalCode === null ? 'still runs' : `ended with ${signalCode ?? exitCode}`;
      throw new Error(`${/** @type {Error} */ (error).message}\n${this.name} ${state}; its last words:\n${this.#lastWords.join('\n')}`, {
        cause: error,
      });
    }
  }

  /** @returns {import('./processes.js').ProcessFigures[]} */
  processes() {
    return processTree(this.pid);
  }

  /**
   * Ends it in good order, or after some seconds at once, and removes its files.
   * @returns {Promise<any>} the report that Ignis wrote; null without one
   */
  async end() {
    if (this.#child.exitCode === null && this.#child.signalCode === null) {
      const timer = setTimeout(() => this.#child.kill('SIGKILL'), END_MS);
      this.#child.kill('SIGTERM');
      await once(this.#child, 'exit');
      clearTimeout(timer);
    }
    const report = fs.existsSync(this.reportFile) ? JSON.parse(fs.readFileSync(this.reportFile, 'utf8')) : null;
    this.#abandon();
    return report;
  }

  /** Nothing stays behind, also when this process exits in between. */
  #abandon = () => {
    process.removeListener('exit', this.#abandon);
    this.#child.kill('SIGKILL');
    fs.rmSync(this.#folder, { recursive: true, force: true });
  };
}

/**
 * @param {string} url
 * @param {{ rate?: number, connections?: number, seconds: number, slow?: number, onSecond?: (figures: LoadReport) => void }} load
 * @returns {Promise<LoadReport>}
 */
async function load(url, { rate = 0, connections = 32, seconds, slow = 0.01, onSecond }) {
  const args = Object.entries({ url, rate, connections, seconds, slow }).flatMap(([name, value]) => [`--${name}`, String(value)]);
  if (onSecond) args.push('--live');
  const child = spawn(process.execPath, ['load.js', ...args], { cwd: WIKI, stdio: ['ignore', 'pipe', 'pipe'] });
  let words = '';
  let answer = '';
  child.stdout.on('data', (chunk) => {
    answer += chunk;
  });
  readline.createInterface({ input: child.stderr }).on('line', (line) => {
    if (onSecond && line.startsWith('{')) onSecond(JSON.parse(line));
    else words += `${line}\n`;
  });
  const [code] = await once(child, 'close');
  if (code !== 0) throw new Error(`the load on ${url} failed: ${words.trim()}`);
  return JSON.parse(answer);
}

/** @typedef {import('../../examples/wiki/load/tally.js').Report} LoadReport */

exports.Program = Program;
exports.WAYS = WAYS;
exports.whyNot = whyNot;
