'use strict';
/*
 * What may not begin yet in a replica, in the order it came. In: something that runs (a call whose function has turns, or a change), and
 * what comes after it. Out: each is begun when its turn has come. Calls without turns overtake calls with turns, but nothing overtakes a
 * change.
 */

class Turns {
  #whenMay;
  /** @type {{run: () => void, isChange: boolean, hasTurns: boolean}[]} */
  #held = [];
  #heldChanges = 0;
  /** how many changes and calls with turns run; more than one only if a call without turns let a change begin */
  #running = 0;
  #runningChanges = 0;

  /** @param {(begin: () => void) => void} whenMay calls `begin` when what has waited may begin */
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

  /** @param {() => void} run called when its turn has come @param {boolean} isChange @param {boolean} hasTurns */
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

  /** Each may take long once it has begun, so `whenMay` is asked for each. */
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
