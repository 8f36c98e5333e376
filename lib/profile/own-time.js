'use strict';

// The time that Ignis itself keeps the event loop with work of its own: deciding, launching, answering who looks. What it does within calls
// is the calls' time. In: timers for that work. Out: the same timers, and a sum. A program's first second is full of it, and none of it
// comes again with its calls. What such work throws ends no program, which has no part in it: it is warned of, once for each fault. Nor is
// it part of the request (AsyncLocalStorage) in which it was planned: what it begins, a replica, lives for longer, and would keep the
// request's store with it.

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

/** Different faults that are told; a program that has more is told no more by the next one. */
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
  /** @param {number} ms @param {() => void} run unless the program ends first, or `close` is called */
  later(ms, run) {
    const timer = this.setTimeout(() => {
      this.#timers.delete(timer);
      run();
    }, ms).unref();
    this.#timers.add(timer);
  }

  /** @param {number} ms @param {() => void} run as long as the program runs, or until `close` is called */
  every(ms, run) {
    this.#timers.add(this.setInterval(run, ms).unref());
  }

  /** Nothing that was to come later comes. Idempotent. */
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
