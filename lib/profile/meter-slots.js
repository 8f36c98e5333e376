'use strict';

// Defines where a meter counts what. In: nothing. Out: its `slots`, which the wrappers write into, and the places in them.

const { Object } = require('../engine');

/**
 * The slots of a meter.
 *   due      calls until the next timed one, counted down by the wrapper
 *   weight   calls after the last timed one, up to and including the next: how many the next will stand for
 *   mean     ms of a call that is not long, without the crossings inside: what an untimed call is assumed to take
 *   meanOwn  the same including long calls
 *   meanAll  the same including the crossings inside; decides whether every call is worth a timer
 *   depth    how often the function is on the stack now, without calls on the short way (wrap/crossing.js)
 *   returned calls on the short way that have returned, and all others, which notice by themselves when they throw
 * Each call writes or reads the first four: they are side by side.
 */
const SLOT = Object.freeze({
  calls: 0,
  returned: 1,
  due: 2,
  mean: 3,
  depth: 4,
  weight: 5,
  meanOwn: 6,
  exclusive: 7,
  inclusive: 8,
  pending: 9,
  completions: 10,
  latency: 11,
  longest: 12,
  argBytes: 13,
  resultBytes: 14,
  sizedAt: 15,
  samples: 16,
  values: 17,
  failures: 18,
  meanAll: 19,
});
const SLOTS = 20;

/** Each function that a file imports has a meter, and a buffer costs more than its slots: so this many meters share one. */
const AT_ONCE = 64;

// The program may replace these globals while we run.
const { ArrayBuffer, Float64Array } = globalThis;

let buffer = new ArrayBuffer(0);
let from = 0;

/** @returns {Float64Array} for one meter, all 0 */
function newSlots() {
  const bytes = SLOTS * Float64Array.BYTES_PER_ELEMENT;
  if (from === buffer.byteLength) {
    buffer = new ArrayBuffer(AT_ONCE * bytes);
    from = 0;
  }
  const slots = new Float64Array(buffer, from, SLOTS);
  from += bytes;
  return slots;
}

exports.SLOT = SLOT;
exports.newSlots = newSlots;
