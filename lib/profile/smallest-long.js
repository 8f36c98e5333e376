'use strict';

// How small the arguments of a function were at the least when a call of it was long.
// In: long calls with their arguments. Out: bytes, rough; Infinity while none was long. One that was long by chance (a collection of
// garbage, a core that was taken away) is no reason yet.

const { Math, performance } = require('../engine');
const { sizeOf } = require('./size');

/** Nothing keeps a call for this long by chance, ms, but what is loaded at the first one. */
const CERTAIN_MS = 100;
/** Two of about the same size are none by chance if they come within this time, ms. */
const DOUBT_MS = 10_000;

class SmallestLong {
  bytes = Infinity;
  /** @type {{calls: number, belowBytes: number} | null} calls that stayed at home for being smaller; null: none has */
  stayed = null;
  /** a bit for each power of two, of calls that were long and may have been so by chance */
  #doubtful = 0;
  #doubtfulSince = -Infinity;

  /** @param {ArrayLike<unknown>} args of a long call @param {number} ms that it took @param {boolean} [isFirst] of the function */
  see(args, ms, isFirst = false) {
    const { bytes } = sizeOf(args);
    if (bytes >= this.bytes) return;
    const size = 31 - Math.clz32(bytes);
    if ((ms >= CERTAIN_MS && !isFirst) || this.#wasLong(size)) this.bytes = bytes;
    else this.#doubtful |= 1 << size;
  }

  /** @param {number} size a power of two @returns {boolean} whether one of about that size was long not long ago */
  #wasLong(size) {
    const now = performance.now();
    if (now - this.#doubtfulSince > DOUBT_MS) {
      this.#doubtful = 0;
      this.#doubtfulSince = now;
    }
    return (this.#doubtful & (0b111 << Math.max(0, size - 1))) !== 0;
  }
}

exports.SmallestLong = SmallestLong;
