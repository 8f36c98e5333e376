'use strict';

// Remembers the smallest arguments with which a call of a function was long. In: long calls with their arguments. Out: bytes, rough;
// Infinity while none was long. A call that was long by chance (a garbage collection, a core taken away) does not count yet.

const { Math, performance } = require('../engine');
const { sizeOf } = require('./size');

/** Chance keeps no call this long, ms, except loading at the first call. */
const CERTAIN_MS = 100;
/** Two of about the same size within this time are not long by chance, ms. */
const DOUBT_MS = 10_000;

class SmallestLong {
  bytes = Infinity;
  /** @type {{calls: number, belowBytes: number} | null} calls that stayed at home for being smaller; null: none */
  stayed = null;
  /** a bit for each power of two, for calls that were long, perhaps by chance */
  #doubtful = 0;
  #doubtfulSince = -Infinity;

  /** @param {ArrayLike<unknown>} args of a long call @param {number} ms it took @param {boolean} [isFirst] the function's first */
  see(args, ms, isFirst = false) {
    const { bytes } = sizeOf(args);
    if (bytes >= this.bytes) return;
    const size = 31 - Math.clz32(bytes);
    if ((ms >= CERTAIN_MS && !isFirst) || this.#wasLong(size)) this.bytes = bytes;
    else this.#doubtful |= 1 << size;
  }

  /** @param {number} size a power of two @returns {boolean} whether one of about that size was recently long */
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
