'use strict';

// Tells how many cores this program can have: what it has of the machine now, plus what nobody else uses. In: at each tick, cores that are
// idle, and how busy loop and replicas are. Out: the most of the last half second. Idle cores are reported as they were half a second ago;
// when a load moves from replicas to the loop, these have stopped, but their cores do not show as idle yet. What other programs use changes
// less often.

const { Math } = require('../engine');

/** How many ticks back to look. */
const KEPT = 5;

class Reach {
  /** @type {number[]} cores, oldest first */
  #kept = [];

  /** @param {number | null} cores now; null: unknown @param {number} cpus @returns {number} cores */
  note(cores, cpus) {
    if (cores === null) return cpus;
    this.#kept.push(cores);
    if (this.#kept.length > KEPT) this.#kept.shift();
    return Math.min(cpus, Math.max(1, ...this.#kept));
  }
}

exports.Reach = Reach;
