'use strict';
/*
 * Which of the calls that were sent as datagrams have come. In: their numbers, in any order, some never, some twice. Out: whether one may
 * run: each at most once, none at or below the floor, which the sender was told, and none so old that it is not known any more. It takes
 * the same memory whatever comes.
 */

const { Math } = require('../engine');

/** Numbers below the highest by more than this are too old. */
const SPAN = 65536;

class Arrivals {
  /** by number, modulo SPAN: whether it has come */
  #seen = new Uint8Array(SPAN);

  /** the highest number that has come */
  highest = 0;
  /** none of these, nor what is below them, comes any more */
  floor = 0;

  /** @param {number} number above 0 @returns {boolean} whether it comes for the first time, and is still waited for */
  admit(number) {
    if (number <= this.floor || number <= this.highest - SPAN) return false;
    if (number > this.highest) this.#climb(number);
    const at = number % SPAN;
    if (this.#seen[at] === 1) return false;
    this.#seen[at] = 1;
    return true;
  }

  /** @param {number} number the sender takes what has not come up to here for lost @returns {number} the floor from now on */
  raise(number) {
    this.floor = Math.max(this.floor, number);
    return this.floor;
  }

  /** @param {number} number higher than all before */
  #climb(number) {
    if (number - this.highest >= SPAN) this.#seen.fill(0);
    else for (let one = this.highest + 1; one <= number; one++) this.#seen[one % SPAN] = 0;
    this.highest = number;
  }
}

exports.SPAN = SPAN;
exports.Arrivals = Arrivals;
