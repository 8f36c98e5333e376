'use strict';
/*
 * What the other side wants done on its own account (a timer of the module calls back): each in a turn of this side's event loop. In: what to do. Out: it is done, one at a time, as soon
 * as nobody here waits for the other side.
 */
const { setImmediate } = require('../engine');

class Deferred {
  /** @type {(() => void)[]} */
  #runs = [];
  #isFree;
  #after;

  /**
   * @param {() => boolean} isFree whether nobody waits
   * @param {() => void} after called after each
   */
  constructor(isFree, after) {
    this.#isFree = isFree;
    this.#after = after;
  }

  /** Whether the other side waits for something that is still to be done. */
  get isWaitedFor() {
    return this.#runs.length > 0;
  }

  /** @param {() => void} run */
  add(run) {
    this.#runs.push(run);
    setImmediate(() => this.runOne());
  }

  /** One, so that what it leaves for the end of its turn is done before the next. @returns {boolean} whether there was one */
  runOne() {
    const run = this.#isFree() ? this.#runs.shift() : undefined;
    if (run === undefined) return false;
    run();
    this.#after();
    return true;
  }
}

exports.Deferred = Deferred;
