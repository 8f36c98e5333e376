'use strict';

// Sums up what the calls of one function do after they have returned. In: single calls that were followed (later.js). Out: sums over all
// calls that ran here, each counted with the mean of those followed.

const { Math } = require('../engine');

/** Weight of one more followed call in the mean. */
const SHARE = 1 / 8;

/** If the system gave the core away during a call, a time above this many times the mean is not believed at once. */
const NOT_BELIEVED = 2;
const KNOWN_AFTER = 1;

class LaterSums {
  /** How many calls were followed. */
  follows = 0;
  /** ms on the clock of performance.now: no call is followed before this. Set by later.js, as is the time between two turns. */
  turnAt = 0;
  turnMs = 0;
  #own = 0;
  #all = 0;
  #ownMean = 0;
  #allMean = 0;
  #calls = 0;
  #isDoubted = false;

  /**
   * Changes the mean for all calls since the last `settle`.
   * @param {number} ownMs without crossings inside
   * @param {number} allMs
   * @param {boolean} [wasInterrupted] the system gave the core away meanwhile
   */
  learn(ownMs, allMs, wasInterrupted = false) {
    // Twice in a row means that the calls have become longer.
    this.#isDoubted = !this.#isDoubted && wasInterrupted && this.follows >= KNOWN_AFTER && ownMs > NOT_BELIEVED * this.#ownMean;
    if (this.#isDoubted) return;
    this.follows++;
    // The first followed call may have been one of the very first, which the engine runs slowly: the second one replaces it.
    const share = Math.max(SHARE, 1 / Math.max(1, this.follows - 1));
    this.#ownMean += (ownMs - this.#ownMean) * share;
    this.#allMean += (allMs - this.#allMean) * share;
  }

  /** Books the calls up to now. @param {number} calls that ran here, since the start */
  settle(calls) {
    this.#own = this.ownMs(calls);
    this.#all = this.allMs(calls);
    this.#calls = calls;
  }

  /** @param {number} calls that ran here, since the start @returns {number} ms, without crossings inside */
  ownMs(calls) {
    return this.#own + (calls - this.#calls) * this.#ownMean;
  }

  /** @param {number} calls that ran here, since the start @returns {number} ms */
  allMs(calls) {
    return this.#all + (calls - this.#calls) * this.#allMean;
  }
}

exports.LaterSums = LaterSums;
