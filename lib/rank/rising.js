'use strict';
/*
 * Adds one round between two ticks while a load comes. If a turn of the event loop takes most of a tick, the tick after the one in which
 * the load shows comes a turn too late. In: the utilisation of the loop at each round. Out: at most one extra round at a time.
 */

/** The loop is this much busier than at the round before: of a quarter of a second that is 40 ms. */
const RISE = 0.15;

class Rising {
  #timers;
  #ms;
  #run;
  #before = NaN;
  /** @type {any} */
  #timer = null;

  /**
   * @param {object} given
   * @param {Pick<import('./coordinator').Timers, 'setInterval' | 'clearInterval'>} given.timers
   * @param {number} given.ms from one round to the extra one
   * @param {() => void} given.run the extra round
   */
  constructor({ timers, ms, run }) {
    this.#timers = timers;
    this.#ms = ms;
    this.#run = run;
  }

  /** @param {number} utilisation of the loop lately, 0 to 1 */
  note(utilisation) {
    const isRising = utilisation - this.#before >= RISE;
    this.#before = utilisation;
    if (!isRising || this.#timer !== null) return;
    this.#timer = this.#timers.setInterval(() => {
      this.close();
      this.#run();
    }, this.#ms);
    this.#timer.unref?.();
  }

  /** Cancels the extra round. Idempotent. */
  close() {
    if (this.#timer !== null) this.#timers.clearInterval(this.#timer);
    this.#timer = null;
  }
}

exports.Rising = Rising;
