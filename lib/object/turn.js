'use strict';
/*
 * Whose turn it is. While one side's code runs that has called the other, the other's event loop stands still but for these calls, as if both were one loop: what the other has
 * planned (timers, ticks, events) comes when the turn is over. When it settles a promise that home waits for, it waits until home has gone on.
 * Ticks come before all else: when the module has planned some, home waits at the end of its turn until they have run.
 *
 *      home    |-- turn, calls --| TURN | waits, serves |-- timers, events
 *      module            TICKS ^        |---- ticks ----| TURN
 *
 * In: the first call of a turn, ticks as they are planned, and word that the other's turn begins or is over. Out: word that ours is over.
 */

const { MESSAGE } = require('./tags');

/** The engine's own, whatever a test puts in its place later. */
const { nextTick } = process;
const { queueMicrotask } = globalThis;

class Turn {
  #isOurs = false;
  /** what waits for promises now, and ticks that were planned, go first */
  #isLonger = false;
  /** theirs goes on after ours */
  #isInterrupted = false;
  /** the other side has ticks to run before anything else here */
  #isAwaited = false;
  /** we have, and have said so */
  #hasTicks = false;
  #isHandingOver = false;
  #isHome;
  #side;

  /** the other side's code runs that has called us */
  isTheirs = false;
  /** it is ours, and the other side stands still */
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

  /** A call goes out that is made on nobody's behalf. */
  begin() {
    if (this.#isOurs) return;
    this.#isOurs = true;
    // Home learns first what became of the replica's promises.
    this.#isLonger ||= !this.#isHome;
    nextTick(this.#end);
  }

  /** A call of our turn has come back: what waits for promises at home because of it goes before what waits for those that are made here from now on. */
  handOver() {
    if (this.#isHome || !this.#isOurs || this.#isHandingOver) return;
    this.#isHandingOver = true;
    queueMicrotask(() => {
      this.#isHandingOver = false;
      const { line, mail, reads } = this.#side;
      if (!this.#isOurs || line.isClosed) return;
      reads.check();
      mail.send([MESSAGE.TURN, true]);
      this.isTheirs = true;
      this.#side.attend();
    });
  }

  /** Code here plans a tick, or makes a promise, whose reactions come as soon. */
  plan() {
    if (this.#hasTicks || !(this.isTheirs || this.#isOurs)) return;
    this.#hasTicks = true;
    // At the end of our own turn it is said with that.
    if (this.#isOurs) return;
    const { line, mail } = this.#side;
    if (line.isClosed) return;
    line.isAwaited = true;
    mail.send([MESSAGE.TICKS]);
  }

  /** The other side has planned ticks. */
  awaitTicks() {
    this.#isAwaited = true;
  }

  /** Theirs is over. @param {boolean} haveTicks they have, which come after the ticks and promises here */
  goOn(haveTicks) {
    this.isTheirs = false;
    this.#isAwaited = haveTicks;
    if (!haveTicks && !this.#hasTicks) return;
    this.#side.line.isAwaited = true;
    this.#isLonger = true;
    this.begin();
  }

  /** The other side has settled a promise and waits: our turn lasts until all that waited for it here has run. */
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
    mail.send([MESSAGE.TURN, this.#hasTicks]);
  }

  #end = () => {
    if (this.#isLonger) {
      this.#isLonger = false;
      // Ticks run before promises, but the one that a promise plans.
      queueMicrotask(() => {
        this.#hasTicks = false;
        nextTick(this.#end);
      });
      return;
    }
    this.#isOurs = false;
    this.isQuiet = false;
    this.#tellOver();
    // One that they have begun meanwhile is served in another turn of the event loop, and they wait for that.
    const isNext = this.#isInterrupted || (this.#isAwaited && !this.isTheirs);
    this.#isInterrupted = false;
    this.#isAwaited = false;
    if (!isNext) return;
    this.isTheirs = true;
    this.#side.attend();
  };
}

exports.Turn = Turn;
