'use strict';

// Tells which decisions are news. Most only say that a module stays as it is, for the same reason as at the tick before. In: the decisions
// on one module after the other. Out: whether one is worth keeping. Pure except for what it remembers.

const { Map } = require('../engine');

/** @typedef {import('./decision').Decision} Decision */

/**
 * A reason to stay that held this recently is no news: a load on the edge between two reasons alternates between them with each tick, ms.
 */
const LATELY_MS = 10_000;

class News {
  /**
   * @type {Map<string, {reason: string, heldAt: Map<string, number>}>} by module: its reason now, and when each reason last held since the
   *   number of replicas changed
   */
  #told = new Map();

  /** @param {Decision} decision @returns {boolean} */
  note({ module, action, reason, time }) {
    if (action !== 'stay') {
      this.#told.set(module, { reason, heldAt: new Map([[reason, time]]) });
      return true;
    }
    // That an answer is on its way is no news; nor is 'idle', with which each module begins.
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
