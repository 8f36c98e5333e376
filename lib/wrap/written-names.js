'use strict';
/*
 * Remembers what the importing file wrote to the exports of a module. In: names, as they are written. Out: those that it has deleted since,
 * which no trap tells. If names come and go in a table and nobody calls the module, it says by itself when to look: otherwise the module
 * would keep what was deleted.
 */

// The program may replace these globals while we run.
const { Math, Object, Set } = globalThis;

/**
 * This many names may wait for the next call of the module, deleted ones included; with more names, as many again as the last look left.
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

  /** @param {PropertyKey} key @returns {boolean} whether it is time to see which are gone */
  add(key) {
    return this.#names.add(key).size >= this.#most;
  }

  /** @param {object} shadow on which they were written @returns {readonly PropertyKey[]} those that it lacks; each is reported once */
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
