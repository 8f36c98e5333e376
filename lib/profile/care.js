'use strict';

// Decides whether calls of a function get a `try` around them. With one, a throw is noticed at once, and a call can be followed; without
// one, the engine does better. In: what happens to the calls of one function. Out: a yes or no, and an announcement of each change.

/** After this many calls without an error a function is known well enough, and its module has settled its names. */
const YOUNG_CALLS = 64;

class Care {
  isNeeded = true;
  /** Called when that has changed. @type {{choose: () => void} | null} */
  listener = null;
  #isYoung = true;
  #throws = false;
  #isAwaited = false;

  /** Enough is known about the function. */
  grow() {
    this.#isYoung = false;
    this.#weigh();
  }

  /** A call has thrown: from now on, any may. */
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
