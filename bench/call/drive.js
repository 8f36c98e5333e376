'use strict';

// Puts calls on a function and times them.
// In: a function that gives a promise, a value to give it, how many calls. Out: calls a second, or the time of each call.

/**
 * @param {any} value
 * @returns {any} another object: a clone of many calls at once would carry one object once
 */
const another = (value) => (Buffer.isBuffer(value) ? value : structuredClone(value));

/**
 * @param {(value: any) => Promise<any>} call
 * @param {any} value
 * @param {number} depth calls pending at any time
 * @param {number} calls in all
 * @returns {Promise<number>} calls a second
 */
async function drive(call, value, depth, calls) {
  const sent = Array.from({ length: Math.min(depth, calls) }, () => another(value));
  let left = calls;
  const begun = performance.now();
  await Promise.all(
    sent.map(async (one) => {
      while (left-- > 0) await call(one);
    }),
  );
  return calls / ((performance.now() - begun) / 1000);
}

/**
 * @param {(value: any) => Promise<any>} call
 * @param {any} value
 * @param {number} calls one after the other
 * @returns {Promise<Float64Array>} microseconds of each
 */
async function roundTrips(call, value, calls) {
  const sent = another(value);
  const times = new Float64Array(calls);
  for (let i = 0; i < calls; i++) {
    const begun = performance.now();
    await call(sent);
    times[i] = (performance.now() - begun) * 1000;
  }
  return times;
}

exports.drive = drive;
exports.roundTrips = roundTrips;
