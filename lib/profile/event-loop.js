'use strict';

// Measures how busy the event loop of this thread is: utilisation and delay over a window. In: Node's own account of idle and active time,
// and how late our own timer comes. Out: a LoopReading. The timer is unref'd. `perf_hooks.monitorEventLoopDelay` would see more (a timer
// each 10 ms), but would wake an idle program a hundred times a second; the meters see each long call anyway, so the lateness of a tick is
// enough here.

const { Math, clearInterval, durationOf, isNaN, performance, setInterval } = require('../engine');
const { ThreadTime, waitedBetween } = require('../session/thread-time');

/** A sudden load fills the event loop for this long, while the window still includes the quiet before it. */
const SURGE_MS = 125;
const SURGE = 0.95;
/** The present: two ticks, and part of another. */
const LATELY_MS = 250;
/** A loop at rest is busy for less than this part of the window; Ignis itself takes some 0.007. */
const AT_REST = 0.02;
/** Asking the system costs more than all else in a tick, so not every tick does. */
const TIMES_MS = 150;

/**
 * @typedef {object} LoopReading
 * @property {number} utilisation part of the window in which the loop was not idle, 0 to 1
 * @property {number} delayMs mean lateness of the ticks in the window; if there was none, how late the next one is by now
 * @property {number} longestMs largest lateness of a tick in the window, or of the next one by now
 * @property {number} windowMs the time really covered
 * @property {number} ownShare part of it in which Ignis did work of its own, 0 to 1
 * @property {number} runDelay part of its busy time that it waited for a core, 0 to 1; 0: none, or unknown
 * @property {number} [lately] utilisation of the last quarter of a second, as `readLately` gives it; 1 for a sudden load
 *
 * @typedef {object} Sample
 * @property {number} time ms
 * @property {number} idle ms since the loop began
 * @property {number} active ms since the loop began
 * @property {number} own ms of Ignis itself
 * @property {ThreadTimes} times of this thread
 * @property {number} lateMs NaN when no tick made this sample
 *
 * @typedef {import('../session/thread-time').Times & {at: number, active: number}} ThreadTimes with the time of reading, and how active the
 *   loop had been by then
 *
 * @typedef {object} Timers
 * @property {(run: () => void, ms: number) => any} setInterval
 * @property {(timer: any) => void} clearInterval
 */

class EventLoop {
  #windowMs;
  #tickMs;
  #now;
  #usage;
  #ownMs;
  #readTimes;
  #rest;
  /** @type {ThreadTimes} as last read */
  #times = { at: -Infinity, active: 0, ranMs: 0, waitedMs: 0 };
  #timers;
  #everyMs;
  /** @type {any} */
  #timer = null;
  /** Whether the loop was idle throughout the window before the last tick. */
  isAtRest = false;
  /** @type {Sample[]} oldest first; the first one is just outside the window */
  #samples;
  #tickedAt = 0;

  /**
   * @param {object} [given]
   * @param {number} [given.windowMs] default 1000
   * @param {number} [given.tickMs] default 100
   * @param {() => number} [given.now] ms, never backwards
   * @param {() => {idle: number, active: number}} [given.usage] cumulative ms
   * @param {() => number} [given.ownMs] cumulative ms of Ignis itself on the loop
   * @param {() => import('../session/thread-time').Times} [given.readTimes] cumulative, of this thread
   * @param {(isAtRest: boolean) => void} [given.rest] told at each tick whether the loop was idle throughout the window
   * @param {Timers} [given.timers]
   * @param {() => number} [given.everyMs] present time between two ticks; tickMs by default
   */
  constructor({
    windowMs = 1000,
    tickMs = 100,
    now = () => performance.now(),
    usage = () => performance.eventLoopUtilization(),
    ownMs = () => 0,
    readTimes = timesOfThread(),
    rest = () => {},
    timers = { setInterval, clearInterval },
    everyMs = () => durationOf(tickMs),
  } = {}) {
    this.#windowMs = windowMs;
    this.#tickMs = tickMs;
    this.#now = now;
    this.#usage = usage;
    this.#ownMs = ownMs;
    this.#readTimes = readTimes;
    this.#rest = rest;
    this.#timers = timers;
    this.#everyMs = everyMs;
    this.#samples = [this.#sample(now(), NaN)];
  }

  /** Starts to measure delay; utilisation is read in any case. Idempotent. */
  start() {
    if (this.#timer !== null) return;
    this.#tickedAt = this.#now();
    this.#timer = this.#timers.setInterval(() => this.#tick(), this.#tickMs);
    this.#timer.unref?.();
  }

  /** Stops the timer; `read()` still answers. Idempotent. */
  close() {
    if (this.#timer === null) return;
    this.#timers.clearInterval(this.#timer);
    this.#timer = null;
  }

  /**
   * @param {number} [time] ms on the clock given
   * @param {number} [spanMs] how much of the end of the window to look at; all of it by default
   * @param {boolean} [isWithin] leave out the tick that reaches back beyond the span, rather than include all of it
   * @returns {LoopReading} up to this moment
   */
  read(time = this.#now(), spanMs = this.#windowMs, isWithin = false) {
    if (time > this.#samples[this.#samples.length - 1].time) this.#keep(this.#sample(time, NaN));
    const samples = this.#samples;
    let from = 0;
    while (from < samples.length - 2 && samples[from + 1].time <= time - spanMs) from++;
    if (isWithin && from < samples.length - 2 && samples[from].time < time - spanMs) from++;
    const first = samples[from];
    const last = samples[samples.length - 1];
    const active = last.active - first.active;
    const all = active + last.idle - first.idle;
    const late = samples
      .slice(from + 1)
      .map(({ lateMs }) => lateMs)
      .filter((ms) => !isNaN(ms));
    const overdueMs = this.#timer === null ? 0 : Math.max(0, time - this.#tickedAt - this.#everyMs());
    const utilisation = all <= 0 ? 0 : Math.min(1, Math.max(0, active / all));
    return {
      utilisation,
      ownShare: all <= 0 ? 0 : Math.min(utilisation, (last.own - first.own) / all),
      runDelay: this.#runDelay(first.times, last.times),
      // A loop that does not turn has no tick that could be late.
      delayMs: late.length === 0 ? overdueMs : late.reduce((sum, ms) => sum + ms, 0) / late.length,
      longestMs: Math.max(overdueMs, ...late),
      // Before a program's loop begins to turn, it is neither idle nor busy.
      windowMs: all <= 0 ? last.time - first.time : Math.min(all, last.time - first.time),
    };
  }

  /**
   * @param {ThreadTimes} first
   * @param {ThreadTimes} last
   * @returns {number} between the two; if they are the same, between it and the reading before
   */
  #runDelay(first, last) {
    const before = first === last ? (this.#samples.findLast(({ times }) => times !== last)?.times ?? last) : first;
    const active = last.active - before.active;
    return active <= 0 ? 0 : Math.min(1, waitedBetween(before, last, active) / active);
  }

  /** @param {number} [time] @returns {number} utilisation of the last quarter of a second */
  lately(time = this.#now()) {
    return this.read(time, LATELY_MS).utilisation;
  }

  /** @returns {number} how far back to look: not into the quiet before a sudden load */
  spanMs() {
    return this.isSurge() ? SURGE_MS : this.#windowMs;
  }

  /** @param {number} [time] @returns {boolean} whether there is a sudden load */
  isSurge(time = this.#now()) {
    return SURGE_MS < this.#windowMs && this.isFull(SURGE_MS, time) && this.read(time).utilisation < SURGE;
  }

  /**
   * The tick in which a load came includes quiet before it, so it is enough that the loop was busy this long in all, and not idle since.
   * @param {number} spanMs
   * @param {number} [time]
   * @returns {boolean} whether the loop has been busy for this long, up to now
   */
  isFull(spanMs, time = this.#now()) {
    const { utilisation, windowMs } = this.read(time, spanMs);
    return utilisation * windowMs >= SURGE * spanMs && this.read(time, spanMs, true).utilisation >= SURGE;
  }

  /** @returns {LoopReading} over `spanMs()`; for a sudden load, over the time that the loop was busy with it */
  readLately() {
    const time = this.#now();
    const lately = this.lately(time);
    if (!this.isSurge(time)) return { ...this.read(time), lately };
    const since = this.read(time, SURGE_MS);
    const { utilisation, ownShare, windowMs } = since;
    // The quarter of a second contains the quiet before, and perhaps one tick more of it; that does not mean that the load has passed.
    return { ...since, utilisation: 1, ownShare: ownShare / utilisation, windowMs: utilisation * windowMs, lately: 1 };
  }

  #tick() {
    const time = this.#now();
    // An interval counts from when its callback began, so lateness does not add up.
    const lateMs = Math.max(0, time - this.#tickedAt - this.#everyMs());
    this.#tickedAt = time;
    const sample = this.#sample(time, lateMs);
    this.#keep(sample);
    const [{ idle, active, time: since }] = this.#samples;
    this.isAtRest = time - since >= this.#windowMs && sample.active - active < AT_REST * (sample.active - active + sample.idle - idle);
    this.#rest(this.isAtRest);
  }

  /**
   * Marks a new beginning after ticks that were far apart, so that the time before is kept separate. It does not ask the system for
   * anything.
   */
  mark() {
    const time = (this.#tickedAt = this.#now());
    const { idle, active } = this.#usage();
    this.#keep({ time, idle, active, own: this.#ownMs(), times: this.#times, lateMs: 0 });
  }

  /** @param {number} time @param {number} lateMs @returns {Sample} */
  #sample(time, lateMs) {
    const { idle, active } = this.#usage();
    if (time - this.#times.at >= TIMES_MS) this.#times = { at: time, active, ...this.#readTimes() };
    return { time, idle, active, own: this.#ownMs(), times: this.#times, lateMs };
  }

  /** @param {Sample} sample */
  #keep(sample) {
    const samples = this.#samples;
    // Reads between ticks replace each other, so that frequent readers do not fill the list.
    if (samples.length > 1 && isNaN(samples[samples.length - 1].lateMs)) samples.pop();
    samples.push(sample);
    const oldest = sample.time - this.#windowMs;
    while (samples.length > 2 && samples[1].time <= oldest) samples.shift();
  }
}

/** @returns {() => import('../session/thread-time').Times} */
function timesOfThread() {
  const thread = new ThreadTime();
  return () => thread.read();
}

exports.EventLoop = EventLoop;
exports.SURGE = SURGE;
