'use strict';
/*
 * Whether this process, or thread, is a replica that has begun. In: the word of its agent. Out: the fact. By then the environment no longer
 * tells: a module must not see that, and what the module itself starts is no replica. When memory runs out, Linux ends the process that
 * uses the most, in a container with a limit one of that container. A replica asks to count as larger than it is: if it ends, others take
 * its calls; if home or a daemon ended, all would end.
 */
const fs = require('node:fs');
const { Math, Object, isMainThread } = require('../engine');

/** Every copy of Ignis knows this: a host has one, and a bundle may bring another. */
const REPLICA = Symbol.for('ignis.replica');

/** proc(5): from -1000 to 1000, in thousandths of all memory. Raising it needs no rights. */
const SCORE = '/proc/self/oom_score_adj';
const MOST = 1000;
/**
 * More than home and a replica usually differ by, and less than what a process that takes everything has. Within a control group with a
 * limit, they can differ by nearly all of that limit.
 */
const SOONER = 200;

/** @param {boolean} isLimited whether a control group of this process may have less memory than the machine */
function becomeReplica(isLimited) {
  Object.defineProperty(process, REPLICA, { value: true });
  if (process.platform === 'linux' && isMainThread) endSooner(isLimited ? MOST : SOONER);
}

/** @param {number} more added to the score */
function endSooner(more) {
  try {
    fs.writeFileSync(SCORE, String(Math.min(MOST, Number(fs.readFileSync(SCORE, 'latin1')) + more)));
  } catch {
    // A system without /proc, or one that forbids this.
  }
}

/** @returns {boolean} */
function hasBecomeReplica() {
  return /** @type {any} */ (process)[REPLICA] === true;
}

exports.becomeReplica = becomeReplica;
exports.hasBecomeReplica = hasBecomeReplica;
