'use strict';
/*
 * The rules by which a call leaves at once, or runs at home; calls in an order wait for their turn (in-order.js). In: a function's point,
 * the replica set, a call. Out: the call is handed over; or NOT_DIVERTED: it runs at home; or the error that its caller gets.
 */
const { IgnisError } = require('../errors');
const { SLOT } = require('../profile/meter');
const { isEnding } = require('./home-turns');
const { NOT_DIVERTED } = require('./not-diverted');
const { whyKept } = require('./source');
const { needsState, whyHeldBack } = require('./state');

const ENDING = 'the program was ending';

/** @typedef {import('./point').FunctionPoint} FunctionPoint */
/** @typedef {import('../spawn/replica-set').ReplicaSet} ReplicaSet */

/**
 * The call runs at home. If it needs the state of the module, that is at home from now on; if it already is elsewhere, the call must not
 * run.
 * @param {FunctionPoint} point
 * @param {ReplicaSet} set
 * @param {string} why
 * @returns {symbol} NOT_DIVERTED
 * @throws {IgnisError} IGNIS_REFUSED when the state is in a replica
 */
function stayWithState({ name, boundary }, set, why) {
  const { isAway, journal, module } = set;
  if (isAway) throw new IgnisError('IGNIS_REFUSED', `'${name}' of ${module}: ${why}`, { module });
  if (journal.refusal === '') {
    // If something held the module back before, that is what its user can change.
    const held = whyHeldBack(boundary);
    const help =
      held === '' ? "with copies: 1 it has a replica from its import on; pure, or state: 'none', says that it remembers nothing" : held;
    set.refuse(`'${name}' was called at home, so a replica would lack what it remembers; ${help}`);
  }
  return NOT_DIVERTED;
}

/**
 * @param {ReplicaSet} set
 * @param {import('../session/call').CallPlan['mode']} mode
 * @param {any[]} args
 * @returns {string} why a call stays that could leave at another time or with other arguments; '' if it can leave
 */
function whyNow(set, mode, args) {
  // Nobody would be there for the answer, nor perhaps the replica to run it.
  return isEnding() && !set.isAway ? ENDING : whyKept(mode, args);
}

/**
 * @param {FunctionPoint} point
 * @param {ReplicaSet} set
 * @param {import('../session/call').Call} call
 * @param {number} now ms
 * @returns {boolean} whether a replica or the queue has taken it
 * @throws {IgnisError} IGNIS_QUEUE_FULL when there is no room, and the state that it needs is in a replica
 */
function submit({ meter, recipe }, set, call, now) {
  if (set.submit(call, now)) {
    meter.slots[SLOT.pending]++;
    return true;
  }
  const { module } = set;
  const why = set.isStateful && needsState(recipe) ? set.whyFull(call) : '';
  if (why !== '') throw new IgnisError('IGNIS_QUEUE_FULL', `${module} ${why}`, { module });
  return false;
}

exports.ENDING = ENDING;
exports.stayWithState = stayWithState;
exports.submit = submit;
exports.whyNow = whyNow;
