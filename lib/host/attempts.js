'use strict';
/*
 * Limits how often an address may fail to prove itself. In: addresses that failed. Out: whether one may try at all. It forgets after a
 * minute, and holds a limited number of addresses.
 */
const { Map, performance } = require('../engine');

const SPAN_MS = 60000;
const MAX_ADDRESSES = 10000;

class Attempts {
  #most;
  /** @type {Map<string, number[]>} address -> when it failed, ms */
  #failed = new Map();

  /** @param {number} most failures in a minute */
  constructor(most) {
    this.#most = most;
  }

  /** @param {string} address @returns {boolean} */
  mayTry(address) {
    return this.#lately(address).length < this.#most;
  }

  /** @param {string} address @returns {boolean} whether it may not try any more for a while */
  note(address) {
    const lately = [...this.#lately(address), performance.now()];
    this.#failed.delete(address);
    if (this.#failed.size >= MAX_ADDRESSES) this.#failed.delete(/** @type {string} */ (this.#failed.keys().next().value));
    this.#failed.set(address, lately.slice(-this.#most));
    return lately.length >= this.#most;
  }

  /** @param {string} address */
  #lately(address) {
    const since = performance.now() - SPAN_MS;
    return (this.#failed.get(address) ?? []).filter((at) => at > since);
  }
}

exports.Attempts = Attempts;
