'use strict';

// What a hypervisor took from this machine while something was measured: a virtual machine beside busy neighbours stands still now and
// then, and rows of one table do so at different times. In: something to run. Out: what it gave, run again where too much was taken
// meanwhile, and how often that was. Linux says it (/proc/stat, `steal`); elsewhere nothing is taken, as far as anybody knows.

const fs = require('node:fs');
const { setTimeout: sleep } = require('node:timers/promises');

/** A run is run again when more than this share of all processors was taken. */
const MOST = 0.05;
const MOST_TIMES = 3;
/** A tick is a hundredth of a second of one processor. */
const LEAST_TICKS = 50;
const LOOK_MS = 1000;
/** So long is a quiet moment waited for, ms. */
const MOST_WAIT_MS = 60_000;

/** @typedef {{stolen: number, all: number}} Look ticks of all processors since the machine started */

/** @returns {Look | null} null: this system does not say */
function look() {
  try {
    const [line] = fs.readFileSync('/proc/stat', 'utf8').split('\n', 1);
    const ticks = line.trim().split(/\s+/).slice(1, 9).map(Number);
    return ticks.length === 8 && ticks.every(Number.isFinite) ? { stolen: ticks[7], all: ticks.reduce((sum, one) => sum + one, 0) } : null;
  } catch {
    return null;
  }
}

/**
 * @param {Look | null} before
 * @param {Look | null} now
 * @returns {number} share that was taken between them, 0 to 1; 0 where they are too near to say
 */
function share(before, now) {
  return before === null || now === null || now.all - before.all < LEAST_TICKS ? 0 : (now.stolen - before.stolen) / (now.all - before.all);
}

class Stolen {
  #look;
  /** runs that were run again */
  repeated = 0;
  /** runs that count though they were disturbed each time */
  kept = 0;

  /** @param {() => Look | null} [read] */
  constructor(read = look) {
    this.#look = read;
  }

  /** @template T @param {() => T | Promise<T>} run may be called more than once: what it gives last counts @returns {Promise<T>} */
  async undisturbed(run) {
    for (let time = 1; ; time++) {
      const before = this.#look();
      const answer = await run();
      if (share(before, this.#look()) <= MOST) return answer;
      if (time === MOST_TIMES) {
        this.kept += 1;
        return answer;
      }
      this.repeated += 1;
      await this.#quiet();
    }
  }

  async #quiet() {
    const end = performance.now() + MOST_WAIT_MS;
    for (let before = this.#look(); performance.now() < end; before = this.#look()) {
      await sleep(LOOK_MS);
      if (share(before, this.#look()) <= MOST / 2) return;
    }
  }

  /** @returns {string} '' when nothing was disturbed */
  toString() {
    if (this.repeated === 0) return '';
    const kept = this.kept === 0 ? '' : `, ${this.kept} count though disturbed ${MOST_TIMES} times`;
    return `; runs repeated for what a hypervisor took meanwhile: ${this.repeated}${kept}`;
  }
}

exports.Stolen = Stolen;
