'use strict';

// How small the arguments of a function were at the least when a call of it was long.
// In: long calls with their arguments. Out: bytes, rough; Infinity while none was long. One that was long by chance (a collection of garbage, a core that was taken away) is no reason yet.

const { sizeOf } = require('./size');

/** Nothing keeps a call for this long by chance, ms. */
const CERTAIN_MS = 100;
/** Sizes that differ by no more than this are about the same. */
const ALIKE = 2;

class SmallestLong {
  bytes = Infinity;
  /** @type {{calls: number, belowBytes: number} | null} calls that stayed at home for being smaller; null: none has */
  stayed = null;
  /** of the latest call that was long and may have been so by chance */
  #doubtful = NaN;

  /** @param {ArrayLike<unknown>} args of a long call @param {number} ms that it took */
  see(args, ms) {
    const { bytes } = sizeOf(args);
    if (bytes >= this.bytes) return;
    if (ms >= CERTAIN_MS || (bytes <= ALIKE * this.#doubtful && this.#doubtful <= ALIKE * bytes)) this.bytes = bytes;
    else this.#doubtful = bytes;
  }
}

exports.SmallestLong = SmallestLong;
