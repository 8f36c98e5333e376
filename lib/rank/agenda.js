'use strict';

// Keeps what is to come in a simulation, soonest first. In: times, each with a number that says what comes. Out: the soonest of them. A
// binary heap; equal times come in arbitrary, but always the same order.

class Agenda {
  /** @type {number[]} */
  #times = [];
  /** @type {number[]} */
  #whats = [];

  /** Time of the soonest entry; Infinity if there is none. */
  get soonest() {
    return this.#times.length === 0 ? Infinity : this.#times[0];
  }

  /** @param {number} time @param {number} what */
  add(time, what) {
    const times = this.#times;
    const whats = this.#whats;
    let at = times.length;
    times.push(time);
    whats.push(what);
    while (at > 0) {
      const up = (at - 1) >> 1;
      if (times[up] <= time) break;
      times[at] = times[up];
      whats[at] = whats[up];
      at = up;
    }
    times[at] = time;
    whats[at] = what;
  }

  /** @returns {number} what comes soonest; it is removed, and there must be one */
  take() {
    const times = this.#times;
    const whats = this.#whats;
    const first = whats[0];
    const time = /** @type {number} */ (times.pop());
    const what = /** @type {number} */ (whats.pop());
    const count = times.length;
    if (count === 0) return first;
    let at = 0;
    for (let down = 1; down < count; down = 2 * at + 1) {
      if (down + 1 < count && times[down + 1] < times[down]) down++;
      if (times[down] >= time) break;
      times[at] = times[down];
      whats[at] = whats[down];
      at = down;
    }
    times[at] = time;
    whats[at] = what;
    return first;
  }
}

exports.Agenda = Agenda;
