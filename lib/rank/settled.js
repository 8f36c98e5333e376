'use strict';

// Since when the modules are where they are. A window in which replicas began or ended shows two programs at once: what home did before, it
// does no more. In: at each tick, how many replicas of each module serve. Out: the end of the window in which that did not change, if it is
// long enough to say something. Pure but for what it remembers.

const { LONG_CALL_MS } = require('./ranking');
const { Map, Math } = require('../engine');

/** @typedef {import('./decision').SetState} SetState */

/** A part shorter than this says too little, ms. */
const LEAST_MS = 300;
/** And where so many wait, all of them may be at the same point: then one in which they did not have their answers so often. */
const MANY = 32;
const ROUNDS = 2;

/**
 * Behind long calls that is not waited for.
 * @param {SetState} set @returns {number} ms in which those who wait for its replicas get their answers so often, as fast as they come now
 */
function roundsMsOf({ ready, pending, queued, callsPerSecond, longestMs = 0, isBlocked = false }) {
  const waiting = pending + queued;
  if (ready === 0 || waiting < MANY || longestMs >= LONG_CALL_MS || isBlocked) return 0;
  return (ROUNDS * 1000 * waiting) / callsPerSecond;
}

class Settled {
  /** @type {Map<string, number>} replicas that serve */
  #ready = new Map();
  #changedAt = -Infinity;
  /** of the latest tick, ms; null: there was none */
  #time = /** @type {number | null} */ (null);
  #leastMs = LEAST_MS;

  /**
   * @param {Map<string, SetState>} sets
   * @param {number} time ms, of this tick
   * @param {number} [windowMs] after which it is known in any case
   */
  note(sets, time, windowMs = LEAST_MS) {
    const ready = new Map([...sets].filter(([, set]) => set.ready > 0).map(([module, set]) => [module, set.ready]));
    const isSame = ready.size === this.#ready.size && [...ready].every(([module, count]) => this.#ready.get(module) === count);
    if (!isSame && this.#time !== null) this.#changedAt = time;
    this.#ready = ready;
    this.#time = time;
    const roundsMs = Math.max(0, ...[...sets.values()].map(roundsMsOf));
    this.#leastMs = Math.max(LEAST_MS, Math.min(windowMs, roundsMs));
  }

  /** Whether, at the latest tick, replicas have begun or ended so recently that nothing can be said yet of what there is now. */
  get isFresh() {
    return this.#time !== null && this.#time - this.#changedAt < this.#leastMs;
  }

  /**
   * @param {number} time ms
   * @param {number} windowMs
   * @returns {number | null} ms up to now; null: all of the window, or too little of it
   */
  spanMs(time, windowMs) {
    const spanMs = time - this.#changedAt;
    return spanMs >= this.#leastMs && spanMs < windowMs ? spanMs : null;
  }
}

exports.Settled = Settled;
