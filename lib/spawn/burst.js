'use strict';
/*
 * Lets calls of one tick travel together while that is cheaper than spreading them: it is one write and one wake-up, and whoever made them
 * all (a page with its links) waits only for his own calls. In: that a call is made, and where it went. Out: the number of its burst, and
 * the replica it may join.
 */
const { nextTick } = require('../engine');

/** @typedef {import('./replica').Replica} Replica */

class Burst {
  #number = 0;
  #isOpen = false;
  #close = () => {
    this.#isOpen = false;
  };
  /** @type {Replica | null} where the last call went */
  #replica = null;
  #lastNumber = 0;

  /** @returns {number} the number shared by all calls of this tick */
  current() {
    if (!this.#isOpen) {
      this.#isOpen = true;
      this.#number += 1;
      nextTick(this.#close);
    }
    return this.#number;
  }

  /**
   * @param {number} number of the call's burst
   * @returns {Replica | null} the replica with room whose open batch has calls of the same burst
   */
  companion(number) {
    return this.#replica !== null && this.#lastNumber === number && this.#replica.hasOpenBatch ? this.#replica : null;
  }

  /** @param {Replica} replica @param {number} number of the burst of a call that goes there */
  note(replica, number) {
    this.#replica = replica;
    this.#lastNumber = number;
  }

  /** @param {Replica} replica that has ended */
  forget(replica) {
    if (this.#replica === replica) this.#replica = null;
  }
}

exports.Burst = Burst;
