'use strict';

// ignis dash: the web page of a program that is already running, over its monitor socket. It ends when the program does, or with Ctrl-C;
// the program goes on.

const { IgnisError } = require('../errors.js');
const { wholeNumber } = require('../option-table.js');
const { whatIf } = require('../rank/what-if.js');
const { serveDash } = require('../view/dash.js');
const { Watching, findProgram } = require('../view/monitor-client.js');
const { awaited } = require('./awaited.js');
const { guarded } = require('./guarded.js');
const { reattach } = require('./reattach.js');
const { misused } = require('./misuse.js');

exports.usage = 'dash [options] [pid|name]';
exports.summary = 'Serves the web page of a running program, on this machine only.';
exports.options = Object.freeze([
  { name: 'port', type: 'port', default: 0, check: wholeNumber(0, 65535), sentence: 'The port to serve it on; 0: any free port.' },
]);

/** A program whose event loop is blocked answers late. */
const PROFILE_MS = 130_000;

/**
 * What a program shows, for any number of pages: one watch for all, since its link allows few. A watch that has not begun yet also serves
 * pages that come meanwhile: a program may be busy for minutes while its page is loaded again and again.
 */
class Shared {
  /** @type {Watching} */
  #link;
  /** @type {Set<(snapshot: any) => void>} */
  #listeners = new Set();
  #everyMs = 0;
  /** @type {any} the latest snapshot, while anybody listens */
  #latest = null;
  #isBeginning = false;
  /** @type {(() => void) | null} ends the watch; null: there is none, or it has not begun */
  #stop = null;

  /** @param {Watching} link */
  constructor(link) {
    this.#link = link;
  }

  /** @param {number} everyMs the same for all @param {(snapshot: any) => void} listener @returns {() => void} */
  watch(everyMs, listener) {
    this.#everyMs = everyMs;
    this.#listeners.add(listener);
    if (this.#latest !== null) listener(this.#latest);
    void this.#begin();
    return () => {
      this.#listeners.delete(listener);
      this.#rest();
    };
  }

  /** @param {string} boundary */
  detail(boundary) {
    return this.#link.ask('detail', { boundary });
  }

  history() {
    return this.#link.ask('history');
  }

  /** @param {any} wish */
  act(wish) {
    return this.#link.ask('act', { wish }, PROFILE_MS);
  }

  /** Simulated here, not in the program. @param {any} asked */
  async whatIf(asked) {
    return whatIf(await this.#link.ask('report'), asked);
  }

  /** @param {Watching} link to the program, which was found again */
  moveTo(link) {
    this.#link = link;
    this.#latest = this.#stop = null;
    this.#isBeginning = false;
    if (this.#listeners.size > 0) void this.#begin();
  }

  async #begin() {
    if (this.#isBeginning || this.#stop !== null) return;
    this.#isBeginning = true;
    const link = this.#link;
    const tell = (/** @type {any} */ snapshot) => {
      this.#latest = snapshot;
      for (const listener of this.#listeners) listener(snapshot);
    };
    // If the link is lost, whoever waits for its end takes care of that.
    const stop = await link.watch(this.#everyMs, tell).catch(() => null);
    if (link !== this.#link) return;
    this.#isBeginning = false;
    this.#stop = stop;
    this.#rest();
  }

  /** If nobody listens, it stops watching. */
  #rest() {
    if (this.#listeners.size > 0 || this.#stop === null) return;
    this.#stop();
    this.#latest = this.#stop = null;
  }
}

/** @param {number} port @param {NodeJS.ErrnoException} error @returns {IgnisError} */
function refusalOf(port, { code, message }) {
  const why = code === 'EADDRINUSE' ? 'the port is in use' : message;
  return new IgnisError('IGNIS_BAD_OPTION', `the page cannot be served on port ${port}: ${why}`, { field: 'port' });
}

/** @type {import('./main.js').Command['run']} */
exports.run = function run({ given, rest }, io) {
  if (rest.length > 1) throw misused('name at most one program', exports.usage);
  const entry = findProgram(rest[0]);
  const port = /** @type {number} */ (given.port);
  const launch = guarded(io, async () => {
    let link = await awaited(io, entry, Watching.open(entry.place));
    const shared = new Shared(link);
    let end = () => {};
    const failed = new Promise((_, reject) => {
      end = serveDash({ port, source: shared, say: io.out, onFailed: (error) => reject(refusalOf(port, error)) });
    });
    try {
      for (;;) {
        await Promise.race([link.ended, failed]);
        const again = await reattach(entry);
        if (again === null) break;
        link = again;
        shared.moveTo(link);
      }
    } finally {
      end();
      link.close();
    }
    io.err(`ignis: ${entry.name || 'the program'} (${entry.pid}) has ended\n`);
  });
  return { code: 0, launch };
};
