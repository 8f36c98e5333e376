'use strict';

// The time that Ignis itself keeps the event loop with work of its own: deciding, launching, answering who looks. What it does within calls is the calls' time.
// In: timers for that work. Out: the same timers, and a sum. A program's first second is full of it, and none of it comes again with its calls.

const { clearImmediate, clearInterval, clearTimeout, performance, setImmediate, setInterval, setTimeout } = require('../engine');

class OwnTime {
  /** ms since the start */
  ms = 0;
  #isCounting = false;

  /** @param {() => void} run @param {number} ms */
  setTimeout = (run, ms) => setTimeout(() => this.count(run), ms);
  /** @param {() => void} run @param {number} ms */
  setInterval = (run, ms) => setInterval(() => this.count(run), ms);
  /** @param {() => void} run */
  setImmediate = (run) => setImmediate(() => this.count(run));
  clearTimeout = clearTimeout;
  clearInterval = clearInterval;
  clearImmediate = clearImmediate;

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
