'use strict';
/*
 * What may not begin yet in a replica, in the order it came. In: something that runs (a call whose function has turns, a change that is not
 * done), and what comes behind it. Out: each begun when its turn has come. Calls without turns pass those that have some, but nothing
 * passes a change.
 */

class Turns {
  #whenMay;
  /** @type {{run: () => void, isChange: boolean, hasTurns: boolean}[]} */
  #held = [];
  #heldChanges = 0;
  /** how many changes and calls with turns run: more than one only when a call without turns let a change begin */
  #running = 0;
  #runningChanges = 0;

  /** @param {(begin: () => void) => void} whenMay calls that when what has waited may begin */
  constructor(whenMay = (begin) => begin()) {
    this.#whenMay = whenMay;
  }

  /** Whether anything has to wait at all. */
  get isWaiting() {
    return this.#running > 0 || this.#held.length > 0;
  }

  /**
   * @param {boolean} isChange
   * @param {boolean} hasTurns
   * @returns {boolean}
   */
  mustWait(isChange, hasTurns) {
    return isChange || hasTurns || this.#runningChanges > 0 || this.#heldChanges > 0;
  }

  /** @param {() => void} run when its turn has come @param {boolean} isChange @param {boolean} hasTurns */
  hold(run, isChange, hasTurns) {
    this.#held.push({ run, isChange, hasTurns });
    if (isChange) this.#heldChanges += 1;
  }

  /** @param {Promise<void>} settled never rejects @param {boolean} isChange */
  waitFor(settled, isChange) {
    this.#running += 1;
    if (isChange) this.#runningChanges += 1;
    void settled.then(() => {
      this.#running -= 1;
      if (isChange) this.#runningChanges -= 1;
      this.#goOn();
    });
  }

  /** Each that begins may take long, so it is asked for each whether it may. */
  #goOn() {
    let hasBegun = true;
    while (hasBegun && this.#isFirstDue) {
      hasBegun = false;
      let isLater = false;
      this.#whenMay(() => {
        hasBegun = true;
        if (this.#isFirstDue) this.#beginFirst();
        if (isLater) this.#goOn();
      });
      isLater = true;
    }
  }

  #beginFirst() {
    const { run, isChange } = /** @type {{run: () => void, isChange: boolean}} */ (this.#held.shift());
    if (isChange) this.#heldChanges -= 1;
    run();
  }

  get #isFirstDue() {
    if (this.#held.length === 0) return false;
    const [{ isChange, hasTurns }] = this.#held;
    return isChange || hasTurns ? this.#running === 0 : this.#runningChanges === 0;
  }
}

exports.Turns = Turns;
