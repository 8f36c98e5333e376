'use strict';

// Tells how many of the machine's cores are idle, no matter who uses the others, and how many of them this program may still use; and how
// many it keeps busy itself, beside its event loop. In: the system's counters of busy and idle time, and of a quota, read twice. Out: a
// number of cores, or null before enough time has passed. It reads at most every READ_MS, as one read costs some 70 us. It uses functions
// as they were when Ignis was loaded: what a test puts in their place is not for us, and its descriptors are not ours to close.

const { Buffer } = require('node:buffer');
const { closeSync, openSync, readSync } = require('node:fs');
const { cpus, getPriority } = require('node:os');
const { Math, isMainThread, performance } = require('../engine');
const { isPriorityHeard, quota, usableCores } = require('../cores');
const { ChildTime } = require('../spawn/child-time');

// As it was before a program could replace it.
const { cpuUsage } = process;

/** Counters of the system move in steps of 10 ms: much shorter spans say little. */
const READ_MS = 250;

/** How many spans back are kept. */
const KEPT = 2;

/**
 * For this long after its start, other threads of a program compile and collect things, work that will not come again. What they do later
 * may be a load of its own (workers), and counts, ms.
 */
const YOUNG_MS = 2000;

/** The unit in which Linux counts (USER_HZ), on all platforms that Node supports. */
const TICK_MS = 10;
/** Room for more than the first line of /proc/stat. */
const line = Buffer.alloc(512);
/** @type {number | undefined} of the whole machine, whoever may use them; undefined: not counted yet */
let machineCores;

/** @typedef {{user: number, nice: number, sys: number, idle: number, irq: number, cores: number}} Times ms, summed over all cores */
/**
 * @typedef {object} Counted
 * @property {number} idle ms since some moment, summed over all cores
 * @property {number} all ms
 * @property {number} cores
 * @property {number} [usedMs] of its quota, by all who share it; NaN: unknown
 *
 * @typedef {Counted & {time: number, besideMs: number}} Look
 */

class Machine {
  #now;
  #count;
  #usable;
  #most;
  #children;
  #threadsMs;
  /** what `threadsMs` said while the program was young */
  #helpedMs = 0;
  /** @type {Look[]} oldest first */
  #counts = [];

  /**
   * @param {object} [given]
   * @param {() => number} [given.now] ms, never backwards
   * @param {() => Counted} [given.count]
   * @param {number} [given.usable] cores that this program may use
   * @param {number} [given.most] its quota, in cores; Infinity: none
   * @param {{read: () => number}} [given.children] replicas of this program, see ChildTime
   * @param {() => number} [given.threadsMs] processor time of threads beside its event loop
   */
  constructor({
    now = () => performance.now(),
    count = countAll,
    usable = usableCores(),
    most = quota()?.cores ?? Infinity,
    children = new ChildTime(),
    threadsMs = besideTheLoop,
  } = {}) {
    this.#now = now;
    this.#count = count;
    this.#usable = usable;
    this.#most = most;
    this.#children = children;
    this.#threadsMs = threadsMs;
  }

  /** @returns {number | null} cores that were idle during the last half second or so, 0 to all that are usable; null: unknown (yet) */
  readFree() {
    const time = this.#now();
    const counts = this.#counts;
    if (counts.length === 0 || time - counts[counts.length - 1].time >= READ_MS) {
      counts.push({ time, ...this.#count(), besideMs: this.#besideMs(time) });
      if (counts.length > KEPT + 1) counts.shift();
    }
    const [first] = counts;
    const last = counts[counts.length - 1];
    const all = last.all - first.all;
    if (all <= 0) return null;
    const idle = Math.min(this.#usable, (last.cores * (last.idle - first.idle)) / all);
    // If the used part of the quota is unknown, the quota is merely an upper bound.
    const used = (Number(last.usedMs) - Number(first.usedMs)) / (last.time - first.time);
    return Math.min(idle, Math.max(0, this.#most - (used > 0 ? used : 0)));
  }

  /**
   * @returns {number} cores that this program kept busy beside its event loop, in the time of the last `readFree`: its replicas, their
   *   starts included, and what helps it to start; 0 also if unknown
   */
  get beside() {
    const [first] = this.#counts;
    const last = this.#counts[this.#counts.length - 1];
    const cores = (last?.besideMs - first?.besideMs) / (last?.time - first?.time);
    return cores > 0 ? cores : 0;
  }

  /** @param {number} time */
  #besideMs(time) {
    if (time < YOUNG_MS) this.#helpedMs = Math.max(this.#helpedMs, this.#threadsMs());
    return this.#helpedMs + this.#children.read();
  }
}

/**
 * What runs at a lower priority (`nice`) makes room for this program, unless this program has a low priority itself, or the system goes by
 * more than priority.
 * @param {Times} [times] @param {number} [priority] @param {boolean} [isHeard]
 * @returns {Counted} of this machine; if the system hides its counters, all are 0 forever
 */
function countAll({ user, nice, sys, idle, irq, cores } = readTimes(), priority = getPriority(), isHeard = isPriorityHeard()) {
  return { idle: idle + (priority > 0 || !isHeard ? 0 : nice), all: user + nice + sys + idle + irq, cores, usedMs: quota()?.usedMs() };
}

/** @returns {number} ms that threads of this process have run beside its event loop; 0 in a worker thread, whose process has other loops */
function besideTheLoop() {
  if (!isMainThread) return 0;
  const { user, system } = cpuUsage();
  return Math.max(0, (user + system) / 1000 - performance.eventLoopUtilization().active);
}

/** @returns {Times} since the start of the machine */
function readTimes() {
  return (process.platform === 'linux' ? readLine() : null) ?? readEach();
}

/**
 * On Linux, one line has the sum over all cores. `os.cpus()` also reads some files for each core: 0.75 ms on two cores where this takes
 * 0.07, on a machine full of other work.
 * @returns {Times | null} null: it does not exist, or we may not read it
 */
function readLine() {
  let file;
  try {
    file = openSync('/proc/stat', 'r');
    const length = readSync(file, line, 0, line.length, 0);
    return timesIn(line.toString('latin1', 0, length));
  } catch {
    return null;
  } finally {
    if (file !== undefined) closeSync(file);
  }
}

/** @param {string} text `cpu  user nice sys idle iowait irq ...` @returns {Times | null} */
function timesIn(text) {
  const [name, ...ticks] = text.split('\n', 1)[0].split(/ +/);
  const [user, nice, sys, idle, , irq] = ticks.map((tick) => Number(tick) * TICK_MS);
  if (name !== 'cpu' || !(irq >= 0)) return null;
  return { user, nice, sys, idle, irq, cores: (machineCores ??= cpus().length) };
}

/** @returns {Times} */
function readEach() {
  const all = cpus();
  const sum = { user: 0, nice: 0, sys: 0, idle: 0, irq: 0, cores: all.length };
  for (const { times } of all) for (const name of /** @type {const} */ (['user', 'nice', 'sys', 'idle', 'irq'])) sum[name] += times[name];
  return sum;
}

exports.Machine = Machine;
exports.countAll = countAll;
exports.readEach = readEach;
exports.timesIn = timesIn;
