'use strict';
/*
 * Memory for large copies that leave on a stream, or that threads read from, used again and again: fresh memory costs more than the copy (measured: 1 MB copied into fresh pages 156 us,
 * into used ones 22). In: sizes. Out: buffers of exactly that size. What was given to somebody for good must not come back here.
 */
const { Buffer } = require('node:buffer');

const { Map, WeakMap, WeakRef, WeakSet, globalOf } = require('../engine');

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
  /** @type {{source: WeakRef<ArrayBufferLike>, from: number, copy: Buffer} | null} what threads read and was copied last; not in `#free` */
  #latest = null;
  /** @type {WeakMap<Uint8Array, number>} how often more than once a copy was given out */
  #again = new WeakMap();

  /** @param {boolean} [isShared] with threads, which copy what is kept here, and are given the rest */
  constructor(isShared = false) {
    this.isShared = isShared;
  }

  /**
   * Several calls at once may be given one Buffer. Where threads read it, they read one copy, while it says the same: to compare takes a fifth of what fresh memory does.
   * @param {Uint8Array} bytes @returns {Buffer} which says the same, and nobody changes
   */
  copyOf = (bytes) => {
    const { byteLength } = bytes;
    if (!this.isShared) return filled(this.take(byteLength), bytes);
    if (byteLength < LEAST_BYTES || byteLength > MOST_BYTES) return freshCopyOf(bytes);
    const latest = this.#latest;
    if (latest?.source.deref() === bytes.buffer && latest.from === bytes.byteOffset && latest.copy.equals(bytes)) {
      this.#again.set(latest.copy, (this.#again.get(latest.copy) ?? 0) + 1);
      return latest.copy;
    }
    const copy = filled(this.take(byteLength), bytes);
    this.#latest = { source: new WeakRef(bytes.buffer), from: bytes.byteOffset, copy };
    return copy;
  };

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

  /** @param {Uint8Array} bytes @returns {Buffer} a copy that comes back as soon as it is written */
  copyOnce(bytes) {
    return filled(this.take(bytes.byteLength, true), bytes);
  }

  /** @param {number} bytes */
  #fresh(bytes) {
    return this.isShared ? new SharedArrayBuffer(bytes) : Buffer.allocUnsafeSlow(bytes).buffer;
  }

  /** @param {Buffer} buffer @returns {boolean} whether to give it back when it is written */
  isOneUse(buffer) {
    return this.#oneUse.has(buffer);
  }

  /** @param {Uint8Array} bytes from `take` or `copyOf`, once for each time that it was given out, and in those hands no more */
  give(bytes) {
    const others = this.#again.get(bytes) ?? 0;
    if (others > 0) return void this.#again.set(bytes, others - 1);
    if (this.#latest?.copy === bytes) this.#latest = null;
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

/** @template {Uint8Array} T @param {T} copy @param {Uint8Array} bytes @returns {T} */
function filled(copy, bytes) {
  copy.set(bytes);
  return copy;
}

/** @param {Uint8Array} bytes @returns {Buffer} with an ArrayBuffer of its own, which may be given away: never with all the memory that small ones are cut from */
const freshCopyOf = (bytes) => filled(Buffer.allocUnsafeSlow(bytes.byteLength), bytes);

/** One for all streams of this process. */
const streamPool = new BytePool();

/** And one for what its threads read: home has no time to fill fresh memory for each, and what a thread only reads stays whole for a call that has to run again. */
const threadPool = new BytePool(true);

exports.BytePool = BytePool;
exports.freshCopyOf = freshCopyOf;
exports.streamPool = streamPool;
exports.threadPool = threadPool;
