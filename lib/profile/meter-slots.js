'use strict';

// Where a meter counts what. In: nothing. Out: its `slots`, which the wrappers write into, and the places there.

const { Object } = require('../engine');

/**
 * The slots of a meter.
 *   due      calls until the next timed one, counted down by the wrapper
 *   weight   calls from the last timed one, not included, to the next: what the next will stand for
 *   mean     ms of a call that is not long, without the crossings inside: what an untimed call says it took
 *   meanOwn  the same with long calls
 *   meanAll  the same with the crossings inside; whether every call is worth a timer
 *   depth    how often the function is on the stack now, without the calls of the short way (wrap/crossing.js)
 *   returned calls of the short way that have returned, and all others, which can tell by themselves when they throw
 * The first four are what each call writes or reads: they lie side by side.
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

/** There is a meter for each function that a file imports, and a buffer costs more than its slots: so many share one. */
const AT_ONCE = 64;

// The program may replace these globals while we run.
const { ArrayBuffer, Float64Array } = globalThis;

let buffer = new ArrayBuffer(0);
let from = 0;

/** @returns {Float64Array} of one meter, all 0 */
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
