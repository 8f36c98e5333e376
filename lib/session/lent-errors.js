'use strict';
/*
 * Errors of functions that this side has lent, kept until the module that called them has shown whether it handles them. In: an error,
 * where it came from, and what the other side says of it. Out: the unhandled ones, treated as they would be without a replica: what was
 * thrown goes to the call that gave the function while that is under way, and is uncaught otherwise; a rejected promise is reported.
 */
const { callLater, within } = require('./call-later');
const { Map, Promise } = require('../engine');

/**
 * Where an error came from: the function threw it, its promise was rejected, or its result cannot be sent (which does not matter to a
 * caller that ignores it).
 */
const FROM = Object.freeze({ THROW: 0, REJECTION: 1, SENDING: 2 });

/** @typedef {import('./giver').Giver} Giver */

class LentErrors {
  #slots;
  /** @type {Map<number, {error: any, from: number, context: Giver | null, giver: Giver | null}>} */
  #open = new Map();
  #last = 0;

  /** @param {import('./slots').Slots} slots of the link: the other side's word on an error is awaited like an answer */
  constructor(slots) {
    this.#slots = slots;
  }

  /**
   * @param {any} error @param {number} from
   * @param {Giver | null} context in which the function was called
   * @param {Giver | null} giver of the function; null: nobody can tell which call gave it
   * @returns {number} the number by which the other side names it
   */
  note(error, from, context, giver) {
    giver?.hold();
    this.#slots.wait();
    this.#open.set(++this.#last, { error, from, context, giver });
    return this.#last;
  }

  /** @param {number} number @param {boolean} isHeard the module handles it */
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
