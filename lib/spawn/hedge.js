'use strict';
/*
 * Which calls are stuck behind a long one. Pure: in, replicas as they are; out, calls that may be sent a second time elsewhere; the first
 * answer counts (`hedge` of a recipe). Only synchronous functions that may run twice: the answers of others do not come in the order of
 * their calls.
 */

const { Math } = require('../engine');

/**
 * A replica without an answer for this long, and this many times longer than its calls take, is taken to be in one long call, unless the
 * recipe says another time, ms. (If calls take turns on the cores, one of 7 ms lasts longer than 8.)
 */
const HEDGE_MS = 8;
const HEDGE_TIMES = 4;

/**
 * @param {true | false | number | undefined} hedge of a recipe; undefined means true
 * @returns {number | undefined} ms; Infinity: never; undefined: when the replica is in a long call
 */
function hedgeMsOf(hedge = true) {
  if (typeof hedge === 'number') return hedge;
  return hedge ? undefined : Infinity;
}

/**
 * @param {import('./replica').Replica[]} replicas
 * @param {number} now ms
 * @param {number} mark number of the last change of the module: a call from before it must not find the changed module
 * @returns {import('../session/call').Call[]} marked as hedged, so that none is taken twice
 */
function callsBehind(replicas, now, mark = 0) {
  // Without another replica, nobody who waits here gains anything.
  if (replicas.length < 2) return [];
  const behind = [];
  for (const replica of replicas) {
    if (replica.ahead < 2) continue;
    const stuckMs = replica.stuckMs(now);
    const longMs = Math.max(HEDGE_MS, HEDGE_TIMES * replica.pace.typicalMs);
    // Also calls made together with the one that runs: their caller may wait for each on its own.
    const others = stuckMs < 1 ? [] : replica.outstanding().slice(1 - replica.ahead);
    for (const call of others) {
      const { mode, canRerun, isPure, hedgeMs = longMs } = call.plan;
      if (stuckMs < hedgeMs || call.isHedged || call.isSettled) continue;
      if (call.mark !== mark && isPure !== true) continue;
      if (mode !== 'await' || !canRerun || !call.canReplay) continue;
      call.isHedged = true;
      behind.push(call);
    }
  }
  return behind;
}

exports.callsBehind = callsBehind;
exports.hedgeMsOf = hedgeMsOf;
exports.HEDGE_MS = HEDGE_MS;
