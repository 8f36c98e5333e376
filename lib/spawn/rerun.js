'use strict';
/*
 * What becomes of the calls of a replica that was lost. In: the calls, oldest first, and the journal of their module. Out: those that may run again, in their
 * order; the others have got IGNIS_REPLICA_LOST, with what is known.
 */

const { IgnisError } = require('../errors');

/** @typedef {import('../session/call').Call} Call */

/**
 * @param {Call[]} calls
 * @param {import('./journal').Journal} journal
 * @param {string} detail who was lost and how
 * @returns {Call[]}
 */
function sortLost(calls, journal, detail) {
  const again = [];
  // The oldest is what the replica was working on, and may be what ended it; it is run again as often as its recipe says.
  const suspect = calls.find((call) => !call.isSettled);
  if (suspect !== undefined) suspect.losses += 1;
  for (const call of calls) {
    if (call.isSettled) continue;
    if (mayRetry(call) && call.canReplay && isCurrent(call, journal)) again.push(call);
    else call.lose(detail);
  }
  return again;
}

/** @param {Call} call that was lost */
function mayRetry({ losses, plan: { canRerun, retry = 1 } }) {
  return canRerun && retry > 0 && losses <= retry;
}

/**
 * @param {Call} call
 * @param {import('./journal').Journal} journal
 * @returns {boolean} whether it would still find the module as it was when the call was made
 */
function isCurrent(call, journal) {
  return call.mark === journal.length || call.plan.isPure === true;
}

/**
 * Runs a call that no replica takes at home, if that can still serve it as it was when the call was made.
 *
 * @param {Call} call
 * @param {import('./replica-set').ReplicaSet} set
 */
function sendHome(call, set) {
  if (set.isAway && set.isRetired) call.lose(`${set.module}: the replica that had its state is gone`);
  else if (set.isAway) call.fail(new IgnisError('IGNIS_QUEUE_FULL', `${set.module} has ${set.pending} calls pending`));
  else if (isCurrent(call, set.journal)) call.runAtHome();
  else call.lose(`${set.module} has no replica any more, and was changed at home since the call was made`);
}

exports.sendHome = sendHome;
exports.sortLost = sortLost;
