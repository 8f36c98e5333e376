'use strict';
/*
 * A queue, first come, first served. In: calls; at the back or, in order, ahead of all waiting calls except those from before a change of
 * the module that they have seen. Out: the next one. Taking one costs the same however long the queue is.
 */

/** @typedef {import('../session/call').Call} Call */

/** This many taken places are kept before the list is cut. */
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

  /** @param {Call[]} calls in order, ahead of all waiting ones except those with a lower mark */
  pushFront(calls) {
    const waiting = /** @type {Call[]} */ (this.#calls.slice(this.#head));
    this.#calls = [...calls, ...waiting].sort((a, b) => a.mark - b.mark);
    this.#head = 0;
  }

  /** @param {Call} call */
  has(call) {
    return this.#calls.includes(call, this.#head);
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
