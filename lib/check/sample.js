'use strict';
/*
 * Which calls of a function are recorded: the first ones all, later ones with falling probability. In: a name, the number of a call. Out: yes or no, the same in each
 * run. Pure but for its own count.
 */

/** So many are recorded whatever comes. */
const FIRST = 200;
/** And so many at most. */
const MOST = 600;

class Sample {
  #state;
  #taken = 0;
  /** calls that were asked about */
  seen = 0;

  /** @param {string} name of the function: the seed */
  constructor(name) {
    this.#state = [...name].reduce((hash, letter) => Math.imul(hash ^ letter.charCodeAt(0), 0x01000193) >>> 0, 0x811c9dc5);
  }

  /** @returns {boolean} whether the next call is recorded */
  take() {
    this.seen += 1;
    if (this.#taken >= MOST) return false;
    const isTaken = this.seen <= FIRST || this.#random() < FIRST / this.seen;
    if (isTaken) this.#taken += 1;
    return isTaken;
  }

  /** mulberry32 (Ettinger, 2017) @returns {number} from 0 to below 1 */
  #random() {
    this.#state = (this.#state + 0x6d2b79f5) >>> 0;
    let mixed = Math.imul(this.#state ^ (this.#state >>> 15), 1 | this.#state);
    mixed = (mixed + Math.imul(mixed ^ (mixed >>> 7), 61 | mixed)) ^ mixed;
    return ((mixed ^ (mixed >>> 14)) >>> 0) / 4294967296;
  }
}

exports.FIRST = FIRST;
exports.Sample = Sample;
