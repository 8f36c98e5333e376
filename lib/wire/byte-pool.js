'use strict';
/*
 * Memory for large copies that leave on a stream, or that threads read from, used again and again: fresh memory costs more than the copy (measured: 1 MB copied into fresh pages 156 us,
 * into used ones 22). In: sizes. Out: buffers of exactly that size. What was given to somebody for good must not come back here.
 */
const { Buffer } = require('node:buffer');

const { Map, WeakSet, globalOf } = require('../engine');

const SharedArrayBuffer = globalOf('SharedArrayBuffer');

/** Below this Node cuts it from memory that it has, in a quarter of the time. */
const SMALL_BYTES = 4096;
/** Sizes worth keeping, bytes: below, memory is cheap; above, it is too much to hold. */
const LEAST_BYTES = 64 * 1024;
const MOST_BYTES = 16 * 1024 * 1024;
/** Held in all, bytes. */
const MOST_HELD_BYTES = 64 * 1024 * 1024;

class BytePool {
  /** @type {Map<number, ArrayBufferLike[]>} by size, a power of two */
  #free = new Map();
  #heldBytes = 0;
  /** @type {WeakSet<Buffer>} come back by themselves when they are written */
  #oneUse = new WeakSet();

  /** @param {boolean} [isShared] with threads, which copy what is kept here, and are given the rest */
  constructor(isShared = false) {
    this.isShared = isShared;
  }

  /** `take` for whoever wants a function; what is small is never cloned with all the memory that it was cut from. @param {number} bytes @returns {Buffer} */
  allocate = (bytes) => (this.isShared && bytes < SMALL_BYTES ? Buffer.allocUnsafeSlow(bytes) : this.take(bytes));

  /**
   * @param {number} bytes
   * @param {boolean} [isOneUse] whether it comes back as soon as it is written
   * @returns {Buffer} its contents are anything
   */
  take(bytes, isOneUse = false) {
    if (bytes < SMALL_BYTES) return Buffer.allocUnsafe(bytes);
    if (bytes < LEAST_BYTES || bytes > MOST_BYTES) return Buffer.allocUnsafeSlow(bytes);
    const size = 2 ** Math.ceil(Math.log2(bytes));
    const free = this.#free.get(size)?.pop();
    if (free !== undefined) this.#heldBytes -= size;
    const buffer = Buffer.from(/** @type {ArrayBuffer} */ (free ?? this.#fresh(size)), 0, bytes);
    if (isOneUse) this.#oneUse.add(buffer);
    return buffer;
  }

  /** @param {number} bytes */
  #fresh(bytes) {
    return this.isShared ? new SharedArrayBuffer(bytes) : Buffer.allocUnsafeSlow(bytes).buffer;
  }

  /** @param {Buffer} buffer @returns {boolean} whether to give it back when it is written */
  isOneUse(buffer) {
    return this.#oneUse.has(buffer);
  }

  /** @param {Uint8Array} bytes from `take`, and in nobody's hands any more */
  give(bytes) {
    const { buffer } = bytes;
    const size = buffer.byteLength;
    if (size < LEAST_BYTES || size > MOST_BYTES || 2 ** Math.ceil(Math.log2(size)) !== size) return;
    if (this.#heldBytes + size > MOST_HELD_BYTES) return;
    const free = this.#free.get(size);
    if (free === undefined) this.#free.set(size, [buffer]);
    else free.push(buffer);
    this.#heldBytes += size;
  }
}

/** One for all streams of this process. */
const streamPool = new BytePool();

/** And one for what its threads read: home has no time to fill fresh memory for each, and what a thread only reads stays whole for a call that has to run again. */
const threadPool = new BytePool(true);

exports.BytePool = BytePool;
exports.streamPool = streamPool;
exports.threadPool = threadPool;
