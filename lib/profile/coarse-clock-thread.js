'use strict';

// The thread behind coarse-clock.js: counts ticks of about 10 ms (50 at rest, none in a pause) in shared memory, and notes the time of
// each. In: the shared buffer, as workerData. Out: words in it. It runs nothing else, and ends when the stop word is set.

const { workerData } = require('node:worker_threads');
const { TICK_MS, REST_TICK_MS, RING, WORD, layOut } = require('./coarse-clock-layout');

const { words, times } = layOut(workerData);

while (Atomics.load(words, WORD.stop) === 0) {
  const next = (words[WORD.ticks] + 1) | 0;
  const [seconds, nanoseconds] = process.hrtime();
  // The time is written before the count, so whoever sees the count finds its time.
  times[next & (RING - 1)] = seconds * 1e3 + nanoseconds / 1e6;
  Atomics.store(words, WORD.ticks, next);
  Atomics.wait(words, WORD.stop, 0, Atomics.load(words, WORD.rest) === 0 ? TICK_MS : REST_TICK_MS);
  while (Atomics.load(words, WORD.pause) === 1 && Atomics.load(words, WORD.stop) === 0) Atomics.wait(words, WORD.pause, 1);
}
