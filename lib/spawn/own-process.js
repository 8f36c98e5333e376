'use strict';
/*
 * Whether this process, or thread, is a replica that has begun. In: the word of its agent. Out: the fact. By then nothing in the environment tells it any more: a module is not to see that, and what it starts itself is no replica.
 */

/** Known to every copy of Ignis: a host has one, and a bundle may bring another. */
const REPLICA = Symbol.for('ignis.replica');

function becomeReplica() {
  Object.defineProperty(process, REPLICA, { value: true });
}

/** @returns {boolean} */
function hasBecomeReplica() {
  return /** @type {any} */ (process)[REPLICA] === true;
}

exports.becomeReplica = becomeReplica;
exports.hasBecomeReplica = hasBecomeReplica;
