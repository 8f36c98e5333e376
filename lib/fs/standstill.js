'use strict';
/*
 * Whether a process that should answer does not run at all: it was stopped by a signal or a debugger. In: its number, while somebody waits
 * for it. Out: word that it has stood still for the limit. One that computes, or waits for its disk, runs. Only Linux tells; elsewhere
 * nobody learns of it. Time in which this program itself did not run does not count.
 */
const { isStopped } = require('../host/processes');
const { clearInterval, setInterval } = require('../engine');

/** How often it is checked within the limit; it must be found stopped each time. */
const LOOKS = 5;

class Standstill {
  #limitMs;
  #found = 0;
  /** @type {NodeJS.Timeout | null} */
  #timer = null;
  #isStopped;

  /** Who has to run now; null: nobody. @type {() => number | null} */
  whom = () => null;
  /** @type {() => void} called when it has stood still for the limit */
  onStill = () => {};

  /** @param {number} limitMs @param {(pid: number) => boolean} [look] for tests */
  constructor(limitMs, look = isStopped) {
    this.#limitMs = limitMs;
    this.#isStopped = look;
  }

  get limitMs() {
    return this.#limitMs;
  }

  /** Somebody waits from now on: it looks as long as there is a process to look at. */
  begin() {
    this.#timer ??= setInterval(() => this.look(), this.#limitMs / LOOKS).unref();
  }

  look() {
    const pid = this.whom();
    if (pid === null) return this.#end();
    this.#found = this.#isStopped(pid) ? this.#found + 1 : 0;
    if (this.#found < LOOKS) return;
    this.#end();
    this.onStill();
  }

  #end() {
    if (this.#timer !== null) clearInterval(this.#timer);
    this.#timer = null;
    this.#found = 0;
  }
}

exports.LOOKS = LOOKS;
exports.Standstill = Standstill;
