'use strict';
/*
 * How quickly a node answers. In: when requests leave and when their answers come, in the same order. Out: how long the next one will
 * probably take. Pure but for the clock that it is given. What was slow some time ago is forgotten by and by, so that a node whose disk was
 * busy is asked again.
 */
const { performance } = require('../engine');

/** Weight of the newest answer: that a disk is slow is learned sooner than that it is quick again. */
const SLOWER = 1 / 2;
const QUICKER = 1 / 8;
/** A node that nobody asks counts as twice as quick after so long. */
const HALF_MS = 4000;

class Gauge {
  #now;
  #eachMs = 0;
  #pending = 0;
  /** when it began with what it is at; with nothing to do: when it answered last */
  #since = 0;
  #lastMs = -Infinity;

  /** @param {() => number} [now] ms */
  constructor(now = () => performance.now()) {
    this.#now = now;
  }

  /** So long it has said nothing, ms. */
  get quietMs() {
    return this.#now() - this.#lastMs;
  }

  /** So long it has been at one request, ms. */
  get stuckMs() {
    return this.#pending === 0 ? 0 : this.#now() - this.#since;
  }

  /**
   * When the answer to a request that is sent now can be expected, in ms from now. What is late already is expected to take as long again.
   */
  get expectedMs() {
    if (this.#pending === 0) return this.#eachMs * 0.5 ** ((this.#now() - this.#since) / HALF_MS);
    return Math.max(this.#eachMs, this.stuckMs) * this.#pending + this.#eachMs;
  }

  sent() {
    if (this.#pending === 0) {
      this.#eachMs = this.expectedMs;
      this.#since = this.#now();
    }
    this.#pending += 1;
  }

  answered() {
    const tookMs = this.stuckMs;
    this.#eachMs = this.#eachMs === 0 ? tookMs : this.#eachMs + (tookMs - this.#eachMs) * (tookMs > this.#eachMs ? SLOWER : QUICKER);
    this.#pending -= 1;
    this.#since = this.#lastMs = this.#now();
  }

  /** The node is another now. */
  reset() {
    this.#eachMs = 0;
    this.#pending = 0;
  }
}

exports.Gauge = Gauge;
