'use strict';
/*
 * What becomes of the calls of a lost replica. In: the calls, oldest first, and the journal of their module. Out: those that may run again,
 * in order. The others have got IGNIS_REPLICA_LOST, with what is known, unless another replica has them too.
 */

const { IgnisError } = require('../errors');
const { exitBy } = require('./exit');
const { Math, Object } = require('../engine');

/** Why a replica ends when home closes Ignis. */
const CLOSED = 'Ignis closed';

/** @typedef {import('../session/call').Call} Call */
/**
 * @typedef {'rerun' | 'home' | 'throw' | undefined} Verdict what becomes of a lost call: again in another replica, at home, or
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
  // The replica was working on the oldest, which may have ended it; it runs again only as often as its recipe says.
  const suspect = calls.find((call) => !call.isSettled);
  for (const call of calls) {
    if (call.isSettled) continue;
    // Any call whose answer comes later may have done the harm.
    if (call === suspect || (harm !== '' && call.plan.mode !== 'await')) call.losses += blame;
    // What ended a replica would end home.
    if (harm !== '') call.harm = harm;
    // Sent twice (`hedge`): the other may still answer, or be lost in its turn.
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

/** If a recipe says that it may run again, that includes calls that end every replica. @param {Call} call */
function isFew({ losses, plan: { retry = 1 } }) {
  return losses <= Math.max(1, retry);
}

/**
 * @param {Call} call
 * @param {import('./journal').Journal} journal
 * @returns {boolean} whether it would still find the module as it was at the time of the call
 */
function isCurrent(call, journal) {
  return call.mark === journal.length || call.plan.isPure === true;
}

/**
 * Runs at home a call that no replica takes, if home can still serve it as at the time of the call.
 *
 * @param {Call} call
 * @param {import('./replica-set').ReplicaSet} set
 */
function sendHome(call, set) {
  if (set.isAway && set.isRetired) call.lose(`${set.module}: the replica that had its state is gone`, {}, set.closedBy === CLOSED);
  else if (set.isAway) call.fail(new IgnisError('IGNIS_QUEUE_FULL', `${set.module} has ${set.pending} calls pending`));
  else if (call.harm !== '')
    call.lose(`${set.module}: ${HARMS[call.harm]} with it, so it cannot run at home, and no other replica is left`, { harm: call.harm });
  else if (isCurrent(call, set.journal)) call.runAtHome();
  else call.lose(`${set.module} has no replica left, and was changed at home since the call was made`, {}, set.closedBy === CLOSED);
}

const HARMS = Object.freeze({ memory: 'a replica ran out of memory', crash: 'a replica crashed' });

exports.CLOSED = CLOSED;
exports.sendHome = sendHome;
exports.sortLost = sortLost;
