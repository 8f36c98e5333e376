'use strict';
/*
 * Chooses which boundaries a window looks at, tick by tick. In: its rows, and a look at one, which tells whether anything happens there.
 * Out: looks. A program may have ten thousand functions and use a few hundred at a time: looking at all of them ten times a second would
 * take a third of a core. So if there are many, a boundary at which nothing happens *rests*: the next call of each of its functions, which
 * is timed, wakes it. Resting ones are also looked at in turn, some at each tick, for whatever is counted silently.
 *
 *      awake --- nothing went on for a window, and others are looked at already ---> resting
 *        ^------ a call, a completion, a new function; or its turn has come and something has moved ------|
 */
const { Set } = require('../engine');

/**
 * @typedef {object} Watched a boundary as a window sees it
 * @property {string} id
 * @property {{name: string, kind?: string}} parent
 * @property {{name: string, kind?: string}} child
 * @property {Map<string, {meter: import('./slot').Meter}>} points
 * @property {string} [setName] of the replica set that gets its calls; default: the name of the child
 * @property {boolean} [isInner] both ends are in one group or package
 * @property {(() => void) | null} [onTouch] called when it gets a function; set by the window
 *
 * @typedef {object} Row a boundary with its tracks and slots
 * @property {Watched} boundary
 * @property {import('./slot').Track[]} tracks
 * @property {import('./past').Counted[]} past of earlier boundaries with this name
 * @property {number} pending
 * @property {Record<string, string>} kinds
 * @property {string} hottest
 * @property {import('./slot').Slot[]} slots oldest first; empty while idle
 * @property {number} place among those that rest; -1: looked at in each tick
 */

/** This many functions are looked at in each tick, whether anything happens or not. */
const FEW = 256;
/** And this many of those that rest. */
const IN_TURN = 128;

class Rounds {
  /** @type {Set<Row>} */
  #awake = new Set();
  /** @type {Row[]} */
  #resting = [];
  #turn = 0;
  /** @type {() => void} called when one wakes, or is new; in the middle of a call */
  onWake = () => {};

  /** @param {Row} row */
  add(row) {
    this.#awake.add(row);
    this.onWake();
  }

  /** Nothing happens at any of them. */
  restAll() {
    for (const row of this.#awake) this.#rest(row);
  }

  /** @param {Row} row that is no longer looked at */
  delete(row) {
    this.#wake(row);
    this.#awake.delete(row);
  }

  /** @param {(row: Row) => boolean} look tells whether anything happens there */
  make(look) {
    let looked = 0;
    for (const row of this.#awake) {
      const isBusy = look(row);
      looked += 1 + row.tracks.length;
      if (!isBusy && looked > FEW) this.#rest(row);
    }
    looked = 0;
    for (let { length } = this.#resting; length > 0 && looked < IN_TURN; length--) {
      this.#turn = (this.#turn + 1) % this.#resting.length;
      const row = this.#resting[this.#turn];
      looked += 1 + row.tracks.length;
      if (look(row)) this.#wake(row);
    }
  }

  /** @param {Row} row */
  #rest(row) {
    this.#awake.delete(row);
    row.place = this.#resting.push(row) - 1;
    this.#tell(row, () => this.#wake(row));
  }

  /** @param {Row} row */
  #wake(row) {
    const { place } = row;
    if (place < 0) return;
    row.place = -1;
    const last = /** @type {Row} */ (this.#resting.pop());
    if (last !== row) this.#resting[(last.place = place)] = last;
    this.#tell(row, null);
    this.#awake.add(row);
    this.onWake();
  }

  /** @param {Row} row @param {(() => void) | null} wake called when something happens; null: it is looked at anyway */
  #tell({ boundary, tracks }, wake) {
    boundary.onTouch = wake;
    for (const { meter } of tracks) meter.rest?.(wake);
  }
}

exports.Rounds = Rounds;
