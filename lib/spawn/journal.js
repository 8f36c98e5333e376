'use strict';
/*
 * The journal of one module: all changes since it was loaded (calls of its set-up functions, writes to its exports), in order. In: changes,
 * as home makes them. Out: those that a replica has not made yet. A call carries the number of the last change before it, so a replica
 * makes that one first and no later one. A change that cannot be repeated is noted too: from then on no copy of the module is like home's.
 */

const { publish } = require('../diagnostics');
const { IgnisError } = require('../errors');

/** @typedef {import('../session/change').Change} Change */

/** A new replica repeats all changes before it serves; home keeps them for that, some 1 kB each. */
const MOST_CHANGES = 10_000;

class Journal {
  /** @type {Change[]} ascending by number; without those that later ones overwrote */
  #changes = [];

  /** number of the last change */
  length = 0;
  /** why the module can no longer be copied; '' while it can */
  refusal = '';
  /** number of the last change before that */
  #refusedAt = Infinity;
  /** a verified call was answered differently in a replica: that is why */
  hasDiffered = false;

  /** How many changes a new replica has to make. */
  get size() {
    return this.#changes.length;
  }

  /**
   * Whether there is room for another change. If the module's state is in replicas, it goes on, with a warning each time this many more
   * have come.
   *
   * @param {string} module
   * @param {boolean} isAway
   * @throws {IgnisError} IGNIS_REFUSED when there are too many and home can serve the module instead
   */
  checkRoom(module, isAway) {
    const { size } = this;
    if (size < MOST_CHANGES) return;
    const message = `${module} was set up and written to ${size} times, and each new replica must repeat all of that`;
    if (!isAway) throw new IgnisError('IGNIS_REFUSED', message);
    if (size % MOST_CHANGES === 0)
      publish('ignis:warning', { message: `${message}; a function that is called this often should not be in its recipe's setup` });
  }

  /**
   * @param {Change} change
   * @param {boolean} isLast nobody will need an earlier state, so it may overwrite earlier changes
   */
  add(change, isLast) {
    if (isLast && change.plan === null) this.#forget(change.path);
    change.at = ++this.length;
    this.#changes.push(change);
  }

  /** @param {number} mark of a call @returns {boolean} whether no replica can be any more what the module was when the call was made */
  isBeyond(mark) {
    return mark > this.#refusedAt;
  }

  /**
   * @param {number} mark of a call
   * @returns {boolean} whether the module has changed since the call, and a replica can still be as it was then
   */
  isBefore(mark) {
    return mark < this.length && !this.isBeyond(mark);
  }

  /** @param {string} why part of a sentence; the first one stays */
  refuse(why) {
    if (this.refusal === '') this.#refusedAt = this.length;
    this.refusal ||= why;
    this.length += 1;
  }

  /**
   * @param {number} mark number of the last change it made
   * @param {number} upTo
   * @returns {Change[]} those after it
   */
  between(mark, upTo) {
    let first = this.#changes.length;
    while (first > 0 && this.#changes[first - 1].at > mark) first -= 1;
    return this.#changes.slice(first).filter(({ at }) => at <= upTo);
  }

  /**
   * @param {import('./replica').Replica} replica makes the changes up to `upTo`
   * @param {number} upTo
   * @returns {Promise<void>} when they are made
   */
  tell(replica, upTo) {
    return replica.repeat(this.between(replica.mark, upTo));
  }

  /** @param {import('./replica').Replica[]} replicas */
  tellAll(replicas) {
    for (const replica of replicas) if (replica.mark < this.length) void this.tell(replica, this.length);
  }

  /** Drops writes to the same name, and below it, back to the last set-up call, which may have read them. @param {string[]} path */
  #forget(path) {
    const since = this.#changes.findLastIndex(({ plan }) => plan !== null) + 1;
    const kept = this.#changes.slice(since).filter((earlier) => !path.every((name, index) => earlier.path[index] === name));
    this.#changes.splice(since, Infinity, ...kept);
  }
}

exports.Journal = Journal;
exports.MOST_CHANGES = MOST_CHANGES;
