'use strict';

// Tells how long calls take, as a distribution to draw from. In: one time, a list of times, or measured quantiles with the measured mean.
// Out: the mean, and a function from a random number to a time (the inverse of the distribution function). Pure.

const { Math, Object, arrayFrom, isArray } = require('../engine');

/**
 * @typedef {object} Quantiles
 * @property {readonly number[]} fractions ascending, from 0 to 1
 * @property {readonly number[]} ms one for each fraction, never falling
 * @property {number} [meanMs] kept exactly if given; absent: straight lines between the quantiles
 *
 * @typedef {number | readonly number[] | Quantiles} ServiceTimes always the same time; or equally likely times (or quantiles at equal
 *   steps), with straight lines between them; or quantiles
 */

/** The fractions at which a measured distribution is kept: closer together where the long calls are. */
const FRACTIONS = Object.freeze([0, 0.05, 0.1, 0.2, 0.3, 0.4, 0.5, 0.6, 0.7, 0.8, 0.9, 0.95, 0.98, 0.99, 0.995, 0.999, 1]);

/**
 * @param {ServiceTimes} times
 * @returns {number} ms
 */
function meanOf(times) {
  if (typeof times === 'number') return times;
  if (isList(times)) return times.length === 1 ? times[0] : meanOfLines(stepsOf(times.length), sorted(times));
  return times.meanMs ?? meanOfLines(times.fractions, times.ms);
}

/**
 * @param {ServiceTimes} times
 * @returns {(random: number) => number} ms for a number from 0 to 1
 */
function samplerOf(times) {
  if (typeof times === 'number') return () => times;
  if (isList(times)) return samplerOfList(sorted(times));
  return times.meanMs === undefined ? samplerOfLines(times) : samplerWithMean(times, times.meanMs);
}

/** @param {readonly number[]} ms sorted */
function samplerOfList(ms) {
  const last = ms.length - 1;
  return (/** @type {number} */ random) => {
    const place = random * last;
    const at = Math.floor(place);
    return at >= last ? ms[last] : ms[at] + (place - at) * (ms[at + 1] - ms[at]);
  };
}

/** @param {Quantiles} quantiles */
function samplerOfLines({ fractions, ms }) {
  return (/** @type {number} */ random) => {
    const at = segmentOf(fractions, random);
    return ms[at] + ((random - fractions[at]) / (fractions[at + 1] - fractions[at])) * (ms[at + 1] - ms[at]);
  };
}

/**
 * Between two quantiles the true course is unknown, and if 1 % of the calls takes a thousand times as long as the others, a straight line
 * is wrong by a half. So each segment is a step, placed in all segments at the same part, the one that gives the measured mean: so
 * quantiles and mean are right, and with them the load.
 * @param {Quantiles} quantiles
 * @param {number} meanMs
 */
function samplerWithMean({ fractions, ms }, meanMs) {
  let low = 0;
  let high = 0;
  for (let at = 0; at + 1 < ms.length; at++) {
    const part = fractions[at + 1] - fractions[at];
    low += part * ms[at];
    high += part * ms[at + 1];
  }
  const stepAt = high > low ? Math.min(1, Math.max(0, (high - meanMs) / (high - low))) : 0;
  const reached = stepAt * low + (1 - stepAt) * high;
  // A mean outside of the quantiles comes from elsewhere (another window): the shape is kept, but stretched.
  const stretch = reached > 0 ? meanMs / reached : 0;
  if (reached <= 0) return () => meanMs;
  return (/** @type {number} */ random) => {
    const at = segmentOf(fractions, random);
    const isBefore = random - fractions[at] < stepAt * (fractions[at + 1] - fractions[at]);
    return stretch * (isBefore ? ms[at] : ms[at + 1]);
  };
}

/** @param {readonly number[]} fractions @param {number} random @returns {number} the segment it falls into */
function segmentOf(fractions, random) {
  let low = 0;
  let high = fractions.length - 2;
  while (low < high) {
    const middle = (low + high + 1) >> 1;
    if (fractions[middle] <= random) low = middle;
    else high = middle - 1;
  }
  return low;
}

/** @param {readonly number[]} fractions @param {readonly number[]} ms */
function meanOfLines(fractions, ms) {
  let sum = 0;
  for (let at = 0; at + 1 < ms.length; at++) sum += ((fractions[at + 1] - fractions[at]) * (ms[at] + ms[at + 1])) / 2;
  return sum;
}

/** @param {number} meanMs @returns {Quantiles} exponential: most short, some long; used if nothing else is known */
function exponential(meanMs) {
  const ms = FRACTIONS.map((fraction) => -meanMs * Math.log(1 - Math.min(fraction, 0.9999)));
  return { fractions: FRACTIONS, ms, meanMs };
}

/**
 * @param {readonly number[]} ms at the FRACTIONS; empty: unknown
 * @param {number} part of the calls, 0 to 1
 * @returns {readonly number[]} the same for the longest of them
 */
function ofLongest(ms, part) {
  if (ms.length !== FRACTIONS.length || part >= 1) return ms;
  const at = samplerOfLines({ fractions: FRACTIONS, ms });
  return FRACTIONS.map((fraction) => at(1 - part * (1 - fraction)));
}

/** @param {number} count @returns {number[]} */
function stepsOf(count) {
  return arrayFrom({ length: count }, (_, at) => at / (count - 1));
}

/** @param {readonly number[]} times @returns {readonly number[]} */
function sorted(times) {
  return [...times].sort((a, b) => a - b);
}

/** @param {ServiceTimes} times @returns {times is readonly number[]} */
function isList(times) {
  return isArray(times);
}

exports.FRACTIONS = FRACTIONS;
exports.exponential = exponential;
exports.meanOf = meanOf;
exports.ofLongest = ofLongest;
exports.samplerOf = samplerOf;
