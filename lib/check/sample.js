'use strict';
/*
 * Which calls of a function are recorded: all of the first ones, later ones with falling probability. In: a name, the number of a call.
 * Out: yes or no, the same in each run. Pure, except for its own count.
 */
const { randomFrom } = require('../rank/random');

/** This many are recorded in any case. */
const FIRST = 200;
/** And this many at most. */
const MOST = 600;

class Sample {
  #random;
  #taken = 0;
  /** calls that were asked about */
  seen = 0;

  /** @param {string} name of the function: the seed */
  constructor(name) {
    this.#random = randomFrom([...name].reduce((hash, letter) => Math.imul(hash ^ letter.charCodeAt(0), 0x01000193), 0x811c9dc5));
  }

  /** @returns {boolean} whether the next call is recorded */
  take() {
    this.seen += 1;
    if (this.#taken >= MOST) return false;
    const isTaken = this.seen <= FIRST || this.#random() < FIRST / this.seen;
    if (isTaken) this.#taken += 1;
    return isTaken;
  }
}

exports.FIRST = FIRST;
exports.Sample = Sample;
