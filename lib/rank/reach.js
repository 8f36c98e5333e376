'use strict';

// How many cores this program can have: what it has of the machine now, and what nobody else uses.
// In: at each tick, cores that are idle, and how busy loop and replicas are. Out: the most of the last half second. Idle cores are told as
// they were half a second ago; where a load moves from replicas to the loop, these have stopped, and their cores are not known to be idle
// yet. What other programs use changes less often.

const { Math } = require('../engine');

/** Ticks that are looked back on. */
const KEPT = 5;

class Reach {
  /** @type {number[]} cores, oldest first */
  #kept = [];

  /** @param {number | null} cores now; null: not known @param {number} cpus @returns {number} cores */
  note(cores, cpus) {
    if (cores === null) return cpus;
    this.#kept.push(cores);
    if (this.#kept.length > KEPT) this.#kept.shift();
    return Math.min(cpus, Math.max(1, ...this.#kept));
  }
}

exports.Reach = Reach;
