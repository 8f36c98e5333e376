'use strict';
/*
 * Whether this process, or thread, is a replica that has begun. In: the word of its agent. Out: the fact. By then nothing in the
 * environment tells it any more: a module is not to see that, and what it starts itself is no replica. Where memory runs out, Linux ends
 * the process that has most of it, of those in the same container, if it has a limit. A replica asks to be taken for larger than it is:
 * others take its calls, while with home, or a daemon, all of them would end.
 */
const fs = require('node:fs');
const { Math, Object, isMainThread } = require('../engine');

/** Known to every copy of Ignis: a host has one, and a bundle may bring another. */
const REPLICA = Symbol.for('ignis.replica');

/** proc(5): from -1000 to 1000, in thousandths of the memory that there is. Who raises it needs no right to do so. */
const SCORE = '/proc/self/oom_score_adj';
const MOST = 1000;
/**
 * More than home and a replica mostly differ by, and less than what somebody has who takes all. Within a control group with a limit they
 * can differ by nearly all of that.
 */
const SOONER = 200;

/** @param {boolean} isLimited whether a control group that it is in may have less memory than the machine has */
function becomeReplica(isLimited) {
  Object.defineProperty(process, REPLICA, { value: true });
  if (process.platform === 'linux' && isMainThread) endSooner(isLimited ? MOST : SOONER);
}

/** @param {number} more of the score */
function endSooner(more) {
  try {
    fs.writeFileSync(SCORE, String(Math.min(MOST, Number(fs.readFileSync(SCORE, 'latin1')) + more)));
  } catch {
    // A system that shows no processes, or lets nobody say that.
  }
}

/** @returns {boolean} */
function hasBecomeReplica() {
  return /** @type {any} */ (process)[REPLICA] === true;
}

exports.becomeReplica = becomeReplica;
exports.hasBecomeReplica = hasBecomeReplica;
