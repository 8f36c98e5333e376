'use strict';
/*
 * Tickets of replicas that have ended. In: a ticket when its replica ends. Out: whether one was given out lately: only the home of that
 * replica knew it, and dials again until it hears of the end. It opens nothing. What is remembered is bounded, by time and by number.
 */
const { Map, performance } = require('../engine');

const SPAN_MS = 60000;
const MAX_TICKETS = 10000;

class PastTickets {
  /** @type {Map<string, number>} ticket -> when its replica ended, ms; the oldest first */
  #ended = new Map();

  /** @param {Buffer} ticket */
  note(ticket) {
    const now = performance.now();
    for (const [known, at] of this.#ended) {
      if (now - at < SPAN_MS && this.#ended.size < MAX_TICKETS) break;
      this.#ended.delete(known);
    }
    this.#ended.set(ticket.toString('hex'), now);
  }

  /** @param {Buffer} ticket @returns {boolean} */
  has(ticket) {
    return performance.now() - (this.#ended.get(ticket.toString('hex')) ?? -Infinity) < SPAN_MS;
  }
}

exports.PastTickets = PastTickets;
