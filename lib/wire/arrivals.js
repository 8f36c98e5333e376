'use strict';
/*
 * Which of the calls sent as datagrams have arrived. In: their numbers, in any order; some never come, some come twice. Out: whether a call
 * may run: each at most once, none at or below the floor, which the sender was told, and none too old to be known. It takes the same memory
 * whatever comes.
 */

const { Math } = require('../engine');

/** Numbers below the highest by more than this are too old. */
const SPAN = 65536;

class Arrivals {
  /** by number, modulo SPAN: whether it has come */
  #seen = new Uint8Array(SPAN);

  /** the highest number that has come */
  highest = 0;
  /** neither these nor lower numbers come any more */
  floor = 0;

  /** @param {number} number above 0 @returns {boolean} whether it comes for the first time, and is still awaited */
  admit(number) {
    if (number <= this.floor || number <= this.highest - SPAN) return false;
    if (number > this.highest) this.#climb(number);
    const at = number % SPAN;
    if (this.#seen[at] === 1) return false;
    this.#seen[at] = 1;
    return true;
  }

  /** @param {number} number the sender counts all up to here that has not come as lost @returns {number} the floor from now on */
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
