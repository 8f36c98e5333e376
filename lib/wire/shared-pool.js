'use strict';
/*
 * Memory for large copies that threads of this process read. Filling fresh memory for each would take home too long; and what a thread only
 * reads stays whole for a call that runs again. Calls made at the same time with one Buffer read one copy, as long as its bytes have not
 * changed. In: bytes. Out: a copy that nobody changes; for bytes too few or too many to be kept, one to be given away.
 */
const { BytePool, filled, freshCopyOf, isWorthKeeping } = require('./byte-pool');
const { SharedArrayBuffer, WeakMap, WeakRef } = require('../engine');

class SharedPool extends BytePool {
  isShared = true;
  /** @type {{source: WeakRef<ArrayBufferLike>, from: number, copy: Buffer} | null} the last copy, while it is in use */
  #latest = null;
  /** @type {WeakMap<Uint8Array, number>} how many further users a copy has */
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
    // Comparing 1 MB takes 21 us; filling fresh memory takes 60 and more.
    if (latest?.source.deref() === buffer && latest.from === byteOffset && latest.copy.equals(bytes)) {
      this.#again.set(latest.copy, (this.#again.get(latest.copy) ?? 0) + 1);
      return latest.copy;
    }
    const copy = filled(this.take(byteLength), bytes);
    this.#latest = { source: new WeakRef(buffer), from: byteOffset, copy };
    return copy;
  };

  /** @override @param {Uint8Array} bytes from `copyOf`, once for each time it was given out */
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
