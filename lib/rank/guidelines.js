'use strict';

// What boundaries are told, so that they can decide alone between two ticks.
// In: each round's decisions. Out: guidelines, told again only when something in them changes what a boundary would do. Pure but for what it remembers.

const { Map } = require('../engine');

/**
 * @typedef {object} Guidelines what a boundary needs to decide alone between two ticks
 * @property {number} min replicas
 * @property {number} max replicas
 * @property {number} longCallMs a call of this length is worth a nudge
 * @property {number} callMs delta of eq. (2)
 * @property {number} startMs delta0 of eq. (2)
 * @property {number} rank 1 is the most pressed module
 */

class Guide {
  #tell;
  /** @type {Map<string, string>} what each module was told last */
  #told = new Map();

  /** @param {((module: string, guidelines: Guidelines) => unknown) | undefined} tell undefined: nobody wants to know */
  constructor(tell) {
    this.#tell = tell;
  }

  /** @param {import('./decision').Decision} decision @param {number} rank @param {number} longCallMs */
  give({ module, figures }, rank, longCallMs) {
    if (this.#tell === undefined) return;
    const { least: min, most: max } = figures;
    const callMs = figures.callMs ?? 0;
    const startMs = figures.startMs ?? 0;
    // Measured costs move a little all the time; only what changes a decision is told again.
    const told = [min, max, longCallMs, callMs.toPrecision(1), startMs.toPrecision(1), rank].join();
    if (this.#told.get(module) === told) return;
    this.#told.set(module, told);
    this.#tell(module, Object.freeze({ min, max, longCallMs, callMs, startMs, rank }));
  }

  /** @param {string} module that is gone */
  forget(module) {
    this.#told.delete(module);
  }
}

exports.Guide = Guide;
