'use strict';

// Since when the modules are where they are. A window in which replicas began or ended shows two programs at once: what home did before, it does no more.
// In: at each tick, how many replicas of each module serve. Out: the end of the window in which that did not change, if it is long enough to say something. Pure but for what it remembers.

const { Map } = require('../engine');

/** @typedef {import('./decision').SetState} SetState */

/** A part shorter than this says too little, ms. */
const LEAST_MS = 300;

class Settled {
  /** @type {Map<string, number>} replicas that serve */
  #ready = new Map();
  #changedAt = -Infinity;
  /** of the latest tick, ms; null: there was none */
  #time = /** @type {number | null} */ (null);

  /** @param {Map<string, SetState>} sets @param {number} time ms, of this tick */
  note(sets, time) {
    const ready = new Map([...sets].filter(([, set]) => set.ready > 0).map(([module, set]) => [module, set.ready]));
    const isSame = ready.size === this.#ready.size && [...ready].every(([module, count]) => this.#ready.get(module) === count);
    if (!isSame && this.#time !== null) this.#changedAt = time;
    this.#ready = ready;
    this.#time = time;
  }

  /** Whether, at the latest tick, replicas have begun or ended so recently that nothing can be said yet of what there is now. */
  get isFresh() {
    return this.#time !== null && this.#time - this.#changedAt < LEAST_MS;
  }

  /** @param {number} time ms @param {number} windowMs @returns {number | null} ms up to now; null: all of the window, or too little of it */
  spanMs(time, windowMs) {
    const spanMs = time - this.#changedAt;
    return spanMs >= LEAST_MS && spanMs < windowMs ? spanMs : null;
  }
}

exports.Settled = Settled;
