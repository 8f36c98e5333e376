'use strict';
/*
 * Reuses memory for large copies that leave on a stream: fresh memory costs more than the copy (measured: 1 MB copied into fresh pages 156
 * us, into used ones 22). In: sizes, or bytes. Out: buffers of exactly that size. Memory that was given away for good must not come back
 * here. Memory that threads read is in shared-pool.js.
 */
const { Buffer } = require('node:buffer');

const { Map, Math, WeakSet } = require('../engine');

/** Smaller buffers Node cuts from memory that it has, in a quarter of the time. */
const SMALL_BYTES = 4096;
/** Sizes worth keeping, bytes: less is cheap to allocate, more is too much to hold. */
const LEAST_BYTES = 64 * 1024;
const MOST_BYTES = 16 * 1024 * 1024;
/** Held in all, bytes. */
const MOST_HELD_BYTES = 64 * 1024 * 1024;

class BytePool {
  /** Whether threads read what is kept here, and get the rest for good. */
  isShared = false;
  /** @type {Map<number, ArrayBufferLike[]>} by size, a power of two */
  #free = new Map();
  #heldBytes = 0;
  /** @type {WeakSet<Buffer>} buffers that come back by themselves once they are written */
  #oneUse = new WeakSet();

  /**
   * @param {number} bytes
   * @param {boolean} [isOneUse] whether it comes back as soon as it is written
   * @returns {Buffer} with arbitrary contents
   */
  take(bytes, isOneUse = false) {
    if (bytes < SMALL_BYTES) return Buffer.allocUnsafe(bytes);
    if (!isWorthKeeping(bytes)) return Buffer.allocUnsafeSlow(bytes);
    const size = 2 ** Math.ceil(Math.log2(bytes));
    const free = this.#free.get(size)?.pop();
    if (free !== undefined) this.#heldBytes -= size;
    const buffer = Buffer.from(/** @type {ArrayBuffer} */ (free ?? this._fresh(size)), 0, bytes);
    if (isOneUse) this.#oneUse.add(buffer);
    return buffer;
  }

  /** @protected @param {number} size @returns {ArrayBufferLike} */
  _fresh(size) {
    return Buffer.allocUnsafeSlow(size).buffer;
  }

  /** @param {Uint8Array} bytes @returns {Buffer} */
  copyOf = (bytes) => filled(this.take(bytes.byteLength), bytes);

  /** @param {Uint8Array} bytes @returns {Buffer} a copy that comes back as soon as it is written */
  copyOnce(bytes) {
    return filled(this.take(bytes.byteLength, true), bytes);
  }

  /** @param {Buffer} buffer @returns {boolean} whether to give it back when it is written */
  isOneUse(buffer) {
    return this.#oneUse.has(buffer);
  }

  /** @param {Uint8Array} bytes from `take` or `copyOf`, no longer used by anybody */
  give({ buffer }) {
    const size = buffer.byteLength;
    if (!isWorthKeeping(size) || 2 ** Math.ceil(Math.log2(size)) !== size) return;
    if (this.#heldBytes + size > MOST_HELD_BYTES) return;
    const free = this.#free.get(size);
    if (free === undefined) this.#free.set(size, [buffer]);
    else free.push(buffer);
    this.#heldBytes += size;
  }
}

/** @param {number} bytes */
const isWorthKeeping = (bytes) => bytes >= LEAST_BYTES && bytes <= MOST_BYTES;

/** @template {Uint8Array} T @param {T} copy @param {Uint8Array} bytes @returns {T} */
function filled(copy, bytes) {
  copy.set(bytes);
  return copy;
}

/**
 * @param {Uint8Array} bytes
 * @returns {Buffer} with an ArrayBuffer of its own, which may be given away (unlike the pool that Node cuts small buffers from)
 */
const freshCopyOf = (bytes) => filled(Buffer.allocUnsafeSlow(bytes.byteLength), bytes);

/** One for all streams of this process. */
const streamPool = new BytePool();

exports.BytePool = BytePool;
exports.filled = filled;
exports.freshCopyOf = freshCopyOf;
exports.isWorthKeeping = isWorthKeeping;
exports.streamPool = streamPool;
