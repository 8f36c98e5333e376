'use strict';

// Notices when replicas fall behind a load that home alone could follow. What a call costs replicas beside module code (its arguments and
// result) is unknown before they are tried; then their queue may grow without end while the event loop has time. In: what a set and its
// event loop do now, and since when calls have waited there. Out: since when; how busy home would be. Pure.

const { MANY_WAITING } = require('./full');
const { ANOTHER_LOAD } = require('./step');
const { Math } = require('../engine');

/** Replicas are behind when calls wait this long, ms; and after this many windows it is more than a load that has just come. */
const LONG_WAIT_MS = 250;
const BEHIND_WINDOWS = 3;
/**
 * Replicas are full if they have something to do for this part of the time. Otherwise their calls wait for something else: a disk, a
 * socket, a thread of libuv's pool.
 */
const FULL = 0.9;
/** While calls come at no less than this part of the rate of the answers, the queue is not just a past load being worked off. */
const AS_MANY = 0.95;

/** Home can follow if it would be busy for less than this, calls and all. */
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
  // Those on their way to another host wait for nothing.
  const isBehind = isLong && isFull && hosts === undefined && demand !== null && demand.callsPerSecond >= AS_MANY * callsPerSecond;
  if (isBehind === (memory.behindSince !== null)) return memory;
  return { ...memory, behindSince: isBehind ? time : null };
}

/**
 * Counts all calls that come, including those that replicas have not answered.
 * @param {import('./decide-away').AwayCase} given
 * @param {number} worth see step.js; a replica that takes several times as long as home may merely have had different calls
 * @returns {number} utilisation of the loop with the module back; Infinity: unknown
 */
function homeLoadOf({ set, demand, loop, costs }, worth) {
  const { callsPerSecond, busyMsPerSecond } = set;
  if (demand === null || callsPerSecond === 0) return Infinity;
  const homeMs = (Math.max(worth, 1 / ANOTHER_LOAD) * busyMsPerSecond) / callsPerSecond;
  return Math.max(0, loop.utilisation - (callsPerSecond * costs.callMs) / 1000) + (demand.callsPerSecond * homeMs) / 1000;
}

/**
 * @param {import('./decide-away').AwayCase} given @param {import('./memory').Memory} memory
 * @returns {number | null} utilisation of the loop if home would follow; null: home would not, or the replicas do
 */
function homeWouldFollow(given, { behindSince, worth }) {
  if (behindSince === null || worth === null || given.time - behindSince < BEHIND_WINDOWS * given.limits.windowMs) return null;
  const load = homeLoadOf(given, worth);
  return load < MOST_LOAD ? load : null;
}

exports.homeWouldFollow = homeWouldFollow;
exports.seeBehind = seeBehind;
