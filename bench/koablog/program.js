'use strict';

// One weblog that runs: plain, with Ignis, or on a store. In: which, a folder of its own, and where Ignis keeps the other copies. Out: its
// address; the processes of its file system; an end. It listens on a free port of this machine.

const { spawn } = require('node:child_process');
const { once } = require('node:events');
const fs = require('node:fs');
const path = require('node:path');

const ROOT = path.join(__dirname, '..', '..');
const BLOG = path.join(ROOT, 'examples', 'koablog', 'server.js');
/** @type {Record<string, string[]>} */
const COMMANDS = {
  plain: [BLOG],
  ignis: ['-r', path.join(ROOT, 'lib', 'register.js'), BLOG],
  store: [path.join(__dirname, 'store-server.js')],
};
/** Folders in which `copies: 3` keeps its copies, from the program's current directory, where no disks are named. */
const COPIES = ['', '.ignis-fs/copy-2', '.ignis-fs/copy-3'];

class Program {
  #child;
  #copies;
  #ended;
  /** what it said on both streams */
  said = '';
  url = '';

  /**
   * @param {'plain' | 'ignis' | 'store'} kind
   * @param {string} folder its current directory
   * @param {string[]} others folders on other disks, for the other copies; none: they lie below the first
   */
  constructor(kind, folder, others) {
    const cwd = fs.realpathSync(folder);
    this.#copies = others.length === 0 ? COPIES.map((copy) => path.join(cwd, copy)) : [cwd, ...others];
    const recipe = path.join(cwd, 'recipe.json');
    const env = { ...process.env, PORT: '0', BLOG_DATA: 'data', IGNIS_QUIET: '1', IGNIS_RECIPE: recipe };
    fs.writeFileSync(recipe, JSON.stringify(others.length === 0 ? {} : { modules: { fs: { disks: this.#copies } } }));
    this.#child = spawn(process.execPath, COMMANDS[kind], { cwd, stdio: ['ignore', 'pipe', 'pipe'], env });
    this.#ended = once(this.#child, 'close');
    for (const stream of [this.#child.stdout, this.#child.stderr]) stream.setEncoding('utf8').on('data', (text) => (this.said += text));
  }

  /** @param {'plain' | 'ignis' | 'store'} kind @param {string} folder @param {string[]} [others] @returns {Promise<Program>} it listens */
  static async start(kind, folder, others = []) {
    const program = new Program(kind, folder, others);
    const ended = program.#ended.then(() => {
      throw new Error(`the weblog (${kind}) did not start; it said ${program.said}`);
    });
    while (program.url === '') {
      await Promise.race([once(program.#child.stdout, 'data'), ended]);
      program.url = /at (http:\S+)\n/.exec(program.said)?.[1] ?? '';
    }
    ended.catch(() => {});
    return program;
  }

  get pid() {
    return this.#child.pid;
  }

  /** @returns {number[]} its nodes of `fs`, with Ignis; 0: none now */
  nodes() {
    return this.#copies.map((folder) => {
      const file = path.join(folder, '.ignis-fs', 'node');
      return fs.existsSync(file) ? Number(fs.readFileSync(file, 'utf8').split(' ')[0]) : 0;
    });
  }

  /** @returns {Promise<number | null>} its exit code */
  async end() {
    this.#child.kill('SIGTERM');
    const timer = setTimeout(() => this.#child.kill('SIGKILL'), 20_000);
    const [code] = await this.#ended;
    clearTimeout(timer);
    return code;
  }
}

exports.BLOG = BLOG;
exports.COPIES = COPIES;
exports.Program = Program;
