'use strict';
/*
 * Whose turn it is. While one side's code runs that has called the other, the other's event loop stands still but for these calls, as if both were one loop: what the other has
 * planned (timers, ticks, events) comes when the turn is over. When it settles a promise that home waits for, it waits until home has gone on.
 * In: the first call of a turn, and word that the other's turn begins or is over. Out: word that ours is over.
 */

/** The engine's own, whatever a test puts in its place later. */
const { nextTick } = process;
const { queueMicrotask } = globalThis;

class Turn {
  #isOurs = false;
  /** what waits for promises now goes first */
  #isLonger = false;
  /** theirs goes on after ours */
  #isInterrupted = false;
  #isHome;
  #tellOver;
  #attend;

  /** the other side's code runs that has called us */
  isTheirs = false;
  /** it is ours, and the other side stands still */
  isQuiet = false;

  /**
   * @param {boolean} isHome
   * @param {() => void} tellOver tells the other side that our turn is over
   * @param {() => void} attend serves the other side until its turn is over
   */
  constructor(isHome, tellOver, attend) {
    this.#isHome = isHome;
    this.#tellOver = tellOver;
    this.#attend = attend;
  }

  /** A call goes out that is made on nobody's behalf. */
  begin() {
    if (this.#isOurs) return;
    this.#isOurs = true;
    // The second tick of a replica comes after the promises of this turn: home learns what became of them first.
    nextTick(this.#isHome ? this.#end : () => nextTick(this.#end));
  }

  /** The other side has settled a promise and waits: our turn lasts until all that waited for it here has run. */
  beginWithPromises() {
    this.#isLonger = true;
    this.#isInterrupted ||= this.isTheirs;
    this.isTheirs = false;
    this.isQuiet = true;
    this.begin();
  }

  #end = () => {
    if (this.#isLonger) {
      this.#isLonger = false;
      // Ticks run before promises, but the one that a promise plans.
      queueMicrotask(() => nextTick(this.#end));
      return;
    }
    this.#isOurs = false;
    this.isQuiet = false;
    this.#tellOver();
    if (!this.#isInterrupted) return;
    this.#isInterrupted = false;
    this.isTheirs = true;
    this.#attend();
  };
}

exports.Turn = Turn;
