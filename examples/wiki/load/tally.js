'use strict';

// Latencies of the two kinds of pages, kept apart.
// In: one call a response. Out: percentiles. Every value is kept (8 bytes each), so nothing is rounded into buckets.

/** @typedef {'ordinary' | 'slow'} Kind */

/**
 * @typedef {object} Latency in milliseconds
 * @property {number} count
 * @property {number} p50
 * @property {number} p90
 * @property {number} p99
 * @property {number} max
 *
 * @typedef {object} Report
 * @property {number} requestsPerSecond answered well
 * @property {number} seconds
 * @property {number} errors answers other than 200, and requests without an answer
 * @property {Record<string, number>} errorKinds how often each
 * @property {Latency} ordinary
 * @property {Latency} slow
 * @property {number} lateMs p99 of how late requests were sent, in open mode: above a few ms the load, not the wiki, is slow
 */

class Tally {
  /** @type {Record<Kind, number[]>} */
  #latencies = { ordinary: [], slow: [] };
  /** @type {Record<Kind, number>} */
  #told = { ordinary: 0, slow: 0 };
  /** @type {Map<string, number>} */
  #errors = new Map();
  /** @type {number[]} */
  #late = [];
  #errorsTold = 0;
  #begun = performance.now();
  #ended = 0;
  #secondBegun = this.#begun;

  /** Counts from now on. */
  start() {
    this.#begun = this.#secondBegun = performance.now();
  }

  /** What is answered later no longer counts for the rate. */
  stop() {
    this.#ended = performance.now();
  }

  /**
   * @param {Kind} kind
   * @param {number} latencyMs
   */
  answered(kind, latencyMs) {
    this.#latencies[kind].push(latencyMs);
  }

  /** @param {string} reason */
  failed(reason) {
    this.#errors.set(reason, (this.#errors.get(reason) ?? 0) + 1);
  }

  /** @param {number} lateMs */
  sent(lateMs) {
    this.#late.push(lateMs);
  }

  /** @returns {Report} since the start */
  report() {
    const seconds = ((this.#ended || performance.now()) - this.#begun) / 1000;
    return this.#describe(this.#latencies, this.#errorCount(), seconds);
  }

  /** @returns {Report} since the last call of this */
  second() {
    const now = performance.now();
    const { ordinary, slow } = this.#latencies;
    const fresh = { ordinary: ordinary.slice(this.#told.ordinary), slow: slow.slice(this.#told.slow) };
    const report = this.#describe(fresh, this.#errorCount() - this.#errorsTold, (now - this.#secondBegun) / 1000);
    this.#told = { ordinary: ordinary.length, slow: slow.length };
    this.#errorsTold = this.#errorCount();
    this.#secondBegun = now;
    return report;
  }

  #errorCount() {
    return [...this.#errors.values()].reduce((sum, count) => sum + count, 0);
  }

  /**
   * @param {Record<Kind, number[]>} latencies
   * @param {number} errors
   * @param {number} seconds
   * @returns {Report}
   */
  #describe(latencies, errors, seconds) {
    return {
      requestsPerSecond: round((latencies.ordinary.length + latencies.slow.length) / seconds),
      seconds: round(seconds),
      errors,
      errorKinds: Object.fromEntries(this.#errors),
      ordinary: describe(latencies.ordinary),
      slow: describe(latencies.slow),
      lateMs: round(
        percentile(
          this.#late.toSorted((a, b) => a - b),
          99,
        ),
      ),
    };
  }
}

/**
 * @param {number[]} values
 * @returns {Latency}
 */
function describe(values) {
  const order = values.toSorted((a, b) => a - b);
  return {
    count: order.length,
    p50: round(percentile(order, 50)),
    p90: round(percentile(order, 90)),
    p99: round(percentile(order, 99)),
    max: round(percentile(order, 100)),
  };
}

/**
 * @param {number[]} order sorted
 * @param {number} percent
 * @returns {number} by nearest rank; 0 of nothing
 */
function percentile(order, percent) {
  return order[Math.max(0, Math.ceil((percent / 100) * order.length) - 1)] ?? 0;
}

/** @param {number} value */
function round(value) {
  return Math.round(value * 100) / 100;
}

exports.Tally = Tally;
