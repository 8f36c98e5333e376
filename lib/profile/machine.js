'use strict';

// How many of the machine's cores have nothing to do, whoever uses the others.
// In: the system's counters of busy and idle time, twice. Out: a number of cores, or null before enough time has passed.
// It reads no more often than every READ_MS, as one read costs some 40 us on two cores and more on many.

const os = require('node:os');
const { performance } = require('node:perf_hooks');

/** Counters of the system move in steps of 10 ms: spans much shorter than this say little. */
const READ_MS = 250;

/** Spans that are looked back on. */
const KEPT = 2;

/**
 * @typedef {object} Counted
 * @property {number} idle ms since some moment, summed over all cores
 * @property {number} all ms
 * @property {number} cores
 */

class Machine {
  #now;
  #count;
  #usable;
  /** @type {(Counted & {time: number})[]} oldest first */
  #counts = [];

  /**
   * @param {object} [given]
   * @param {() => number} [given.now] ms, never backwards
   * @param {() => Counted} [given.count]
   * @param {number} [given.usable] cores that this program may use
   */
  constructor({ now = () => performance.now(), count = countAll, usable = os.availableParallelism() } = {}) {
    this.#now = now;
    this.#count = count;
    this.#usable = usable;
  }

  /** @returns {number | null} cores that were idle during the last half second or so, 0 to all that are usable; null: not known (yet) */
  readFree() {
    const time = this.#now();
    const counts = this.#counts;
    if (counts.length === 0 || time - counts[counts.length - 1].time >= READ_MS) {
      counts.push({ time, ...this.#count() });
      if (counts.length > KEPT + 1) counts.shift();
    }
    const [first] = counts;
    const last = counts[counts.length - 1];
    const all = last.all - first.all;
    if (all <= 0) return null;
    return Math.min(this.#usable, (last.cores * (last.idle - first.idle)) / all);
  }
}

/** @returns {Counted} of this machine; where the system hides its counters, all is 0 for ever */
function countAll() {
  const cpus = os.cpus();
  let idle = 0;
  let all = 0;
  for (const { times } of cpus) {
    idle += times.idle;
    all += times.user + times.nice + times.sys + times.idle + times.irq;
  }
  return { idle, all, cores: cpus.length };
}

exports.Machine = Machine;
