'use strict';

// A clock that costs one memory read: it finds the one call in a thousand that took 500 ms without timing the others. In: start, stop, rest
// and pause. Out: `ticks`, a word that a small thread counts up about every 10 ms (50 at rest, not in a pause), and `spanSince`. A tick may
// come late (the thread waits for a core), but never early: two ticks inside a call are at least 10 ms apart. It must never start by
// itself, and neither the thread nor its absence may keep a program alive or end it.

const path = require('node:path');
const { TICK_MS, RING, WORD, newBuffer, layOut } = require('./coarse-clock-layout');
const { Atomics, Math } = require('../engine');
const { startThread } = require('../threads');

/** Our own: a program may replace the clock. */
const { hrtime } = process;
const buffer = newBuffer();
const { words, times } = layOut(buffer);

/** @type {import('node:worker_threads').Worker | null} */
let thread = null;

/**
 * Starts the thread. That costs this thread a millisecond or two, so call it when the program has settled. Idempotent. If there can be no
 * thread, the clock stands still, and only samples find long calls.
 */
function startCoarseClock() {
  if (thread !== null) return;
  Atomics.store(words, WORD.stop, 0);
  const started = newThread();
  if (started === null) return;
  const forget = () => {
    if (thread === started) thread = null;
  };
  started.on('error', forget);
  started.on('exit', forget);
  started.unref();
  thread = started;
}

/** @returns {import('node:worker_threads').Worker | null} null: this program may have none (`--permission`) */
function newThread() {
  try {
    // No execArgv and no NODE_OPTIONS: what a program preloads with `-r` must not run again in here.
    return startThread(path.join(__dirname, 'coarse-clock-thread.js'), {
      workerData: buffer,
      execArgv: [],
      env: {},
      stdin: false,
      resourceLimits: { maxOldGenerationSizeMb: 8, maxYoungGenerationSizeMb: 1 },
    });
  } catch {
    return null;
  }
}

/**
 * Ends the thread. Idempotent.
 * @returns {Promise<void>} settles when it has ended
 */
async function stopCoarseClock() {
  const running = thread;
  thread = null;
  Atomics.store(words, WORD.stop, 1);
  Atomics.notify(words, WORD.stop);
  pauseCoarseClock(false);
  if (running !== null) await running.terminate();
}

/**
 * Sets how often it ticks, from the next tick on. A call of less than 100 ms that comes before the end of a rest may be missed.
 * @param {boolean} isAtRest the event loop is idle
 */
function restCoarseClock(isAtRest) {
  Atomics.store(words, WORD.rest, isAtRest ? 1 : 0);
}

/**
 * Pauses the clock while nothing that is watched runs, so there is nothing to time; whatever starts must first end the pause. Ending it
 * moves the last tick to that moment, or else a call that comes then would seem to have begun before the pause.
 * @param {boolean} isPaused
 */
function pauseCoarseClock(isPaused) {
  if (Atomics.exchange(words, WORD.pause, isPaused ? 1 : 0) === 0 || isPaused) return;
  const [seconds, nanoseconds] = hrtime();
  times[words[WORD.ticks] & (RING - 1)] = seconds * 1e3 + nanoseconds / 1e6;
  Atomics.notify(words, WORD.pause);
}

/** @returns {boolean} */
function isCoarseClockRunning() {
  return thread !== null;
}

/**
 * How long a call took that began when the clock showed `before`.
 *
 *   tick n          call begins       tick n+1            ...            now
 *   |---------------x------------------|----------------------------------|
 *   times[n]                           times[n+1]
 *
 * It began somewhere between the two ticks: the middle is right on average, however late the thread was. Only a call with two ticks inside
 * gets an answer: a short call may contain one tick by chance, but never two.
 * @param {number} before `ticks[0]` at the start of the call
 * @returns {number} ms, 0 if the call had fewer than two ticks inside
 */
function spanSince(before) {
  const passed = (words[WORD.ticks] - before) | 0;
  if (passed < 2) return 0;
  const [seconds, nanoseconds] = hrtime();
  const now = seconds * 1e3 + nanoseconds / 1e6;
  // Further back than remembered: the ticks were at least TICK_MS apart, and the call is older than the oldest one remembered.
  if (passed >= RING - 2) return Math.max(passed * TICK_MS, now - (times[(before + passed + 2) & (RING - 1)] || now));
  const after = times[(before + 1) & (RING - 1)];
  // The very first tick has none before it.
  const earliest = times[before & (RING - 1)] || after - TICK_MS;
  return now - (earliest + after) / 2;
}

exports.ticks = words;
exports.TICK_MS = TICK_MS;
exports.startCoarseClock = startCoarseClock;
exports.stopCoarseClock = stopCoarseClock;
exports.restCoarseClock = restCoarseClock;
exports.pauseCoarseClock = pauseCoarseClock;
exports.isCoarseClockRunning = isCoarseClockRunning;
exports.spanSince = spanSince;
