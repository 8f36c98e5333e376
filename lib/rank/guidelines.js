'use strict';

// Tells boundaries what they need to decide alone between two ticks. In: each round's decisions. Out: guidelines, told again only if
// something in them changes what a boundary would do. Pure except for what it remembers.

const { Map, Object } = require('../engine');

/**
 * @typedef {object} Guidelines what a boundary needs to decide alone between two ticks
 * @property {number} longCallMs a call of this length is worth a nudge
 * @property {number} callMs delta of eq. (2)
 */

class Guide {
  #tell;
  /** @type {Map<string, string>} by module: what it was told last */
  #told = new Map();

  /** @param {((module: string, guidelines: Guidelines) => unknown) | undefined} tell undefined: nobody wants to know */
  constructor(tell) {
    this.#tell = tell;
  }

  /** @param {import('./decision').Decision} decision @param {number} longCallMs */
  give({ module, figures }, longCallMs) {
    if (this.#tell === undefined) return;
    const callMs = figures.callMs ?? 0;
    // Measured costs move a little all the time; only what changes a decision is told again.
    const told = [longCallMs, callMs.toPrecision(1)].join();
    if (this.#told.get(module) === told) return;
    this.#told.set(module, told);
    this.#tell(module, Object.freeze({ longCallMs, callMs }));
  }

  /** @param {string} module with a new boundary, which was told nothing yet */
  forget(module) {
    this.#told.delete(module);
  }
}

exports.Guide = Guide;
