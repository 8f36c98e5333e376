'use strict';
/*
 * How fast a node answers. In: when requests leave and when their answers come, in the same order. Out: how long the next will probably
 * take. Pure, except for the clock it is given. Old slowness is gradually forgotten, so that a node whose disk was busy is asked again.
 */
const { performance } = require('../engine');

/** Weight of the newest answer: it learns faster that a disk is slow than that it is fast again. */
const SLOWER = 1 / 2;
const QUICKER = 1 / 8;
/** After this long without requests, a node counts as twice as fast, ms. */
const HALF_MS = 4000;

class Gauge {
  #now;
  #eachMs = 0;
  #pending = 0;
  /** when it began its current request; when idle: when it last answered */
  #since = 0;
  #lastMs = -Infinity;

  /** @param {() => number} [now] ms */
  constructor(now = () => performance.now()) {
    this.#now = now;
  }

  /** How long it has said nothing, ms. */
  get quietMs() {
    return this.#now() - this.#lastMs;
  }

  /** How long it has been at one request, ms. */
  get stuckMs() {
    return this.#pending === 0 ? 0 : this.#now() - this.#since;
  }

  /** When the answer to a request sent now can be expected, in ms. Something late is expected to take as long again. */
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

  /** It is a new node. */
  reset() {
    this.#eachMs = 0;
    this.#pending = 0;
  }
}

exports.Gauge = Gauge;
