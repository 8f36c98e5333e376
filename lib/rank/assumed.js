'use strict';

// Assumes what a remote call and a start cost until they have been measured. In: what is known about a call. Out: figures, the same for
// decisions and predictions. Pure.

const { Math } = require('../engine');

/** delta: home's CPU for a batched call over a pipe, ms (docs/benchmarks.md). */
const ASSUMED_CALL_MS = 0.03;

/**
 * What a batch costs in addition: read, write, and a wake-up, with caches that others have used meanwhile (docs/benchmarks-log.md: 0.2 ms
 * of home for a call of 6 ms). Short calls share a batch; calls of ALONE_MS or more travel alone, ms.
 */
const BATCH_MS = 0.12;
const ALONE_MS = 1;

/** delta0: the start of a process, ms (docs/benchmarks.md). */
const ASSUMED_START_MS = 60;

/**
 * What arguments and results cost home in addition: lists of small objects 0.2 us a value, text 1 ms a megabyte (docs/recipe-book.md,
 * "home, when sent").
 */
const VALUE_MS = 0.0002;
const BYTE_MS = 1e-6;

/**
 * @param {{values: number, bytes: number} | null} payload of an average call; null: unknown
 * @param {number} meanMs how long a call occupies whoever runs it
 * @returns {number} ms of home's CPU
 */
function assumedCallMs(payload, meanMs) {
  const alone = ASSUMED_CALL_MS + BATCH_MS * Math.min(1, meanMs / ALONE_MS);
  return payload === null ? alone : alone + payload.values * VALUE_MS + payload.bytes * BYTE_MS;
}

exports.assumedCallMs = assumedCallMs;
exports.ASSUMED_START_MS = ASSUMED_START_MS;
