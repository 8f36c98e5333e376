'use strict';

// Calls of a simulation that are on their way to another machine, or back.
// In: calls that leave. Out: a number for the agenda, and with it the call again when it arrives. Their stations count them from the start.

/** Numbers from here on downwards are journeys; what else comes has higher ones. */
const FIRST = -2;

class Journeys {
  /** @type {({call: any, station: import('./station').Station} | null)[]} */
  #under = [];
  /** @type {number[]} places in that list that are free */
  #free = [];

  /** @param {any} call @param {import('./station').Station} station it goes there @returns {number} FIRST or below */
  depart(call, station) {
    station.pending++;
    const at = this.#free.pop() ?? this.#under.length;
    this.#under[at] = { call, station };
    return FIRST - at;
  }

  /** @param {number} what as `depart` gave it @returns {{call: any, station: import('./station').Station}} */
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
