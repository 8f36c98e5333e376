'use strict';

// Keeps durations in log-linear buckets: eight equal steps in each power of two, from 1 us to 16 s (as in HdrHistogram). In: milliseconds
// with a weight. Out: an array of weights, and its percentiles, right within an eighth. Each function that is called has two of them, and
// most calls take microseconds: so an array ends soon after its last weight.

const { Math } = require('../engine');

const STEPS = 8;
const LOWEST_POWER = -10;
const HIGHEST_POWER = 14;
const BUCKETS = (HIGHEST_POWER - LOWEST_POWER) * STEPS;

/** Arrays grow by this many buckets at a time: four powers of two. */
const PART = 32;

/**
 * @param {Float64Array | null} histogram
 * @param {number} [length] how many buckets it must have; all by default
 * @returns {Float64Array} weights by bucket: the same array if it is long enough, else a longer copy
 */
function withRoom(histogram, length = BUCKETS) {
  if (histogram !== null && histogram.length >= length) return histogram;
  const longer = new Float64Array(Math.ceil(length / PART) * PART);
  if (histogram !== null) longer.set(histogram);
  return longer;
}

/**
 * @param {number} ms
 * @returns {number} index; too small or too large values go to the first or last bucket
 */
function bucketOf(ms) {
  if (!(ms > 0)) return 0;
  const power = Math.floor(Math.log2(ms));
  if (power < LOWEST_POWER) return 0;
  if (power >= HIGHEST_POWER) return BUCKETS - 1;
  const step = Math.min(STEPS - 1, Math.max(0, Math.floor((ms / 2 ** power - 1) * STEPS)));
  return (power - LOWEST_POWER) * STEPS + step;
}

/**
 * @param {number} bucket
 * @returns {number} ms in the middle of the bucket
 */
function middleOf(bucket) {
  const power = LOWEST_POWER + Math.floor(bucket / STEPS);
  return 2 ** power * (1 + ((bucket % STEPS) + 0.5) / STEPS);
}

/**
 * @param {ArrayLike<number>} histogram weights by bucket
 * @param {number} fraction 0 to 1: 0.5 is the median
 * @returns {number} ms, 0 if the histogram is empty
 */
function percentile(histogram, fraction) {
  let total = 0;
  for (let bucket = 0; bucket < histogram.length; bucket++) total += histogram[bucket];
  if (total <= 0) return 0;
  let left = total * fraction;
  let last = 0;
  for (let bucket = 0; bucket < histogram.length; bucket++) {
    if (histogram[bucket] <= 0) continue;
    last = bucket;
    left -= histogram[bucket];
    if (left <= 0) break;
  }
  return middleOf(last);
}

exports.bucketOf = bucketOf;
exports.percentile = percentile;
exports.withRoom = withRoom;
exports.middleOf = middleOf;
