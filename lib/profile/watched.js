'use strict';

// Watches promises of a function by looking at them now and then. In: those of timed calls, and how many calls each stands for. Out: how
// many calls are open now; and for those that settled since the last look, how long they took and whether they failed. Nothing is attached
// to a promise, so an unhandled rejection stays one.

const { stateOf } = require('./open-promise');
const { chance, nextRandom } = require('./random');

/**
 * @typedef {object} One
 * @property {Promise<unknown>} promise
 * @property {number} since ms
 * @property {number} seenAt ms, when it was last seen open
 * @property {number} weight how many calls it stands for
 */

/** A look at one takes a microsecond. */
const MOST = 8;
const WATCHED_FOR_MS = 30_000;

class Watched {
  /** @type {One[]} */
  #all = [];

  /** Calls that are open, as far as known. */
  get pending() {
    let pending = 0;
    for (const { weight } of this.#all) pending += weight;
    return pending;
  }

  get isEmpty() {
    return this.#all.length === 0;
  }

  /** @param {Promise<unknown>} promise @param {number} since ms @param {number} weight how many calls it stands for */
  add(promise, since, weight) {
    const one = { promise, since, seenAt: since, weight };
    if (this.#all.length < MOST) return void this.#all.push(one);
    // When full, the new one and one of the kept become one that stands for the calls of both. Each survives in proportion to how many it
    // stands for, so that on average the kept ones tell how many calls are open.
    const at = nextRandom() % MOST;
    const both = this.#all[at].weight + weight;
    if (chance() * both < weight) this.#all[at] = one;
    this.#all[at].weight = both;
  }

  /**
   * @param {number} now ms
   * @param {(weight: number, latencyMs: number, hasFailed: boolean) => void} settled called for each that settled since the last look
   */
  look(now, settled) {
    this.#all = this.#all.filter((one) => {
      const state = stateOf(one.promise);
      if (state === 'pending') {
        one.seenAt = now;
        return now - one.since < WATCHED_FOR_MS;
      }
      settled(one.weight, (one.seenAt + now) / 2 - one.since, state === 'rejected');
      return false;
    });
  }
}

exports.Watched = Watched;
