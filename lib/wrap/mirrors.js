'use strict';

// Keeps the mirrors of one boundary up to date. In: mirrors as they are made. Out: those still in use are brought up to date. It keeps only
// those of the exports alive: a wrapper holds its own mirror, and a getter that makes a function for each read would otherwise leave all of
// them here.

const { Math, WeakRef } = require('../engine');

/** From this many on, mirrors that are gone are removed, and again whenever twice as many as were left are there. */
const FEW = 256;

class Mirrors {
  /** @type {WeakRef<import('./mirror').Mirror>[]} */
  #all = [];
  /** @type {import('./mirror').Mirror[]} those of the exports, and of the default export of an ES module */
  #tops = [];
  #most = FEW;

  /** @param {import('./mirror').Mirror} mirror @param {boolean} isTop true also for the first one */
  add(mirror, isTop) {
    if (isTop || this.#all.length === 0) this.#tops.push(mirror);
    if (this.#all.length >= this.#most) {
      this.#all = this.#all.filter((one) => one.deref() !== undefined);
      this.#most = Math.max(FEW, 2 * this.#all.length);
    }
    this.#all.push(new WeakRef(mirror));
  }

  /** @param {number} most names to look at @returns {boolean} whether the module has given itself names, or taken some away */
  areStale(most) {
    return this.#tops.some((mirror) => mirror.isStale(most));
  }

  /** @returns {number} how many names and mirrors there are to look through */
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
