'use strict';
/*
 * The calls of one link that wait for their answers. In: a call that is sent; an id that an answer names. Out: the id to send it under; the
 * call. The id is the index of a slot, so an answer finds its call without a search. An id is not used again before its answer has come,
 * even if nobody waits for it any more.
 *
 *      free --take()--> waiting --settle()--> free
 *                          \--abandon()--> abandoned --settle()--> free
 *      ended --take()--> failed
 *
 * The other side's word can also be awaited without a slot: wait() until waitNoMore().
 */
const { IgnisError } = require('../errors');
const { Set, queueMicrotask } = require('../engine');

/** @typedef {import('./link').Settled} Settled */

class Slots {
  /** @type {(Settled | null)[]} */
  #calls = [];
  /** @type {number[]} */
  #free = [];
  /** @type {Set<number>} taken, but nobody waits for the answer */
  #abandoned = new Set();
  #rest;
  #isEnded = false;

  /** calls, and other words, that somebody waits for */
  pending = 0;

  /** @param {(isWaiting: boolean) => void} rest called when the first call begins to wait, and when none waits any more */
  constructor(rest) {
    this.#rest = rest;
  }

  /**
   * @param {Settled} call waits for an answer from now on; if the link has ended, it fails a little later
   * @returns {number} the id to ask under
   */
  take(call) {
    if (this.#isEnded) {
      queueMicrotask(() => call.fail(new IgnisError('IGNIS_REPLICA_LOST', 'its link had ended', { ran: 'no' })));
      return -1;
    }
    const id = this.#free.length > 0 ? /** @type {number} */ (this.#free.pop()) : this.#calls.length;
    this.#calls[id] = call;
    call.id = id;
    this.wait();
    return id;
  }

  /** Begins to wait for a word of the other side. */
  wait() {
    if (this.pending++ === 0) this.#rest(true);
  }

  /** The word has come, or the link has ended. */
  waitNoMore() {
    if (!this.#isEnded && --this.pending === 0) this.#rest(false);
  }

  /** @param {number} id as it came over the wire @returns {Settled | null | undefined} who asked under it; the slot stays taken */
  at(id) {
    return this.#calls[id];
  }

  /** @param {number} id @returns {Settled} @throws {IgnisError} IGNIS_BAD_FRAME */
  settle(id) {
    const call = this.#calls[id];
    if (call === null || call === undefined) throw new IgnisError('IGNIS_BAD_FRAME', `an answer to call ${id}, which is not pending`);
    this.#calls[id] = null;
    this.#free.push(id);
    if (!this.#abandoned.delete(id)) this.waitNoMore();
    return call;
  }

  /** @param {Settled} call @returns {boolean} whether its answer is still to come */
  has(call) {
    return this.#idOf(call) >= 0;
  }

  /**
   * Calls that are never answered stay, and may be many: they are searched only for a call that has been sent under another id since.
   *
   * @param {Settled} call
   * @returns {number} -1: it is not here
   */
  #idOf(call) {
    return this.#calls[call.id] === call ? call.id : this.#calls.indexOf(call);
  }

  /** Nobody waits for its answer any more; it may come or not. @param {Settled} call that may be in the slots of other links too */
  abandon(call) {
    const id = this.#idOf(call);
    if (id < 0 || this.#abandoned.has(id)) return;
    this.#abandoned.add(id);
    this.waitNoMore();
  }

  /** @returns {Settled[]} those that somebody waits for, in the order of sending */
  outstanding() {
    if (this.pending === 0) return [];
    const waiting = this.#calls.filter((call, id) => call !== null && !this.#abandoned.has(id));
    return /** @type {Settled[]} */ (waiting).sort((a, b) => a.sequence - b.sequence);
  }

  /** The link has ended: no answer will come. */
  clear() {
    this.#isEnded = true;
    if (this.pending > 0) this.#rest(false);
    this.pending = 0;
    this.#calls = [];
    this.#abandoned.clear();
  }
}

exports.Slots = Slots;
