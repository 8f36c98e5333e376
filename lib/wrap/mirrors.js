'use strict';

// The mirrors of one boundary.
// In: mirrors as they are made. Out: all that are still in use are brought up to date. It keeps those of the exports alone: a wrapper holds
// its mirror, and a getter that makes a function for each read would otherwise leave them all here.

const { Math } = require('../engine');

// The program may put others in the place of this while we run.
const { WeakRef } = globalThis;

/** From so many on it is looked through for those that are gone, and then whenever twice as many as were left are there. */
const FEW = 256;

class Mirrors {
  /** @type {WeakRef<import('./mirror').Mirror>[]} */
  #all = [];
  /** @type {import('./mirror').Mirror[]} those of the exports, and of the default export of an ES module */
  #tops = [];
  #most = FEW;

  /** @param {import('./mirror').Mirror} mirror @param {boolean} isTop the first one is */
  add(mirror, isTop) {
    if (isTop || this.#all.length === 0) this.#tops.push(mirror);
    if (this.#all.length >= this.#most) {
      this.#all = this.#all.filter((one) => one.deref() !== undefined);
      this.#most = Math.max(FEW, 2 * this.#all.length);
    }
    this.#all.push(new WeakRef(mirror));
  }

  /** @param {number} most names that are looked at @returns {boolean} whether the module has given itself names, or taken some away */
  areStale(most) {
    return this.#tops.some((mirror) => mirror.isStale(most));
  }

  /** @returns {number} names and mirrors that there are to look through */
  get size() {
    let size = this.#all.length;
    for (const mirror of this.#tops) size += mirror.size;
    return size;
  }

  reconcile() {
    for (const one of this.#all) one.deref()?.reconcile();
  }
}

exports.Mirrors = Mirrors;
