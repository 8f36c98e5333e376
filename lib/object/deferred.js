'use strict';
/*
 * What the other side wants done on its own account (a timer of the module calls back): each in its own turn of this side's event loop. In:
 * what to do. Out: it is done, one at a time, as soon as nobody here waits for the other side. What is asked of the one who waits here is
 * done before that one goes on waiting.
 */
const { setImmediate } = require('../engine');

class Deferred {
  /** @type {(() => void)[]} */
  #runs = [];
  /** @type {(() => void)[]} */
  #asked = [];
  #isFree;
  #after;
  /** the last call that was put back; 0: none yet */
  second = 0;

  /**
   * @param {() => boolean} isFree whether nobody waits
   * @param {() => void} after called after each
   */
  constructor(isFree, after) {
    this.#isFree = isFree;
    this.#after = after;
  }

  /** @param {() => void} run @param {boolean} isAsked of the one who waits here */
  add(run, isAsked) {
    (isAsked ? this.#asked : this.#runs).push(run);
    setImmediate(() => this.runOne());
  }

  /** Whether the other side waits for something that is to be done in a later turn; a turn under way comes first. */
  get isOwed() {
    return this.#runs.length > 0;
  }

  /** Until it has its answer, this call of ours waits for all that the other side begins. @param {number} call */
  putBack(call) {
    this.second = call;
    const run = this.#runs.shift();
    if (run !== undefined) this.#asked.push(run);
  }

  /** Does all that is asked of the one who waits here. */
  runAsked() {
    for (let run = this.#asked.shift(); run !== undefined; run = this.#asked.shift()) run();
  }

  /** Does only one, so that what it leaves for the end of its turn comes before the next. @returns {boolean} whether there was one */
  runOne() {
    const run = this.#isFree() ? (this.#asked.shift() ?? this.#runs.shift()) : undefined;
    if (run === undefined) return false;
    run();
    this.#after();
    return true;
  }
}

exports.Deferred = Deferred;
