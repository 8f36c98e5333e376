'use strict';
/*
 * What the system tells of the processes of this machine. In: a number, and when the process began. Out: whether that one is gone, or
 * stopped; which others see the same ones. Linux tells all of that; elsewhere only a number is known, and whether some process has it.
 */
const { readFileSync, readlinkSync } = require('node:fs');
const { Reflect } = require('../engine');

// Before a program puts another in its place.
const { kill } = process;

/** @param {number} pid @returns {{state: string, since: string} | null} null: the system shows none (proc(5), stat) */
function statOf(pid) {
  try {
    const text = readFileSync(`/proc/${pid}/stat`, 'latin1');
    // What stands before it is the name of a program, which may hold anything.
    const fields = text.slice(text.lastIndexOf(')') + 2).split(' ');
    return { state: fields[0], since: fields[19] };
  } catch {
    return null;
  }
}

/** @param {number} pid @returns {string} when that process began, in the system's own count; '' where it does not tell */
const sinceOf = (pid) => statOf(pid)?.since ?? '';

/** @returns {string} the same for all that see each other's processes, without a blank in it; '' where the system does not tell */
function spaceOf() {
  try {
    return `${readFileSync('/proc/sys/kernel/random/boot_id', 'latin1').trim()}/${readlinkSync('/proc/self/ns/pid')}`;
  } catch {
    return '';
  }
}

/** @param {{pid: number, since: string}} one of this machine; since: '' where that is not known @returns {boolean} whether it is no more */
function isGone({ pid, since }) {
  const stat = statOf(pid);
  // Where processes of other users are hidden, they can still be asked after.
  if (stat === null) return isNobody(pid);
  // One whose end nobody has taken note of has let go of all it had.
  return (since !== '' && stat.since !== since) || stat.state === 'Z' || stat.state === 'X';
}

/**
 * @param {number} pid
 * @returns {boolean} whether it is there, and was stopped by a signal or a debugger; false where the system does not tell
 */
const isStopped = (pid) => ['T', 't'].includes(statOf(pid)?.state ?? '');

/** @param {number} pid @returns {boolean} */
function isNobody(pid) {
  try {
    Reflect.apply(kill, process, [pid, 0]);
    return false;
  } catch (error) {
    return /** @type {NodeJS.ErrnoException} */ (error).code === 'ESRCH';
  }
}

exports.isGone = isGone;
exports.isStopped = isStopped;
exports.sinceOf = sinceOf;
exports.spaceOf = spaceOf;
