'use strict';
/*
 * The call that gave functions to a replica, while it is under way. In: a call, and errors of its functions. Out: the asynchronous context
 * in which they are called. The call's answer is held back until it is known whether the module handles such an error. If it does not,
 * whoever waits for the call gets the error: at home it would have passed through the module to them.
 */
const { AsyncResource } = require('node:async_hooks');

class Giver extends AsyncResource {
  /** @type {import('./call').Call | null} null: it is over, or nobody waits for its answer */
  #call;
  #wasGivenUp = false;
  /** errors of which we do not know yet whether the module handles them */
  #open = 0;
  /** @type {(() => void) | null} */
  #answer = null;

  /** @param {import('./call').Call} call */
  constructor(call) {
    super('IGNIS_CALLBACK');
    this.#call = call.plan.mode === 'callback' ? null : call;
  }

  get isOpen() {
    return this.#call !== null;
  }

  /** @param {boolean} wasGivenUp its caller already has an error, though it goes on */
  close(wasGivenUp) {
    this.#call = null;
    this.#wasGivenUp = wasGivenUp;
  }

  hold() {
    this.#open += 1;
  }

  /** @param {() => void} answer @returns {boolean} whether it is called later */
  holdsBack(answer) {
    if (this.#open === 0 || this.#call === null) return false;
    this.#answer = answer;
    return true;
  }

  release() {
    if (--this.#open > 0) return;
    const answer = this.#answer;
    this.#answer = null;
    answer?.();
  }

  /** @param {any} error of one of its functions @returns {boolean} whether a caller gets it */
  fail(error) {
    const call = this.#call;
    if (call !== null) call.isLate = true;
    call?.fail(error);
    return this.#wasGivenUp;
  }
}

exports.Giver = Giver;
