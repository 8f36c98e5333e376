'use strict';
/*
 * How many replicas start at once: no more than the machine has cores with nothing to do, and always one. A start takes a core for a tenth of a second and more, just when the program has most to catch
 * up with. In: starts, and how many cores are free. Out: turns, in order. What is warm has started, and what starts on another host takes no core here: neither comes by.
 */
const { performance } = require('node:perf_hooks');
const { clearTimeout, setTimeout } = require('node:timers');

/** A start that takes longer waits for something else, or has a large module to load: the next one need not wait for it. */
const TURN_MS = 500;
/** For so long after a start the program catches up: what nobody waits for is not started yet. */
const CALM_MS = 1000;

class StartGate {
  #free;
  /** How many may start at once, until none does. */
  #most = 1;
  #running = 0;
  /** @type {(() => void)[]} */
  #waiting = [];
  /** ms */
  #endedAt = -Infinity;

  /** @param {() => number | null} free cores with nothing to do; null: not known */
  constructor(free) {
    this.#free = free;
  }

  /** @returns {Promise<() => void>} a turn, and how to end it; to end it twice does no harm */
  async enter() {
    // Those that start take cores themselves, so it is counted before.
    if (this.#running === 0) this.#most = Math.max(1, Math.round(this.#free() ?? 1));
    if (this.#running >= this.#most) await new Promise((/** @type {(value: void) => void} */ resolve) => this.#waiting.push(resolve));
    else this.#running += 1;
    let isOver = false;
    const end = () => {
      if (isOver) return;
      isOver = true;
      clearTimeout(timer);
      this.#pass();
    };
    const timer = setTimeout(end, TURN_MS).unref();
    return end;
  }

  /** @returns {Promise<void>} when no replica has started for a while */
  async calm() {
    for (;;) {
      const ms = this.#running > 0 ? CALM_MS : this.#endedAt + CALM_MS - performance.now();
      if (ms <= 0) return;
      await new Promise((/** @type {(value: void) => void} */ resolve) => setTimeout(resolve, ms).unref());
    }
  }

  /** The turn goes to the next one. */
  #pass() {
    const next = this.#waiting.shift();
    if (next !== undefined) return next();
    this.#running -= 1;
    this.#endedAt = performance.now();
  }
}

exports.StartGate = StartGate;
