'use strict';
/*
 * Looks at a replica set at short intervals while it has replicas. In: what to do at each look, and how the set stands. Out: looks. It keeps the program alive
 * only while calls wait at home.
 */

/** How often it is looked whether calls are stuck, ms. */
const WATCH_MS = 10;

class Watch {
  #look;
  /** @type {NodeJS.Timeout | null} */
  #timer = null;

  /** @param {() => void} look */
  constructor(look) {
    this.#look = look;
  }

  begin() {
    this.#timer ??= setInterval(this.#look, WATCH_MS).unref();
  }

  /**
   * @param {boolean} isWaiting calls wait at home
   * @param {boolean} isNeeded there are replicas, or some to come
   */
  rest(isWaiting, isNeeded) {
    if (isWaiting) {
      this.begin();
      this.#timer?.ref();
    } else if (this.#timer !== null && !isNeeded) {
      clearInterval(this.#timer);
      this.#timer = null;
    } else this.#timer?.unref();
  }
}

exports.Watch = Watch;
