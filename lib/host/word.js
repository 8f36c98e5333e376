'use strict';
/*
 * What a host last said of itself, when, and how far away it is. An empty question to its daemon measures that, one with each word. In:
 * facts, and the link that they came over. Out: both, and the shortest time of the last minute: if one takes longer, that is mostly because
 * home itself was busy; the distance seldom changes.
 */
const { Math, performance } = require('../engine');

/** One comes each second. */
const KEPT = 64;

class Word {
  /** what it says of itself @type {any} */
  facts = null;
  /** when it said that, ms */
  at = -Infinity;
  /** @type {number[]} ms, oldest first */
  #trips = [];
  /** @type {number | null} asked for with each call */
  #roundTripMs = null;
  #now;

  /** @param {() => number} [now] ms */
  constructor(now = () => performance.now()) {
    this.#now = now;
  }

  /** @returns {number | null} there and back; null: not measured yet */
  get roundTripMs() {
    return this.#roundTripMs;
  }

  /**
   * @param {any} facts
   * @param {{ask: (name: string, body: {}) => Promise<unknown>} | null} link
   * @returns {Promise<void>} when its distance is known; never rejects: a question without an answer says nothing
   */
  async take(facts, link) {
    this.facts = facts;
    const begun = (this.at = this.#now());
    try {
      if (link === null) return;
      await link.ask('echo', {});
    } catch {
      return;
    }
    this.#trips.push(this.#now() - begun);
    if (this.#trips.length > KEPT) this.#trips.shift();
    this.#roundTripMs = Math.min(...this.#trips);
  }
}

exports.Word = Word;
