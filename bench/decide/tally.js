'use strict';

// What a run saw: requests, calls of its modules, how busy the loop was.
// In: moments of performance.now(). Out: figures of a span. It keeps every moment, so that spans can be chosen afterwards.

const { percentile } = require('../lib/statistics.js');

/**
 * @typedef {object} Figures of the requests that came in a span
 * @property {number} requests
 * @property {number} seconds
 * @property {number} perSecond what was done a second, in the workload's unit
 * @property {number} p50Ms
 * @property {number} p99Ms
 *
 * @typedef {object} CallFigures of the calls of one module that settled in a span
 * @property {number} callsPerSecond
 * @property {number | null} p50Ms null where calls were counted only
 * @property {number | null} p99Ms
 * @property {number} loopShare of the span that the event loop was busy
 */

const LOOK_MS = 100;

class Tally {
  /** @type {{begun: number, ended: number}[]} ended: NaN while it is not answered */
  #requests = [];
  /** @type {{at: number, units: number}[]} */
  #done = [];
  /** @type {Map<string, {at: number[], units: number[], ms: number[]}>} by module; ms NaN where only counted */
  #calls = new Map();
  /** @type {{at: number, active: number}[]} */
  #looks = [];
  #timer;

  constructor() {
    this.#look();
    this.#timer = setInterval(() => this.#look(), LOOK_MS).unref();
  }

  close() {
    clearInterval(this.#timer);
    this.#look();
  }

  #look() {
    this.#looks.push({ at: performance.now(), active: performance.eventLoopUtilization().active });
  }

  /** @param {number} begun @returns {() => void} to be called when it is answered */
  request(begun) {
    const request = { begun, ended: NaN };
    this.#requests.push(request);
    return () => {
      request.ended = performance.now();
    };
  }

  /** @param {number} units of work that are done now */
  did(units) {
    this.#done.push({ at: performance.now(), units });
  }

  /** @param {string} module @param {number} units calls @param {number} [ms] that one took */
  calls(module, units, ms = NaN) {
    let calls = this.#calls.get(module);
    if (calls === undefined) this.#calls.set(module, (calls = { at: [], units: [], ms: [] }));
    calls.at.push(performance.now());
    calls.units.push(units);
    calls.ms.push(ms);
  }

  /** @returns {string[]} that were called */
  modules() {
    return [...this.#calls.keys()];
  }

  /**
   * A request that was never answered counts with its age: it took at least as long.
   * @param {number} from @param {number} to
   * @returns {Figures}
   */
  requestsOf(from, to) {
    const now = performance.now();
    const times = this.#requests
      .filter(({ begun }) => begun >= from && begun < to)
      .map(({ begun, ended }) => (Number.isNaN(ended) ? now : ended) - begun);
    const perSecond = rateOf(this.#done, from, to);
    return { requests: times.length, seconds: (to - from) / 1000, perSecond, p50Ms: percentile(times, 50), p99Ms: percentile(times, 99) };
  }

  /**
   * @param {string} module @param {number} from @param {number} to
   * @returns {CallFigures | null} null when there was no call
   */
  callsOf(module, from, to) {
    const calls = this.#calls.get(module);
    if (calls === undefined) return null;
    /** @type {number[]} */
    const times = [];
    const done = calls.at.map((at, index) => ({ at, units: calls.units[index] }));
    calls.at.forEach((at, index) => {
      if (at >= from && at < to && !Number.isNaN(calls.ms[index])) times.push(calls.ms[index]);
    });
    const isTimed = times.length > 0;
    return {
      callsPerSecond: rateOf(done, from, to),
      p50Ms: isTimed ? percentile(times, 50) : null,
      p99Ms: isTimed ? percentile(times, 99) : null,
      loopShare: (this.#activeAt(to) - this.#activeAt(from)) / (to - from),
    };
  }

  /** @param {number} at @returns {number} ms that the loop was busy until then, between two looks in proportion */
  #activeAt(at) {
    const after = this.#looks.findIndex((look) => look.at >= at);
    if (after <= 0) return this.#looks[after === 0 ? 0 : this.#looks.length - 1].active;
    const [a, b] = [this.#looks[after - 1], this.#looks[after]];
    return a.active + ((b.active - a.active) * (at - a.at)) / (b.at - a.at);
  }
}

/**
 * From the last thing done before the span to the last one done in it, so that a job of a third of a second is not counted
 * wholly in or out by chance; where nothing was done for long at the end of the span, to its end.
 * @param {{at: number, units: number}[]} done in their order
 * @param {number} from @param {number} to
 * @returns {number} units a second
 */
function rateOf(done, from, to) {
  let start = -1;
  let units = 0;
  let last = -1;
  let longest = 0;
  for (const { at, units: some } of done) {
    if (at > to) break;
    if (last >= 0) longest = Math.max(longest, at - last);
    last = at;
    if (at <= from) start = at;
    else units += some;
  }
  if (units === 0) return 0;
  const begin = start >= 0 ? start : from;
  const end = to - last > 2 * longest ? to : last;
  return units / ((end - begin) / 1000);
}

exports.Tally = Tally;
exports.rateOf = rateOf;
