'use strict';
/*
 * Joins both sides' stacks: an error of a resident module shows where it was thrown there, and where home called. In: errors as they reach
 * their caller. Out: the same errors, each joined once. An error that home made itself, and that only came back, stays as it is.
 */
const { joinStacks } = require('../session/thrown');
const engine = require('../engine');

const { WeakSet, captureStackTrace } = engine;

class Stacks {
  /** @type {WeakSet<Error>} */
  #joined = new WeakSet();

  /**
   * @param {any} error
   * @param {import('./twins').Twins} twins
   * @returns {any} the same
   */
  join(error, twins) {
    if (!twins.isTheirs(error) || this.#joined.has(error)) return error;
    this.#joined.add(error);
    /** @type {{stack?: string}} */
    const origin = {};
    captureStackTrace(origin);
    joinStacks(error, origin);
    // This concerns only this side.
    twins.agreeAsIs(error);
    return error;
  }
}

exports.Stacks = Stacks;
