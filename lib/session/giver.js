'use strict';
/*
 * The call that gave functions to a replica, for as long as it is under way. In: a call, and errors of its functions. Out: the asynchronous
 * context in which they are called; the call's answer, held back while it is not known whether the module looks after such an error; and
 * the error to whoever waits for the call, where it does not: at home it would have gone through the module to them.
 */
const { AsyncResource } = require('node:async_hooks');

class Giver extends AsyncResource {
  /** @type {import('./call').Call | null} null: it is over, or nobody waits for what it gives */
  #call;
  #wasGivenUp = false;
  /** errors of which the module has not said whether it looks after them */
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

  /** @param {boolean} wasGivenUp its caller has an error already, though it goes on */
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

  /** @param {any} error of one of its functions @returns {boolean} whether its caller has one */
  fail(error) {
    const call = this.#call;
    if (call !== null) call.isLate = true;
    call?.fail(error);
    return this.#wasGivenUp;
  }
}

exports.Giver = Giver;
