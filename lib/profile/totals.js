'use strict';

// Sums up what a boundary did since the start, as a whole and function by function. In: what a window has counted. Out: plain records for
// reports. Pure; it reads no meter.

const { middleOf, percentile } = require('./histogram');
const { ratio, mergeHistogram } = require('./slot');
const { Math, Object } = require('../engine');

/**
 * @typedef {import('./past').Counted} Counted
 *
 * @typedef {object} FunctionTotals
 * @property {string} kind
 * @property {number | null} lost of oneway calls; null: it is not oneway
 * @property {{calls: number, belowBytes: number} | null} stayed calls that stayed at home for being small, while others left; null: none
 * @property {import('./meter').KeptCalls | null} kept
 * @property {string} whyBound
 * @property {number} calls
 * @property {number} failures
 * @property {number} exclusiveMs
 * @property {number} inclusiveMs
 * @property {number} pending
 * @property {number} completions
 * @property {number} latencyMs mean
 * @property {number} maxMs
 * @property {number} p50Ms
 * @property {number} p99Ms
 * @property {number} argBytes mean per call that ran at home
 * @property {number} resultBytes mean per call that ran at home
 *
 * @typedef {Omit<FunctionTotals, 'kind' | 'lost' | 'stayed' | 'kept' | 'whyBound' | 'argBytes' | 'resultBytes'> & {functions:
 *   Record<string, FunctionTotals>}} Totals
 */

/** @param {Counted[]} tracks @returns {Totals} with the functions that were called */
function totalsOf(tracks) {
  /**
   * @type {Record<string, FunctionTotals>} without a prototype: a function may have a name that a frozen `Object.prototype` has, and
   *   assigning it would fail
   */
  const functions = Object.create(null);
  /** @type {Totals} */
  const sum = {
    calls: 0,
    failures: 0,
    exclusiveMs: 0,
    inclusiveMs: 0,
    pending: 0,
    completions: 0,
    latencyMs: 0,
    maxMs: 0,
    p50Ms: 0,
    p99Ms: 0,
    functions,
  };
  /** @type {{histogram: Float64Array | null}} */
  const joined = { histogram: null };
  for (const track of tracks) {
    const { last } = track;
    if (last === null || last.calls === 0) continue;
    const one = functionTotals(track, last);
    functions[track.key] = one;
    sum.calls += one.calls;
    sum.failures += one.failures;
    sum.exclusiveMs += one.exclusiveMs;
    sum.inclusiveMs += one.inclusiveMs;
    sum.pending += one.pending;
    sum.completions += one.completions;
    sum.latencyMs += last.latencyMs;
    sum.maxMs = Math.max(sum.maxMs, one.maxMs);
    mergeHistogram(joined, track.lastHistogram);
  }
  sum.latencyMs = ratio(sum.latencyMs, sum.completions);
  return Object.assign(sum, percentilesOf(joined.histogram, sum), { functions: { ...functions } });
}

/** @param {Counted} track @param {import('./meter').MeterTotals} last @returns {FunctionTotals} */
function functionTotals(track, last) {
  const { calls, failures, exclusiveMs, inclusiveMs, pending, completions, kind, lost, stayed, kept, whyBound } = last;
  const maxMs = track.longestMs;
  return {
    kind,
    lost,
    stayed,
    kept,
    whyBound,
    calls,
    failures,
    exclusiveMs,
    inclusiveMs,
    pending,
    completions,
    latencyMs: ratio(last.latencyMs, completions),
    maxMs,
    ...percentilesOf(track.lastHistogram, { exclusiveMs, calls, maxMs }),
    argBytes: ratio(last.argBytes, last.sized),
    resultBytes: ratio(last.resultBytes, last.sized),
  };
}

/**
 * @param {Float64Array | null} histogram null: nothing was sampled, so the mean and the longest are used
 * @param {{exclusiveMs: number, calls: number, maxMs: number}} known
 */
function percentilesOf(histogram, { exclusiveMs, calls, maxMs }) {
  if (histogram === null) return { p50Ms: ratio(exclusiveMs, calls), p99Ms: maxMs };
  // The middle of a bucket may be beyond the longest call in it.
  const longest = maxMs > 0 ? maxMs : Infinity;
  return { p50Ms: Math.min(longest, percentile(histogram, 0.5)), p99Ms: Math.min(longest, percentile(histogram, 0.99)) };
}

/**
 * @param {Counted[]} tracks
 * @returns {{ms: number, calls: number}[]} how many calls took about this long, shortest first; samples stand for all calls
 */
function latenciesOf(tracks) {
  /** @type {{histogram: Float64Array | null}} */
  const joined = { histogram: null };
  for (const { lastHistogram } of tracks) mergeHistogram(joined, lastHistogram);
  return [...(joined.histogram ?? [])].map((calls, bucket) => ({ ms: middleOf(bucket), calls })).filter(({ calls }) => calls > 0);
}

exports.latenciesOf = latenciesOf;
exports.totalsOf = totalsOf;
