'use strict';

// The callers of a simulation's crowd: what each of them calls next. In: the share of each kind of call. Out: for a caller, the index of
// one. Like requests of a program, each caller calls all kinds in turn, in proportion to their shares: with shares 3 and 1, the first kind
// in three calls of four. Where in its turn a caller begins is chance. (Smooth weighted round robin, as nginx chooses upstream servers.)

const { arrayFrom } = require('../engine');

class Crowd {
  #shares;
  #sum;
  /** @type {Float64Array[]} by caller: how much it owes each kind */
  #owed;

  /** @param {{clients: number, shares: readonly number[], random: () => number}} given shares: any numbers of at least 0 */
  constructor({ clients, shares, random }) {
    this.#shares = shares;
    this.#sum = shares.reduce((sum, share) => sum + share, 0);
    const first = (/** @type {number} */ share) => (share === 0 ? -Infinity : this.#sum * random());
    this.#owed = arrayFrom({ length: this.#sum === 0 ? 0 : clients }, () => Float64Array.from(shares, first));
  }

  /** Number of callers; 0 if there is nothing to call. */
  get clients() {
    return this.#owed.length;
  }

  /** @param {number} caller from 0 on @returns {number} index of the kind it calls now */
  next(caller) {
    const owed = this.#owed[caller];
    let most = 0;
    for (let kind = 0; kind < owed.length; kind++) {
      owed[kind] += this.#shares[kind];
      if (owed[kind] > owed[most]) most = kind;
    }
    owed[most] -= this.#sum;
    return most;
  }
}

exports.Crowd = Crowd;
