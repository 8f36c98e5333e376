'use strict';

// Order statistics of small samples.
// In: numbers in any order. Out: one number. Never changes its argument.
// An empty sample gives NaN, so that a missing figure shows in a table instead of passing for a zero.

/**
 * @param {ArrayLike<number>} values
 * @returns {number[]} a sorted copy
 */
function sorted(values) {
  return Array.from(values).sort((a, b) => a - b);
}

/**
 * Nearest rank, the definition without interpolation: always one of the values.
 * @param {ArrayLike<number>} values
 * @param {number} percent 0..100
 * @returns {number}
 */
function percentile(values, percent) {
  const order = sorted(values);
  if (order.length === 0) return NaN;
  const rank = Math.ceil((percent / 100) * order.length);
  return order[Math.min(order.length, Math.max(1, rank)) - 1];
}

/**
 * @param {ArrayLike<number>} values
 * @returns {number}
 */
function median(values) {
  const order = sorted(values);
  if (order.length === 0) return NaN;
  const middle = order.length >> 1;
  return order.length % 2 === 1 ? order[middle] : (order[middle - 1] + order[middle]) / 2;
}

/**
 * @param {ArrayLike<number>} values
 * @returns {number} distance between the quartiles as a share of the median: 0.05 is five percent
 */
function spread(values) {
  return (percentile(values, 75) - percentile(values, 25)) / Math.abs(median(values));
}

/**
 * By ranks alone, whatever the distribution (Conover, Practical Nonparametric Statistics, 3.2).
 * @param {ArrayLike<number>} values
 * @returns {[number, number]} between these two of them the median of all that could have been taken lies, with a probability of about 95 %
 */
function medianBetween(values) {
  const order = sorted(values);
  if (order.length === 0) return [NaN, NaN];
  const away = 0.98 * Math.sqrt(order.length);
  const from = Math.max(0, Math.floor(order.length / 2 - away));
  const to = Math.min(order.length - 1, Math.ceil(order.length / 2 + away) - 1);
  return [order[from], order[to]];
}

exports.median = median;
exports.medianBetween = medianBetween;
exports.percentile = percentile;
exports.spread = spread;
