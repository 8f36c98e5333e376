'use strict';

// Tells since when the modules have been where they are. A window in which replicas began or ended shows two programs at once: what home
// did before, it no longer does. In: at each tick, how many replicas of each module serve. Out: the end of the window in which that did not
// change, if it is long enough to say something. Pure except for what it remembers.

const { LONG_CALL_MS } = require('./ranking');
const { Map, Math } = require('../engine');

/** @typedef {import('./decision').SetState} SetState */

/** A shorter part says too little, ms. */
const LEAST_MS = 300;
/** And if this many callers wait, all may be at the same point: then the part must be long enough for this many answers each. */
const MANY = 32;
const ROUNDS = 2;

/**
 * How long those who wait for its replicas take to get that many answers, at the present rate. Behind long calls, that is not waited for.
 * @param {SetState} set @returns {number} ms
 */
function roundsMsOf({ ready, pending, queued, callsPerSecond, longestMs = 0, isBlocked = false }) {
  const waiting = pending + queued;
  if (ready === 0 || waiting < MANY || longestMs >= LONG_CALL_MS || isBlocked) return 0;
  return (ROUNDS * 1000 * waiting) / callsPerSecond;
}

class Settled {
  /** @type {Map<string, number>} by module: replicas that serve */
  #ready = new Map();
  #changedAt = -Infinity;
  /** of the latest tick, ms; null: none so far */
  #time = /** @type {number | null} */ (null);
  #leastMs = LEAST_MS;

  /**
   * @param {Map<string, SetState>} sets
   * @param {number} time ms, of this tick
   * @param {number} [windowMs] after which enough is known in any case
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

  /** Whether, as of the latest tick, replicas have begun or ended so recently that nothing can be said about the present yet. */
  get isFresh() {
    return this.#time !== null && this.#time - this.#changedAt < this.#leastMs;
  }

  /**
   * @param {number} time ms
   * @param {number} windowMs
   * @returns {number | null} ms up to now; null: the whole window, or too little of it
   */
  spanMs(time, windowMs) {
    const spanMs = time - this.#changedAt;
    return spanMs >= this.#leastMs && spanMs < windowMs ? spanMs : null;
  }
}

exports.Settled = Settled;
