'use strict';

// Whether calls of a function shall have a `try` around them, which sees at once when they throw and which one that is followed needs.
// Without one the engine does better by them. In: what happens to the calls of one function. Out: a yes or no, and word of each change.

/**
 * A function that has been called so often without a complaint is known well enough; a module that gives itself new names has done so by
 * then.
 */
const YOUNG_CALLS = 64;

class Care {
  isNeeded = true;
  /** Told when that has changed. @type {{choose: () => void} | null} */
  listener = null;
  #isYoung = true;
  #throws = false;
  #isAwaited = false;

  /** Enough is known of the function. */
  grow() {
    this.#isYoung = false;
    this.#weigh();
  }

  /** A call has thrown; from now on each may. */
  noteThrown() {
    this.#throws = true;
    this.#weigh();
  }

  /** @param {boolean} isAwaited the next call may be followed */
  awaitFollow(isAwaited) {
    if (this.#isAwaited === isAwaited) return;
    this.#isAwaited = isAwaited;
    this.#weigh();
  }

  #weigh() {
    const isNeeded = this.#isYoung || this.#throws || this.#isAwaited;
    if (isNeeded === this.isNeeded) return;
    this.isNeeded = isNeeded;
    this.listener?.choose();
  }
}

exports.Care = Care;
exports.YOUNG_CALLS = YOUNG_CALLS;
