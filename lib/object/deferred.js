'use strict';
/*
 * What the other side wants done on its own account (a timer of the module calls back): each in a turn of this side's event loop. In: what
 * to do. Out: it is done, one at a time, as soon as nobody here waits for the other side; but what whoever waits here is asked for, before
 * that waits on.
 */
const { setImmediate } = require('../engine');

class Deferred {
  /** @type {(() => void)[]} */
  #runs = [];
  /** @type {(() => void)[]} */
  #asked = [];
  #isFree;
  #after;
  /** the call that was put back last; 0: none yet */
  second = 0;

  /**
   * @param {() => boolean} isFree whether nobody waits
   * @param {() => void} after called after each
   */
  constructor(isFree, after) {
    this.#isFree = isFree;
    this.#after = after;
  }

  /** @param {() => void} run @param {boolean} isAsked of whoever waits here */
  add(run, isAsked) {
    (isAsked ? this.#asked : this.#runs).push(run);
    setImmediate(() => this.runOne());
  }

  /** Whether the other side waits for what is to be done in a later turn; the one that is under way comes first. */
  get isOwed() {
    return this.#runs.length > 0;
  }

  /** Until it has its answer, this call of ours waits for all that the other side begins. @param {number} call */
  putBack(call) {
    this.second = call;
    const run = this.#runs.shift();
    if (run !== undefined) this.#asked.push(run);
  }

  /** All that whoever waits here is asked for. */
  runAsked() {
    for (let run = this.#asked.shift(); run !== undefined; run = this.#asked.shift()) run();
  }

  /** One, so that what it leaves for the end of its turn is done before the next. @returns {boolean} whether there was one */
  runOne() {
    const run = this.#isFree() ? (this.#asked.shift() ?? this.#runs.shift()) : undefined;
    if (run === undefined) return false;
    run();
    this.#after();
    return true;
  }
}

exports.Deferred = Deferred;
