'use strict';

// The paper's document pipeline (section 8.4) on books of about 1 MB: plain, with Ignis, and on piscina by hand.
//   node bench/ranking.js [--json] [--rounds 5] [--books 6] [--bytes 1000000]
// In: nothing but the options. Out: one table, books a second. Every row must find the same in the same books.

const { spawn } = require('node:child_process');
const { once } = require('node:events');
const fs = require('node:fs');
const path = require('node:path');
const readline = require('node:readline');
const { compare } = require('./lib/harness.js');
const { valuesOf } = require('./lib/options.js');

const FOLDER = path.join(__dirname, 'ranking');
const REGISTER = path.join(__dirname, '..', 'lib', 'register.js');

class Ranker {
  #child;
  #lines;

  /**
   * @param {string[]} args for node
   * @param {number} bytes of a book
   * @param {Record<string, string>} [env]
   */
  constructor(args, bytes, env) {
    this.#child = spawn(process.execPath, args, {
      cwd: FOLDER,
      stdio: ['pipe', 'pipe', 'inherit'],
      // Between its turns a row waits longer than a replica is kept; measured is the running pipeline, not its start again and again.
      env: { ...process.env, ...env, BOOK_BYTES: String(bytes), IGNIS_RECLAIM_MS: '120000' },
    });
    this.#lines = readline.createInterface({ input: this.#child.stdout })[Symbol.asyncIterator]();
  }

  /** @returns {Promise<string>} */
  async line() {
    const { value, done } = await this.#lines.next();
    if (done) throw new Error(`${this.#child.spawnargs.join(' ')} ended`);
    return value;
  }

  /**
   * @param {number} books
   * @returns {Promise<{ books: number, seconds: number, digest: string }>}
   */
  async rank(books) {
    this.#child.stdin.write(`${books}\n`);
    return JSON.parse(await this.line());
  }

  /** @returns {Promise<void>} */
  async end() {
    if (this.#child.exitCode !== null) return;
    this.#child.stdin.end();
    await once(this.#child, 'exit');
  }
}

/**
 * @param {string} name
 * @param {string[]} args for node
 * @param {{ books: number, bytes: number, expected: { digest: string }, env?: Record<string, string> }} options expected: filled in by the
 *   first row
 * @param {string | null} [skip]
 * @returns {import('./lib/harness.js').Row}
 */
function row(name, args, { books, bytes, expected, env }, skip = null) {
  /** @type {Ranker} */
  let ranker;
  return {
    name,
    skip,
    setup: async () => {
      ranker = new Ranker(args, bytes, env);
      await ranker.line();
    },
    check: async () => {
      const { digest } = await ranker.rank(books);
      expected.digest ||= digest;
      if (digest !== expected.digest) throw new Error(`${name} found ${digest} in the books, not ${expected.digest}`);
    },
    run: async () => {
      const { seconds, digest } = await ranker.rank(books);
      if (digest !== expected.digest) throw new Error(`${name} found ${digest} in the books, not ${expected.digest}`);
      return books / seconds;
    },
    teardown: () => ranker?.end(),
  };
}

async function main() {
  const values = valuesOf(__filename, {
    json: { type: 'boolean' },
    rounds: { type: 'string', default: '5' },
    books: { type: 'string', default: '6' },
    bytes: { type: 'string', default: '1000000' },
  });
  const options = { books: Number(values.books), bytes: Number(values.bytes), expected: { digest: '' } };
  await compare({
    title: `ranking: ${options.books} books of ${options.bytes} bytes, 4 at a time`,
    rounds: Number(values.rounds),
    unit: 'books/s',
    better: 'higher',
    rows: [
      row('plain', ['app.js'], options),
      row('ignis', ['-r', REGISTER, 'app.js'], options, fs.existsSync(REGISTER) ? null : 'lib/register.js is not there'),
      row('piscina by hand', ['piscina.js'], options),
    ],
  });
}

if (require.main === module) {
  main().catch((error) => {
    console.error(`bench/ranking: ${error.message}`);
    process.exitCode = 1;
  });
}

exports.row = row;
