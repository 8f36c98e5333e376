'use strict';

// Keeps calls of a simulation that are on their way to another machine, or back. In: calls that leave. Out: a number for the agenda; for
// that number, the call again when it arrives. Stations count such calls from the start.

/** Numbers from here on downwards are journeys; all others are higher. */
const FIRST = -2;

class Journeys {
  /** @type {({call: any, station: import('./station').Station} | null)[]} */
  #under = [];
  /** @type {number[]} free places in that list */
  #free = [];

  /** @param {any} call @param {import('./station').Station} station where it goes @returns {number} FIRST or below */
  depart(call, station) {
    station.pending++;
    const at = this.#free.pop() ?? this.#under.length;
    this.#under[at] = { call, station };
    return FIRST - at;
  }

  /** @param {number} what as returned by `depart` @returns {{call: any, station: import('./station').Station}} */
  arrive(what) {
    const at = FIRST - what;
    const journey = /** @type {{call: any, station: import('./station').Station}} */ (this.#under[at]);
    this.#under[at] = null;
    this.#free.push(at);
    return journey;
  }
}

exports.FIRST = FIRST;
exports.Journeys = Journeys;
