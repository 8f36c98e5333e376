'use strict';

// Writes figures for sentences and for JSON. In: a number. Out: a few characters with a unit, or the number with fewer digits. Pure; no
// more digits than anybody reads.

const { Math, isInteger } = require('../engine');

/**
 * With separators. Not by toLocaleString: its first call in a process loads the rules of all languages, which blocks for 30 ms (Node 20).
 *
 * @param {number} value of at least 0
 */
function whole(value) {
  return String(Math.round(value)).replace(/\B(?=(?:\d{3})+$)/g, ',');
}

/** @param {number} value @param {string} noun @returns {string} with separators, in singular or plural */
function count(value, noun) {
  return `${whole(value)} ${noun}${Math.round(value) === 1 ? '' : 's'}`;
}

/** @param {number} callsPerSecond @param {string} [verb] what they do, in the plural @returns {string} in singular or plural */
function rate(callsPerSecond, verb = '') {
  const figure = callsPerSecond < 10 ? round(callsPerSecond) : whole(callsPerSecond);
  const isOne = figure === '1';
  const does = verb === '' ? '' : ` ${verb}${isOne ? 's' : ''}`;
  return `${figure} call${isOne ? '' : 's'} a second${does}`;
}

/** @param {number} part 0 to 1 @returns {string} */
function percent(part) {
  return part > 0 && part < 0.01 ? 'under 1 %' : `${Math.round(part * 100)} %`;
}

/** @param {number} value milliseconds @returns {string} two digits below 10, whole ms below 10 s, seconds above */
function ms(value) {
  if (value >= 10_000) return `${(value / 1000).toFixed(1)} s`;
  return `${value >= 10 ? whole(value) : round(value)} ms`;
}

/** @param {string} what a predicted figure @param {string} now the present one @returns {string} both, or that they are equal */
function againstNow(what, now) {
  return what === now ? `${what} as now` : `${what} instead of ${now}`;
}

/**
 * @param {number} digits of each figure in a record: more were not measured; the part before the point is kept whole
 * @returns {(key: string, value: unknown) => unknown} for JSON.stringify
 */
function inDigits(digits) {
  const least = 10 ** (digits - 1);
  return (_key, value) => {
    if (typeof value !== 'number' || isInteger(value)) return value;
    return Math.abs(value) >= least ? Math.round(value) : Number(value.toPrecision(digits));
  };
}

/** @param {number} value below 10 @returns {string} without zeros at the end */
function round(value) {
  if (value === 0) return '0';
  if (value < 0.001) return 'under 0.001';
  return String(Number(value.toPrecision(2)));
}

exports.againstNow = againstNow;
exports.count = count;
exports.inDigits = inDigits;
exports.ms = ms;
exports.percent = percent;
exports.rate = rate;
exports.whole = whole;
