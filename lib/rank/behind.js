'use strict';

// Whether replicas fall behind a load that home alone would follow: what a call costs them beside module code (its arguments and its
// result) is not seen before they are tried, and the queue before them then grows without end, while the event loop has time.
// In: what a set and its event loop do now, and since when calls have waited there. Out: since when; how busy home would be. Pure.

const { MANY_WAITING } = require('./full');
const { ANOTHER_LOAD } = require('./step');
const { Math } = require('../engine');

/** So long a call waits that replicas are behind, ms; and so long they are it, in windows, before it is no load that has just come. */
const LONG_WAIT_MS = 250;
const BEHIND_WINDOWS = 3;
/**
 * Replicas are full that have something to do for so much of the time. Where they have not, their calls wait for others: a disk, a socket,
 * a thread of libuv's pool.
 */
const FULL = 0.9;
/** What has come before is no longer answered where as much as this part comes of what is. */
const AS_MANY = 0.95;

/** Home follows where it would be busy for less, calls and all. */
const MOST_LOAD = 0.9;

/**
 * @param {import('./memory').Memory} memory @param {import('./decision').SetState} set @param {import('./demand').Demand | null} demand
 *   @param {number} time
 * @returns {import('./memory').Memory}
 */
function seeBehind(memory, { ready, pending, queued, callsPerSecond, activeMsPerSecond = 0, hosts }, demand, time) {
  const waiting = pending + queued;
  const isFull = activeMsPerSecond >= 1000 * FULL * ready;
  const isLong = waiting >= MANY_WAITING * ready && 1000 * waiting >= LONG_WAIT_MS * callsPerSecond;
  // Those that are on their way to another host wait for nothing.
  const isBehind = isLong && isFull && hosts === undefined && demand !== null && demand.callsPerSecond >= AS_MANY * callsPerSecond;
  if (isBehind === (memory.behindSince !== null)) return memory;
  return { ...memory, behindSince: isBehind ? time : null };
}

/**
 * All calls count that come, also those that replicas have not answered.
 * @param {import('./decide-away').AwayCase} given @param {number} worth see step.js; a replica that takes several times as long as home may
 *   as well have got other calls
 * @returns {number} of the loop, with the module back; Infinity: not known
 */
function homeLoadOf({ set, demand, loop, costs }, worth) {
  const { callsPerSecond, busyMsPerSecond } = set;
  if (demand === null || callsPerSecond === 0) return Infinity;
  const homeMs = (Math.max(worth, 1 / ANOTHER_LOAD) * busyMsPerSecond) / callsPerSecond;
  return Math.max(0, loop.utilisation - (callsPerSecond * costs.callMs) / 1000) + (demand.callsPerSecond * homeMs) / 1000;
}

/**
 * @param {import('./decide-away').AwayCase} given @param {import('./memory').Memory} memory @returns {number | null} of the loop, where
 *   home would follow; null: it would not, or its replicas do
 */
function homeWouldFollow(given, { behindSince, worth }) {
  if (behindSince === null || worth === null || given.time - behindSince < BEHIND_WINDOWS * given.limits.windowMs) return null;
  const load = homeLoadOf(given, worth);
  return load < MOST_LOAD ? load : null;
}

exports.homeWouldFollow = homeWouldFollow;
exports.seeBehind = seeBehind;
