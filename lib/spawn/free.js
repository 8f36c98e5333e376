'use strict';
/*
 * Whether a call may go to a replica now, if others may take it too. Pure: in, a replica as it is; out, yes or no. A replica that has
 * worked on one thing for a while is passed over: whoever queues behind a long call waits as long.
 */

/** After this long without an answer, a replica is taken to be stuck in a long call, ms. */
const STUCK_MS = 5;

/** @param {import('./balance').Candidate} candidate @param {number} now ms */
function isFree(candidate, now) {
  return candidate.hasRoom(now) && (candidate.pending === 0 || candidate.stuckMs(now) <= STUCK_MS);
}

exports.STUCK_MS = STUCK_MS;
exports.isFree = isFree;
