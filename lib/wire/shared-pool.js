'use strict';
/*
 * Memory for large copies that threads of this process read: home has no time to fill fresh memory for each, and what a thread only reads
 * stays whole for a call that has to run again. Several calls at once may be given one Buffer: they read one copy, while it says the same.
 * In: bytes. Out: a copy that nobody changes, or of what is too small or too large to be kept one to be given away.
 */
const { BytePool, filled, freshCopyOf, isWorthKeeping } = require('./byte-pool');
const { SharedArrayBuffer, WeakMap, WeakRef } = require('../engine');

class SharedPool extends BytePool {
  isShared = true;
  /** @type {{source: WeakRef<ArrayBufferLike>, from: number, copy: Buffer} | null} what was copied last, while it is out */
  #latest = null;
  /** @type {WeakMap<Uint8Array, number>} how often more than once a copy is out */
  #again = new WeakMap();

  /** @override @param {number} size */
  _fresh(size) {
    return new SharedArrayBuffer(size);
  }

  /** @override @param {Uint8Array} bytes @returns {Buffer} */
  copyOf = (bytes) => {
    const { buffer, byteOffset, byteLength } = bytes;
    if (!isWorthKeeping(byteLength)) return freshCopyOf(bytes);
    const latest = this.#latest;
    // To compare 1 MB takes 21 us, to fill fresh memory 60 and more.
    if (latest?.source.deref() === buffer && latest.from === byteOffset && latest.copy.equals(bytes)) {
      this.#again.set(latest.copy, (this.#again.get(latest.copy) ?? 0) + 1);
      return latest.copy;
    }
    const copy = filled(this.take(byteLength), bytes);
    this.#latest = { source: new WeakRef(buffer), from: byteOffset, copy };
    return copy;
  };

  /** @override @param {Uint8Array} bytes from `copyOf`, once for each time that it was given out */
  give(bytes) {
    const others = this.#again.get(bytes) ?? 0;
    if (others > 0) return void this.#again.set(bytes, others - 1);
    if (this.#latest?.copy === bytes) this.#latest = null;
    super.give(bytes);
  }
}

/** One for all threads of this process. */
const threadPool = new SharedPool();

exports.SharedPool = SharedPool;
exports.threadPool = threadPool;
