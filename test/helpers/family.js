'use strict';
/*
 * A program in a process of its own, with all that it starts, found by a mark in the environment that descendants inherit (on Linux;
 * elsewhere by what the program tells). In: arguments for node. Out: what it said, how it ended, and who of its family lives. Nothing of it
 * outlives the test.
 */
const { spawn } = require('node:child_process');
const { once } = require('node:events');
const fs = require('node:fs');
const { isAlive } = require('../spawn/sets');
const { until } = require('./until');

const LIMIT_MS = 150_000;
let next = 0;

class Family {
  #mark = `IGNIS_TEST_FAMILY=${process.pid}-${Date.now()}-${next++}`;
  #limit;
  out = '';
  err = '';

  /** @param {string[]} args of node @param {{detached?: boolean, env?: Record<string, string>, cwd?: string}} [options] */
  constructor(args, { env = {}, ...options } = {}) {
    const [name, value] = this.#mark.split('=');
    // A program that is tested is not itself one that watches.
    const given = { ...process.env, NODE_OPTIONS: '', NODE_TEST_CONTEXT: undefined, ...env, [name]: value };
    this.child = spawn(process.execPath, args, { stdio: ['ignore', 'pipe', 'pipe'], ...options, env: given });
    this.child.stdout.setEncoding('utf8').on('data', (text) => (this.out += text));
    this.child.stderr.setEncoding('utf8').on('data', (text) => (this.err += text));
    this.#limit = setTimeout(() => this.end(), LIMIT_MS);
    /** @type {Promise<{code: number | null, signal: string | null}>} when it and all who hold its pipes have ended */
    this.ended = once(this.child, 'close').then(([code, signal]) => {
      clearTimeout(this.#limit);
      return { code, signal };
    });
  }

  get pid() {
    return /** @type {number} */ (this.child.pid);
  }

  /** @returns {Promise<any>} the first line that it says, read as JSON */
  told() {
    return until(() => this.out.includes('\n') && JSON.parse(this.out.split('\n')[0]), 'what the program tells', LIMIT_MS).catch((error) =>
      Promise.reject(new Error(`${error.message}; it said ${this.out}${this.err}`)),
    );
  }

  /** @returns {number[]} of it and all that descend from it, those that live */
  living() {
    if (process.platform !== 'linux') return isAlive(this.pid) ? [this.pid] : [];
    const pids = fs.readdirSync('/proc').map(Number).filter(Number.isInteger);
    return pids.filter((pid) => isMarked(pid, this.#mark) && isAlive(pid));
  }

  /** @returns {Promise<void>} when nobody is left */
  async gone() {
    await until(() => this.living().length === 0, 'the end of a whole family', LIMIT_MS);
  }

  /** Whoever is left ends now. */
  end() {
    clearTimeout(this.#limit);
    for (const pid of this.living()) {
      try {
        process.kill(pid, 'SIGKILL');
      } catch {
        // It ended by itself in between.
      }
    }
  }
}

/** @param {number} pid @param {string} mark */
function isMarked(pid, mark) {
  try {
    return fs.readFileSync(`/proc/${pid}/environ`, 'latin1').split('\0').includes(mark);
  } catch {
    return false;
  }
}

exports.Family = Family;
