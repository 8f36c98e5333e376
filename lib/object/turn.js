'use strict';
/*
 * Whose turn it is. While code of one side runs that has called the other, the other's event loop only serves calls, as if both were one
 * loop: what the other has planned (timers, ticks, events) comes when the turn is over. When the other settles a promise that home waits
 * for, it waits until home has gone on. Ticks come first: if the module has planned some, home waits at the end of its turn until they have
 * run.
 *      home    |-- turn, calls --| TURN | waits, serves |-- timers, events
 *      module            TICKS ^        |---- ticks ----| TURN
 * In: the first call of a turn, ticks as they are planned, and word that the other's turn begins or is over. Out: word that ours is over.
 */

const { MESSAGE } = require('./tags');

const { nextTick, queueMicrotask } = require('../engine');

class Turn {
  #isOurs = false;
  /** code that waits for promises goes first now */
  #isLonger = false;
  /** their turn goes on after ours */
  #isInterrupted = false;
  /** the other side must run ticks before anything else here */
  #isAwaited = false;
  /** we have some, and have said so */
  #hasTicks = false;
  #isHome;
  #side;

  /** code of the other side runs that has called us */
  isTheirs = false;
  /** it is our turn, and the other side stands still */
  isQuiet = false;

  /**
   * @param {boolean} isHome
   * @param {object} side this one's
   * @param {import('../wire/line').Line} side.line
   * @param {import('./mail').Mail} side.mail
   * @param {import('./steady').Reads} side.reads
   * @param {() => void} side.attend serves the other side until its turn is over
   */
  constructor(isHome, side) {
    this.#isHome = isHome;
    this.#side = side;
  }

  /** A call goes out on nobody's behalf. */
  begin() {
    if (this.#isOurs) return;
    this.#isOurs = true;
    // A replica waits two ticks, so that the promises of this turn run in between: home learns first what became of them.
    nextTick(this.#isHome ? this.#end : () => nextTick(this.#end));
  }

  /** We wait until the other side has done something: it goes on now, not only when the code that began our turn has ended. */
  pause() {
    if (!this.#isOurs) return;
    this.#isLonger = false;
    this.#end();
  }

  /** Code here plans a tick. */
  plan() {
    // In a turn of our own, the other side waits anyway.
    if (!this.isTheirs || this.#isOurs || this.#hasTicks) return;
    this.#hasTicks = true;
    const { line, mail } = this.#side;
    if (line.isClosed) return;
    line.isAwaited = true;
    mail.send([MESSAGE.TICKS]);
  }

  /** The other side has planned ticks. */
  awaitTicks() {
    this.#isAwaited = true;
  }

  /** Their turn is over. */
  goOn() {
    this.isTheirs = false;
    this.#isAwaited = false;
    if (!this.#hasTicks) return;
    this.#hasTicks = false;
    this.begin();
  }

  /** The other side has settled a promise and waits: our turn lasts until all code here that waited for it has run. */
  beginWithPromises() {
    this.#isLonger = true;
    this.#isInterrupted ||= this.isTheirs;
    this.isTheirs = false;
    this.isQuiet = true;
    this.begin();
  }

  #tellOver() {
    const { line, mail, reads } = this.#side;
    if (line.isClosed) return;
    reads.check();
    mail.send([MESSAGE.TURN]);
  }

  #end = () => {
    if (this.#isLonger) {
      this.#isLonger = false;
      // Ticks run before promises, except a tick that a promise plans.
      queueMicrotask(() => nextTick(this.#end));
      return;
    }
    this.#isOurs = false;
    this.isQuiet = false;
    this.#tellOver();
    // If they have begun one meanwhile, it is served in another turn of the event loop, and they wait for that.
    const isNext = this.#isInterrupted || (this.#isAwaited && !this.isTheirs);
    this.#isInterrupted = false;
    this.#isAwaited = false;
    if (!isNext) return;
    this.isTheirs = true;
    this.#side.attend();
  };
}

exports.Turn = Turn;
