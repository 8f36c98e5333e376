'use strict';
/*
 * How far a host is: how long a question to its daemon takes that asks nothing. In: questions, one with each word of the daemon. Out: the shortest time of the last minute, since what makes one longer is mostly home itself, which had
 * something else to do; the way itself seldom changes.
 */
const { performance } = require('node:perf_hooks');

/** One comes each second. */
const KEPT = 64;

class RoundTrip {
  /** @type {number[]} ms, oldest first */
  #seen = [];
  #now;

  /** @param {() => number} [now] ms */
  constructor(now = () => performance.now()) {
    this.#now = now;
  }

  /** @returns {number | null} null: not measured yet */
  get ms() {
    return this.#seen.length === 0 ? null : Math.min(...this.#seen);
  }

  /** @param {() => Promise<unknown>} ask @returns {Promise<void>} never rejects: a question without an answer says nothing */
  async measure(ask) {
    const begun = this.#now();
    try {
      await ask();
    } catch {
      return;
    }
    this.#seen.push(this.#now() - begun);
    if (this.#seen.length > KEPT) this.#seen.shift();
  }
}

exports.RoundTrip = RoundTrip;
