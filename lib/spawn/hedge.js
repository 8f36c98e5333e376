'use strict';
/*
 * Which calls are stuck behind a long one. Pure: in, replicas as they are; out, calls that may be sent a second time elsewhere, where the first
 * answer counts. Only synchronous functions that may run twice: the answers of others do not come in the order of their calls.
 */

/** A replica without an answer for so long is taken for busy with one long call, ms. */
const HEDGE_MS = 20;

/**
 * @param {import('./replica').Replica[]} replicas
 * @param {number} now ms
 * @param {number} mark number of the last change of the module: a call from before it must not find another module
 * @returns {import('../session/call').Call[]} marked as hedged, so that none is taken twice
 */
function callsBehind(replicas, now, mark = 0) {
  const behind = [];
  for (const replica of replicas) {
    if (replica.pending < 2 || replica.stuckMs(now) < HEDGE_MS) continue;
    const [running, ...others] = replica.outstanding();
    for (const call of others) {
      // Those made together with the one that runs wait for it anyway.
      if (call.burst === running.burst || call.isHedged || call.isSettled) continue;
      if (call.mark !== mark && call.plan.isPure !== true) continue;
      if (call.plan.mode !== 'await' || !call.plan.canRerun || !call.canReplay) continue;
      call.isHedged = true;
      behind.push(call);
    }
  }
  return behind;
}

exports.callsBehind = callsBehind;
