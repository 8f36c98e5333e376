'use strict';

// Measures how long Ignis itself keeps the event loop with work of its own: deciding, launching, answering viewers. What it does within
// calls counts as the calls' time. In: timers for that work. Out: the same timers, and a sum. A program's first second is full of such
// work, and none of it comes again with its calls. Errors in it must not end a program that has no part in it: they are warned of, once for
// each fault. Nor does the work belong to the request (AsyncLocalStorage) in which it was scheduled: what it starts, a replica, lives
// longer, and would keep that request's store alive.

const {
  Set,
  apart,
  clearImmediate,
  clearInterval,
  clearTimeout,
  inWords,
  performance,
  setImmediate,
  setInterval,
  setTimeout,
} = require('../engine');

/** How many different faults are warned of; after that, no more warnings. */
const MOST_TOLD = 8;

class OwnTime {
  /** ms since the start */
  ms = 0;
  #isCounting = false;
  /** @type {Set<string>} */
  #told = new Set();
  /** @type {Set<any>} */
  #timers = new Set();

  /** @param {() => void} run @param {number} ms */
  setTimeout = (run, ms) => apart(() => setTimeout(() => this.#attempt(run), ms));
  /** @param {() => void} run @param {number} ms */
  setInterval = (run, ms) => apart(() => setInterval(() => this.#attempt(run), ms));
  /** @param {() => void} run */
  setImmediate = (run) => apart(() => setImmediate(() => this.#attempt(run)));
  /** @param {number} ms @param {() => void} run runs unless the program ends first, or `close` is called */
  later(ms, run) {
    const timer = this.setTimeout(() => {
      this.#timers.delete(timer);
      run();
    }, ms).unref();
    this.#timers.add(timer);
  }

  /** @param {number} ms @param {() => void} run runs as long as the program does, or until `close` is called */
  every(ms, run) {
    this.#timers.add(this.setInterval(run, ms).unref());
  }

  /** Cancels all that was scheduled. Idempotent. */
  close() {
    for (const timer of this.#timers) clearTimeout(timer);
    this.#timers.clear();
  }

  clearTimeout = clearTimeout;
  clearInterval = clearInterval;
  clearImmediate = clearImmediate;

  /** @param {() => void} run */
  #attempt(run) {
    try {
      this.count(run);
    } catch (error) {
      const detail = inWords(error);
      if (this.#told.has(detail) || this.#told.size >= MOST_TOLD) return;
      this.#told.add(detail);
      process.emitWarning('a fault in Ignis itself; the program goes on', {
        type: 'IgnisWarning',
        code: 'IGNIS_FAULT',
        detail,
      });
    }
  }

  /** @template T @param {() => T} run @returns {T} what it returns, or throws */
  count(run) {
    if (this.#isCounting) return run();
    this.#isCounting = true;
    const begunAt = performance.now();
    try {
      return run();
    } finally {
      this.#isCounting = false;
      this.ms += performance.now() - begunAt;
    }
  }
}

exports.OwnTime = OwnTime;
