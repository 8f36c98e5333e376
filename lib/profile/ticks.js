'use strict';
/*
 * Decides when a program is looked at. In: what to run at each tick, and whether anything happens. Out: ticks, from one timer for all,
 * since waking up is what costs; while nothing happens, one instead of ten. It must never keep the program alive.
 *
 *      awake --- at a tick: the event loop is idle, nothing was called in the window, and what was decided last will last ---> asleep
 *        ^------ a call, a completion, a new function or import, at once; or a tick that finds something ------|
 */
const { pauseCoarseClock } = require('./coarse-clock');
const { Math, Set, durationOf } = require('../engine');

/** Asleep there is one tick for this many when awake. */
const SELDOM = 10;

/**
 * @typedef {object} Timers
 * @property {(run: () => void, ms: number) => any} setInterval
 * @property {(timer: any) => void} clearInterval
 * @property {(run: () => void) => any} setImmediate
 * @property {(immediate: any) => void} clearImmediate
 *
 * @typedef {{run: () => void, unref: () => void}} Part what runs at each tick
 *
 * @typedef {object} Rooms
 * @property {Pick<import('./window').Window, 'rest' | 'mark' | 'onWake'>} window
 * @property {Pick<import('./event-loop').EventLoop, 'isAtRest' | 'mark'>} loop
 * @property {() => boolean} isCalm whether the last decisions hold while nothing is called
 */

class Ticks {
  #own;
  #tickMs;
  #asleepMs;
  /** @type {Set<Part>} */
  #parts = new Set();
  /** @type {any} */
  #timer = null;
  #isAsleep = false;
  /** until the next tick, or between two of them, as the timer has it, ms */
  everyMs;
  /** @type {Rooms | null} those that know whether anything happens; null: never sleep */
  #rooms = null;

  /**
   * @param {object} given
   * @param {Timers} given.own
   * @param {number} given.tickMs
   * @param {number} given.windowMs no two ticks are further apart than this
   */
  constructor({ own, tickMs, windowMs }) {
    this.#own = own;
    this.#tickMs = tickMs;
    this.#asleepMs = Math.max(tickMs, Math.min(SELDOM * tickMs, windowMs));
    this.everyMs = durationOf(tickMs);
    this.setImmediate = own.setImmediate;
    this.clearImmediate = own.clearImmediate;
  }

  /**
   * Like the engine's, for what runs as often as there are ticks; anything more frequent gets a timer of its own.
   * @param {() => void} run
   * @param {number} ms
   * @returns {any} for clearInterval
   */
  setInterval = (run, ms) => {
    if (ms < this.#tickMs) return this.#own.setInterval(run, ms);
    const part = { run, unref() {} };
    this.#parts.add(part);
    if (this.#timer === null) this.#begin(this.#tickMs);
    return part;
  };

  /** @param {any} timer of setInterval */
  clearInterval = (timer) => {
    if (!this.#parts.delete(timer)) this.#own.clearInterval(timer);
    else if (this.#parts.size === 0) {
      this.#end();
      if (this.#isAsleep) pauseCoarseClock(false);
      this.#isAsleep = false;
    }
  };

  /** From now on sleeps while nothing happens. @param {Rooms} rooms */
  follow(rooms) {
    this.#rooms = rooms;
    rooms.window.onWake = () => this.wake();
  }

  /** Something happens: half a tick later it is looked at. Must be quick, as it is part of a call. */
  wake() {
    if (!this.#isAsleep) return;
    this.#isAsleep = false;
    this.#rooms?.window.mark();
    this.#rooms?.loop.mark();
    this.#begin(this.#tickMs / 2);
  }

  #tick() {
    // Not in `wake`: that would delay the call more than all else. Calls until now are timed if their function is new.
    if (!this.#isAsleep) pauseCoarseClock(false);
    try {
      this.#runFrom([...this.#parts], 0);
    } finally {
      // The first tick after a sleep came after half of the time.
      if (!this.#isAsleep && this.#timer !== null && this.everyMs !== durationOf(this.#tickMs)) this.#begin(this.#tickMs);
    }
    if (this.#rooms === null || this.#timer === null) return;
    const { window, loop, isCalm } = this.#rooms;
    if (!(loop.isAtRest && isCalm() && window.rest())) this.wake();
    else if (!this.#isAsleep) {
      this.#isAsleep = true;
      pauseCoarseClock(true);
      this.#begin(this.#asleepMs);
    }
  }

  /** If one throws, the others still run. @param {Part[]} parts @param {number} i */
  #runFrom(parts, i) {
    if (i === parts.length) return;
    try {
      if (this.#parts.has(parts[i])) parts[i].run();
    } finally {
      this.#runFrom(parts, i + 1);
    }
  }

  /** @param {number} ms */
  #begin(ms) {
    this.#end();
    this.everyMs = durationOf(ms);
    this.#timer = this.#own.setInterval(() => this.#tick(), ms);
    this.#timer.unref?.();
  }

  #end() {
    if (this.#timer !== null) this.#own.clearInterval(this.#timer);
    this.#timer = null;
  }
}

exports.Ticks = Ticks;
