'use strict';

// What a remote call and a start are taken to cost until they were measured.
// In: nothing. Out: two figures, for decisions and predictions alike, so that both assume the same.

/** delta: home's CPU for a batched call over a pipe, ms (docs/benchmarks.md). */
const ASSUMED_CALL_MS = 0.03;

/** delta0: the start of a process, ms (docs/benchmarks.md). */
const ASSUMED_START_MS = 60;

exports.ASSUMED_CALL_MS = ASSUMED_CALL_MS;
exports.ASSUMED_START_MS = ASSUMED_START_MS;
