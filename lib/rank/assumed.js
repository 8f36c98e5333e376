'use strict';

// What a remote call and a start are taken to cost until they were measured.
// In: what is known of the payload. Out: figures for decisions and predictions alike, so that both assume the same. Pure.

/** delta: home's CPU for a batched call over a pipe, ms (docs/benchmarks.md). */
const ASSUMED_CALL_MS = 0.03;

/** delta0: the start of a process, ms (docs/benchmarks.md). */
const ASSUMED_START_MS = 60;

/** What arguments and results cost home beside: lists of small objects 0.2 us a value, text 1 ms a megabyte (docs/benchmarks.md). */
const VALUE_MS = 0.0002;
const BYTE_MS = 1e-6;

/** @param {{values: number, bytes: number} | null} payload of a call on average; null: not known @returns {number} ms of home's CPU */
function assumedCallMs(payload) {
  return payload === null ? ASSUMED_CALL_MS : ASSUMED_CALL_MS + payload.values * VALUE_MS + payload.bytes * BYTE_MS;
}

exports.assumedCallMs = assumedCallMs;
exports.ASSUMED_START_MS = ASSUMED_START_MS;
