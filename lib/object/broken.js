'use strict';
/*
 * Promises of a replica that were broken while nobody looked after them: code of the module may do so yet, until its promises have run. In:
 * what home is told, and what it says to that. Out: at home, whether one is broken at once, or only when the replica tells of it again; in
 * the replica, which promise that is. It keeps a promise until home has heard of it.
 */
const { isHandled } = require('./handled');
const engine = require('../engine');

const { Map, Set, WeakSet } = engine;

/**
 * Those of which both sides know: each was looked after on one of them, or reported. A copy that is made later, where the first one was
 * collected, need not be
 *
 * @type {WeakSet<Promise<any>>}
 */
const dealtWith = new WeakSet();

/** @param {Promise<any>} promise of ours, broken @returns {boolean} whether somebody looks after it, or did on the other side */
const isLookedAfter = (promise) => isHandled(promise) || dealtWith.has(promise);

class Broken {
  /** at home: those of which the replica is to tell again @type {Set<number>} */
  #awaited = new Set();
  /** in the replica: those that were told once @type {Map<number, {promise: Promise<any>, message: number}>} */
  #told = new Map();
  #done = 0;

  /**
   * @param {number} id
   * @param {Promise<any>} copy at home
   * @returns {boolean} whether the replica has to tell of it again: nobody waits for it here, and this is the first time
   */
  isEarly(id, copy) {
    if (this.#awaited.delete(id) || isHandled(copy)) return false;
    this.#awaited.add(id);
    return true;
  }

  /** @param {Promise<any>} promise that broke: the other side has said so, or home has told the replica */
  dealWith(promise) {
    dealtWith.add(promise);
  }

  /** @param {number} id @param {Promise<any>} promise of ours @param {number} message its number */
  told(id, promise, message) {
    this.#told.set(id, { promise, message });
  }

  /** @param {number} done how many of our messages the other side has done with; what it says to them comes no later than this */
  heard(done) {
    if (this.#told.size > 0) {
      for (const [id, { promise, message }] of this.#told) {
        if (message >= this.#done) continue;
        this.#told.delete(id);
        dealtWith.add(promise);
      }
    }
    this.#done = done;
  }

  /** @param {number} id @returns {Promise<any> | undefined} one that is to be told again */
  take(id) {
    const promise = this.#told.get(id)?.promise;
    this.#told.delete(id);
    return promise;
  }
}

exports.Broken = Broken;
exports.isLookedAfter = isLookedAfter;
