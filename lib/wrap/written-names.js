'use strict';
/*
 * What the importing file wrote to the exports of a module. In: names, as they are written. Out: those of them that it has deleted since,
 * which no trap tells. Where names come and go in a table and nobody calls the module, it says by itself when to look: what was deleted
 * would stay with the module otherwise.
 */

// The program may put others in the place of these while we run.
const { Math, Object, Set } = globalThis;

/**
 * So many may wait for the next call of the module, with those that are deleted meanwhile; of more, as many again as there were at the last
 * look.
 */
const MANY = 64;

/** @type {PropertyKey[]} */
const NONE = [];

class WrittenNames {
  /** @type {Set<PropertyKey>} */
  #names = new Set();
  #most = MANY;

  get size() {
    return this.#names.size;
  }

  /** @param {PropertyKey} key @returns {boolean} whether it is time to look which are gone */
  add(key) {
    return this.#names.add(key).size >= this.#most;
  }

  /** @param {object} shadow on which they were written @returns {readonly PropertyKey[]} those that it lacks; they are told once */
  takeGone(shadow) {
    let gone = NONE;
    for (const key of this.#names) {
      if (Object.hasOwn(shadow, key)) continue;
      this.#names.delete(key);
      if (gone === NONE) gone = [];
      gone.push(key);
    }
    this.#most = Math.max(MANY, 2 * this.#names.size);
    return gone;
  }
}

exports.WrittenNames = WrittenNames;
