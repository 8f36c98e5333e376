'use strict';

// Decides when a round of decisions can be left out. A round costs some 0.7 ms of the event loop, as by then its code is in none of the
// processor's caches; and that ten times a second, for the same answer. In: each round's decisions and the utilisation of the loop then; at
// a tick, the utilisation now. Out: whether that tick can do without a round, or need not happen at all. Pure except for what it remembers.

const { Math, Set } = require('../engine');

/** @typedef {import('./decision').Decision} Decision */

/**
 * How many ticks in a row may go without a round, and for no longer than these take if they are on time: a load that moves from one module
 * to another, while the loop stays as full, is noticed that much later.
 */
const MOST_LEFT_OUT = 2;
/** The same if the loop is idle: any load that matters is news. */
const MOST_IDLE = 9;
/** If nothing may leave, no load is a reason to decide, and only one in this many ticks looks at what comes. */
const LOOKS_EVERY = 3;
/** But a program's first rounds are for its report: they may contain its whole load. */
const FIRST_ROUNDS = 10;
/** An idle loop is busy for less, as part of its time. */
const IDLE = 0.05;

/** A smaller change is no news, as part of the loop's time. */
const NEWS = 0.1;

/** Reasons to stay at home that hold until the load changes; others depend on time, on an answer, or on replicas that are on their way. */
const LASTING = new Set([
  'not-allowed',
  'idle',
  'pool',
  'pool-full',
  'no-pressure',
  'small',
  'overhead',
  'no-core',
  'no-promise',
  'vetoed',
  'ceiling',
]);

class Rest {
  #isPossible;
  #tickMs;
  /** of the loop at the last round; NaN: rounds may not be left out */
  #utilisation = NaN;
  /** when the last round was, ms */
  #at = -Infinity;
  #leftOut = 0;
  #rounds = 0;
  /** no module may have replicas */
  #isBarred = false;
  /** As long as nothing is called, a round would find the same as the last one. */
  isLasting = false;

  /** @param {{tickMs: number, windowMs: number}} options a window must contain some rounds */
  constructor({ tickMs, windowMs }) {
    this.#isPossible = (MOST_LEFT_OUT + 1) * tickMs <= windowMs / 2;
    this.#tickMs = tickMs;
  }

  /** Called after each round. @param {Decision[]} round @param {number} utilisation lately @param {number} time ms */
  begin(round, utilisation, time) {
    const isHome = round.every(({ from, to, reason }) => from === 0 && to === 0 && LASTING.has(reason));
    this.#utilisation = this.#isPossible && isHome ? utilisation : NaN;
    this.isLasting =
      this.#isPossible && round.every(({ from, to, reason }) => from === to && (from > 0 ? reason === 'enough' : LASTING.has(reason)));
    this.#rounds++;
    this.#isBarred =
      this.#isPossible &&
      this.#rounds > FIRST_ROUNDS &&
      round.length > 0 &&
      round.every(({ to, reason }) => to === 0 && reason === 'not-allowed');
    this.#leftOut = 0;
    this.#at = time;
  }

  /** Makes the next tick a round. */
  end() {
    this.#utilisation = NaN;
    this.isLasting = this.#isBarred = false;
  }

  /** @returns {boolean} whether this tick does not even need a look */
  goesOnUnseen() {
    if (!this.#isBarred || this.#leftOut >= MOST_IDLE || this.#leftOut % LOOKS_EVERY === LOOKS_EVERY - 1) return false;
    this.#leftOut++;
    return true;
  }

  /** @param {number} utilisation lately @param {number} time ms @returns {boolean} */
  goesOn(utilisation, time) {
    if (this.#isBarred) return this.#leftOut++ < MOST_IDLE;
    const most = Math.max(utilisation, this.#utilisation) < IDLE ? MOST_IDLE : MOST_LEFT_OUT;
    // If a turn of the loop takes seconds, so do the ticks that are left out.
    const isLate = time - this.#at >= (most + 1) * this.#tickMs;
    return Math.abs(utilisation - this.#utilisation) < NEWS && !isLate && this.#leftOut++ < most;
  }
}

exports.Rest = Rest;
