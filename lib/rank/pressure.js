'use strict';

// Computes how much a boundary presses on the program. In: a reading of one window, and the state of the event loop. Out: a number from 0
// to 1. Pure. It says where the need is, never what to do about it: that is for the ranking and the decision.

const { Math } = require('../engine');

/**
 * @typedef {import('../profile/window').Reading} Reading
 * @typedef {import('../profile/event-loop').LoopReading} LoopReading
 */

/** Threads of libuv's pool in this program: 4 if UV_THREADPOOL_SIZE says nothing (Node's documentation, "Command-line API"). */
const OWN_POOL_THREADS = Number(process.env.UV_THREADPOOL_SIZE) || 4;

/**
 * The pressure of one boundary.
 *
 * Its base is the share of the window in which the module's own code occupied the loop: the paper ranks by "the fraction of the execution
 * time taken by each module" (section 4.2), and a share of the window, unlike a share of the busy time, stays small in a program that has
 * nothing to do.
 *
 * The queue comes on top. A pending call says little by itself: it may wait for a disk or another host. It says much if the loop is busy
 * (then it probably waits for the loop), or if more calls are pending than libuv's pool has threads (then some wait for a thread). So the
 * queue's part, pending / (pending + threads), which is 0 for none, a half if each thread has one, and never reaches 1, counts by the
 * larger of these two, and fills at most what the share has left of the scale.
 * @param {Reading} reading
 * @param {Pick<LoopReading, 'utilisation'>} loop
 * @param {number} [poolThreads] threads of libuv's pool
 * @returns {number} 0 to 1
 */
function pressureOf(reading, loop, poolThreads = OWN_POOL_THREADS) {
  const { share, pending } = reading;
  if (pending <= 0) return share;
  const excess = Math.max(0, pending - poolThreads) / pending;
  const queue = (pending / (pending + poolThreads)) * Math.max(loop.utilisation, excess);
  return share + (1 - share) * queue;
}

exports.OWN_POOL_THREADS = OWN_POOL_THREADS;
exports.pressureOf = pressureOf;
