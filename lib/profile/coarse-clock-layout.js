'use strict';

// Lays out the words of the coarse clock in memory, for both of its ends.
//
//   byte 0        4        8                16
//        | ticks  | stop   | rest  | pause | time of tick n, at n modulo RING, as float64 ms ... |

/** Shortest time between two ticks. Ticks may come late, never early. */
const TICK_MS = 10;

/** The same while the event loop is idle: each tick wakes a thread, which is most of what a watched program costs at rest. */
const REST_TICK_MS = 50;

/** How many ticks back times are remembered: ten seconds and more. A power of two. */
const RING = 1024;

const WORD = Object.freeze({ ticks: 0, stop: 1, rest: 2, pause: 3 });
const TIMES_AT = 16;

/** @returns {SharedArrayBuffer} */
function newBuffer() {
  return new SharedArrayBuffer(TIMES_AT + RING * Float64Array.BYTES_PER_ELEMENT);
}

/** @param {SharedArrayBuffer} buffer */
function layOut(buffer) {
  return { words: new Int32Array(buffer, 0, 4), times: new Float64Array(buffer, TIMES_AT, RING) };
}

exports.TICK_MS = TICK_MS;
exports.REST_TICK_MS = REST_TICK_MS;
exports.RING = RING;
exports.WORD = WORD;
exports.newBuffer = newBuffer;
exports.layOut = layOut;
