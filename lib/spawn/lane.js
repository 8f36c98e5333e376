'use strict';
/*
 * A queue, first come first served. In: calls, at the back or, in their order, before all that wait. Out: the next one. Taking one costs the same however long the queue is.
 */

/** @typedef {import('../session/call').Call} Call */

/** So many taken places are kept before the list is cut. */
const SLACK = 1024;

class Lane {
  /** @type {(Call | undefined)[]} */
  #calls = [];
  #head = 0;

  get size() {
    return this.#calls.length - this.#head;
  }

  /** @returns {Call | undefined} the next one; it stays */
  get first() {
    return this.#calls[this.#head];
  }

  /** @param {Call} call */
  push(call) {
    this.#calls.push(call);
  }

  /** @param {Call[]} calls in their order, before all that wait */
  pushFront(calls) {
    this.#calls = [...calls, ...this.#calls.slice(this.#head)];
    this.#head = 0;
  }

  /** Takes the first one away. */
  shift() {
    this.#calls[this.#head++] = undefined;
    if (this.#head < SLACK && this.size > 0) return;
    this.#calls = this.#calls.slice(this.#head);
    this.#head = 0;
  }
}

exports.Lane = Lane;
