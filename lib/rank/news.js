'use strict';

// Which decisions are news. Most are that a module stays as it is, for the reason that it had at the tick before.
// In: the decisions of one module after the other. Out: whether one is worth keeping. Pure but for what it remembers.

const { Map } = require('../engine');

/** @typedef {import('./decision').Decision} Decision */

/**
 * A reason to stay that held so lately is none: a load at the edge between two goes to and fro between their reasons with each tick, ms.
 */
const LATELY_MS = 10_000;

class News {
  /**
   * @type {Map<string, {reason: string, heldAt: Map<string, number>}>} by module: its reason now, and when each has held last since its
   *   number of replicas changed
   */
  #told = new Map();

  /** @param {Decision} decision @returns {boolean} */
  note({ module, action, reason, time }) {
    if (action !== 'stay') {
      this.#told.set(module, { reason, heldAt: new Map([[reason, time]]) });
      return true;
    }
    // That an answer is on its way is no news; nor is 'idle', where each module begins.
    if (reason === 'weighing') return false;
    const told = this.#told.get(module) ?? { reason: 'idle', heldAt: new Map() };
    const isNew = told.reason !== reason && time - (told.heldAt.get(reason) ?? -Infinity) > LATELY_MS;
    told.reason = reason;
    told.heldAt.set(reason, time);
    this.#told.set(module, told);
    return isNew;
  }
}

exports.News = News;
