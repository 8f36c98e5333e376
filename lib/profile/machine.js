'use strict';

// How many of the machine's cores have nothing to do, whoever uses the others, and how much of them this program may still use.
// In: the system's counters of busy and idle time, and of a quota, twice. Out: a number of cores, or null before enough time has passed.
// It reads no more often than every READ_MS, as one read costs some 40 us on two cores and more on many.

const os = require('node:os');
const { performance } = require('../engine');
const { quota, usableCores } = require('../cores');

/** Counters of the system move in steps of 10 ms: spans much shorter than this say little. */
const READ_MS = 250;

/** Spans that are looked back on. */
const KEPT = 2;

/**
 * @typedef {object} Counted
 * @property {number} idle ms since some moment, summed over all cores
 * @property {number} all ms
 * @property {number} cores
 * @property {number} [usedMs] of its quota, by all who share it; NaN: not told
 */

class Machine {
  #now;
  #count;
  #usable;
  #most;
  /** @type {(Counted & {time: number})[]} oldest first */
  #counts = [];

  /**
   * @param {object} [given]
   * @param {() => number} [given.now] ms, never backwards
   * @param {() => Counted} [given.count]
   * @param {number} [given.usable] cores that this program may use
   * @param {number} [given.most] its quota, in cores; Infinity: none
   */
  constructor({ now = () => performance.now(), count = countAll, usable = usableCores(), most = quota()?.cores ?? Infinity } = {}) {
    this.#now = now;
    this.#count = count;
    this.#usable = usable;
    this.#most = most;
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
    const idle = Math.min(this.#usable, (last.cores * (last.idle - first.idle)) / all);
    // Where it is not told what was used of it, the quota is only a bound.
    const used = (Number(last.usedMs) - Number(first.usedMs)) / (last.time - first.time);
    return Math.min(idle, Math.max(0, this.#most - (used > 0 ? used : 0)));
  }
}

/**
 * What runs at a lower priority (`nice`) makes room for this program, unless that does so itself.
 * @param {os.CpuInfo[]} [cpus] @param {number} [priority]
 * @returns {Counted} of this machine; where the system hides its counters, all is 0 for ever
 */
function countAll(cpus = os.cpus(), priority = os.getPriority()) {
  let idle = 0;
  let all = 0;
  for (const { times } of cpus) {
    idle += times.idle + (priority > 0 ? 0 : times.nice);
    all += times.user + times.nice + times.sys + times.idle + times.irq;
  }
  return { idle, all, cores: cpus.length, usedMs: quota()?.usedMs() };
}

exports.Machine = Machine;
exports.countAll = countAll;
