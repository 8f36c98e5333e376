'use strict';
/*
 * Promises of a replica that were rejected while nobody handled them: code of the module may still handle them, until its own promises have
 * run. In: what home is told, and its answer. Out: at home, whether a promise is rejected at once, or only when the replica tells of it
 * again; in the replica, which promise that is. A promise is kept until home has heard of it.
 */
const { isHandled } = require('./handled');
const engine = require('../engine');

const { Map, Set, WeakSet } = engine;

/**
 * Promises that both sides know about: each was handled on one side, or reported. A later copy (if the first was collected) need not be.
 *
 * @type {WeakSet<Promise<any>>}
 */
const dealtWith = new WeakSet();

/** @param {Promise<any>} promise of ours, rejected @returns {boolean} whether somebody handles it, or did on the other side */
const isLookedAfter = (promise) => isHandled(promise) || dealtWith.has(promise);

class Broken {
  /** at home: those that the replica must tell again @type {Set<number>} */
  #awaited = new Set();
  /** in the replica: those told once @type {Map<number, {promise: Promise<any>, message: number}>} */
  #told = new Map();
  #done = 0;

  /**
   * @param {number} id
   * @param {Promise<any>} copy at home
   * @returns {boolean} whether the replica must tell of it again: nobody waits for it here, and this is the first time
   */
  isEarly(id, copy) {
    if (this.#awaited.delete(id) || isHandled(copy)) return false;
    this.#awaited.add(id);
    return true;
  }

  /** @param {Promise<any>} promise that was rejected: the other side has said so, or home has told the replica */
  dealWith(promise) {
    dealtWith.add(promise);
  }

  /** @param {number} id @param {Promise<any>} promise of ours @param {number} message its number */
  told(id, promise, message) {
    this.#told.set(id, { promise, message });
  }

  /** @param {number} done how many of our messages the other side has dealt with; its answers to them do not come later */
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
