'use strict';
/*
 * Random numbers that are the same in each run (mulberry32, by Tommy Ettinger, public domain). In: a seed. Out: a source with a few
 * helpers.
 */

class Random {
  #state;

  /** @param {number} seed */
  constructor(seed) {
    this.#state = seed >>> 0;
  }

  /** @returns {number} 0 <= n < 1 */
  next() {
    this.#state = (this.#state + 0x6d2b79f5) >>> 0;
    let t = this.#state;
    t = Math.imul(t ^ (t >>> 15), t | 1);
    t ^= t + Math.imul(t ^ (t >>> 7), t | 61);
    return ((t ^ (t >>> 14)) >>> 0) / 4294967296;
  }

  /** @param {number} below @returns {number} a whole number, 0 <= n < below */
  below(below) {
    return Math.floor(this.next() * below);
  }

  /** @template T @param {readonly T[]} list @returns {T} */
  pick(list) {
    return list[this.below(list.length)];
  }

  /** @param {number} length @returns {Buffer} */
  bytes(length) {
    return Buffer.from(Array.from({ length }, () => this.below(256)));
  }
}

/** @param {number} seed @param {number} number @returns {number} the seed of one case among many: neighbours have nothing in common */
function seedOf(seed, number) {
  return Math.imul(Math.imul(seed ^ (number >>> 16), 0x45d9f3b) ^ number, 0x9e3779b1) >>> 0;
}

exports.Random = Random;
exports.seedOf = seedOf;
