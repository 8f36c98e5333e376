'use strict';
/*
 * What becomes of the calls of a replica that was lost. In: the calls, oldest first, and the journal of their module. Out: those that may
 * run again, in their order; the others have got IGNIS_REPLICA_LOST, with what is known, but for those that another replica has, too.
 */

const { IgnisError } = require('../errors');
const { exitBy } = require('./exit');
const { Math, Object } = require('../engine');

/** Why a replica ends where home wants nothing of Ignis any more. */
const CLOSED = 'Ignis closed';

/** @typedef {import('../session/call').Call} Call */
/**
 * @typedef {'rerun' | 'home' | 'throw' | undefined} Verdict what is to become of a call that was lost: again in another replica, at home,
 *   IGNIS_REPLICA_LOST; undefined: as its recipe says
 */

/**
 * @param {Call[]} calls
 * @param {import('./journal').Journal} journal
 * @param {string} detail who was lost and how
 * @param {import('./exit').Exit} [exit]
 * @param {(call: Call) => Verdict} [judge]
 * @returns {Call[]}
 */
function sortLost(calls, journal, detail, exit = exitBy(detail), judge = () => undefined) {
  const { exitCode, signal, stderr, harm, blame } = exit;
  /** @type {Call[]} */
  const again = [];
  // The oldest is what the replica was working on, and may be what ended it; it is run again as often as its recipe says.
  const suspect = calls.find((call) => !call.isSettled);
  for (const call of calls) {
    if (call.isSettled) continue;
    // Of calls that are answered later any may be the one that did harm.
    if (call === suspect || (harm !== '' && call.plan.mode !== 'await')) call.losses += blame;
    // What took a replica with it would take home with it.
    if (harm !== '') call.harm = harm;
    // Sent twice (`hedge`): the other one may answer yet, or is lost in its turn.
    if (call.held > 0) continue;
    const verdict = judge(call);
    const isWhole = call.canReplay && isCurrent(call, journal);
    if (isWhole && verdict === 'home' && call.harm === '') call.mustGoHome = true;
    if (isWhole && (call.mustGoHome || (verdict === undefined && mayRetry(call)) || (verdict === 'rerun' && isFew(call)))) again.push(call);
    else call.lose(detail, { exitCode, signal, stderr, harm: call.harm }, exit.why === CLOSED);
  }
  return again;
}

/** @param {Call} call that was lost */
function mayRetry({ losses, plan: { canRerun, retry = 1 } }) {
  return canRerun && retry > 0 && losses <= retry;
}

/** Whoever says that it may run again says it of calls that end each replica, too. @param {Call} call */
function isFew({ losses, plan: { retry = 1 } }) {
  return losses <= Math.max(1, retry);
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
  if (set.isAway && set.isRetired) call.lose(`${set.module}: the replica that had its state is gone`, {}, set.closedBy === CLOSED);
  else if (set.isAway) call.fail(new IgnisError('IGNIS_QUEUE_FULL', `${set.module} has ${set.pending} calls pending`));
  else if (call.harm !== '')
    call.lose(`${set.module}: ${HARMS[call.harm]} with it, so it cannot run at home, and there is no other one`, { harm: call.harm });
  else if (isCurrent(call, set.journal)) call.runAtHome();
  else call.lose(`${set.module} has no replica any more, and was changed at home since the call was made`, {}, set.closedBy === CLOSED);
}

const HARMS = Object.freeze({ memory: 'a replica ran out of memory', crash: 'a replica crashed' });

exports.CLOSED = CLOSED;
exports.sendHome = sendHome;
exports.sortLost = sortLost;
