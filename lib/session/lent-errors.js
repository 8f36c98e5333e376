'use strict';
/*
 * Errors of functions that this side has lent, until the module that called them has shown whether it looks after them. In: an error, where
 * it came from, and what the other side says of it. Out: those that nobody looks after, as they would be without a replica: what was thrown
 * goes to the call that gave the function, while that is under way, else it is uncaught; a promise that was rejected is reported.
 */
const { callLater, within } = require('./call-later');
const { Map, Promise } = require('../engine');

/**
 * Where an error came from: the function threw it, or its promise was rejected; or what it gave cannot be sent, which is nothing to one who
 * does not look at that.
 */
const FROM = Object.freeze({ THROW: 0, REJECTION: 1, SENDING: 2 });

/** @typedef {import('./giver').Giver} Giver */

class LentErrors {
  #slots;
  /** @type {Map<number, {error: any, from: number, context: Giver | null, giver: Giver | null}>} */
  #open = new Map();
  #last = 0;

  /** @param {import('./slots').Slots} slots of the link: what the other side says of an error is waited for as an answer is */
  constructor(slots) {
    this.#slots = slots;
  }

  /**
   * @param {any} error @param {number} from
   * @param {Giver | null} context in which the function was called
   * @param {Giver | null} giver of the function; null: nobody can tell which call it was
   * @returns {number} by which the other side names it
   */
  note(error, from, context, giver) {
    giver?.hold();
    this.#slots.wait();
    this.#open.set(++this.#last, { error, from, context, giver });
    return this.#last;
  }

  /** @param {number} number @param {boolean} isHeard the module looks after it */
  settle(number, isHeard) {
    const noted = this.#open.get(number);
    if (noted === undefined) return;
    this.#open.delete(number);
    const { error, from, context, giver } = noted;
    if (!isHeard && from === FROM.THROW) raise(error, context, giver);
    if (!isHeard && from === FROM.REJECTION) within(context, () => void Promise.reject(error), []);
    giver?.release();
    this.#slots.waitNoMore();
  }

  /** The link has ended. */
  clear() {
    for (const { giver } of this.#open.values()) giver?.release();
    this.#open.clear();
  }
}

/** @param {any} error @param {Giver | null} context @param {Giver | null} giver */
function raise(error, context, giver) {
  if (giver?.fail(error)) return;
  const uncaught = () => {
    throw error;
  };
  callLater(uncaught, [], context);
}

exports.FROM = FROM;
exports.LentErrors = LentErrors;
exports.raise = raise;
