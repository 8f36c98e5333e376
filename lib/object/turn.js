'use strict';
/*
 * Whose turn it is. While one side's code runs that has called the other, the other's event loop stands still but for these calls, as if both were one loop: what the other has
 * planned (timers, ticks, events) comes when the turn is over. In: the first call of a turn, and word that the other's turn begins or is over. Out: word that ours is over.
 */

/** The engine's own, whatever a test puts in its place later. */
const { nextTick } = process;

class Turn {
  #isOurs = false;
  #isHome;
  #tellOver;

  /** the other side's code runs that has called us */
  isTheirs = false;

  /**
   * @param {boolean} isHome
   * @param {() => void} tellOver tells the other side that our turn is over
   */
  constructor(isHome, tellOver) {
    this.#isHome = isHome;
    this.#tellOver = tellOver;
  }

  /** A call goes out that is made on nobody's behalf. */
  begin() {
    if (this.#isOurs) return;
    this.#isOurs = true;
    const end = () => {
      this.#isOurs = false;
      this.#tellOver();
    };
    // The second tick of a replica comes after the promises of this turn: home learns what became of them first.
    nextTick(this.#isHome ? end : () => nextTick(end));
  }
}

exports.Turn = Turn;
