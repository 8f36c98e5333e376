'use strict';
/*
 * What the system tells about the processes of this machine. In: a number, and when the process began. Out: whether it is gone, or stopped;
 * which others see the same processes. Linux tells all of that; elsewhere only whether some process has the number.
 */
const { readFileSync, readlinkSync } = require('node:fs');
const { Reflect } = require('../engine');

// Before a program replaces it.
const { kill } = process;

/** @param {number} pid @returns {{state: string, since: string} | null} null: the system shows none (proc(5), stat) */
function statOf(pid) {
  try {
    const text = readFileSync(`/proc/${pid}/stat`, 'latin1');
    // Before these stands the name of a program, which may contain anything.
    const fields = text.slice(text.lastIndexOf(')') + 2).split(' ');
    return { state: fields[0], since: fields[19] };
  } catch {
    return null;
  }
}

/** @param {number} pid @returns {string} when that process began, in the system's own count; '' if it does not tell */
const sinceOf = (pid) => statOf(pid)?.since ?? '';

/** @returns {string} the same for all that see each other's processes, without spaces; '' if the system does not tell */
function spaceOf() {
  try {
    return `${readFileSync('/proc/sys/kernel/random/boot_id', 'latin1').trim()}/${readlinkSync('/proc/self/ns/pid')}`;
  } catch {
    return '';
  }
}

/** @param {{pid: number, since: string}} one of this machine; since: '' if unknown @returns {boolean} whether it is gone */
function isGone({ pid, since }) {
  const stat = statOf(pid);
  // If processes of other users are hidden, one can still ask about them.
  if (stat === null) return isNobody(pid);
  // A process whose end nobody has noted has let go of all it had.
  return (since !== '' && stat.since !== since) || stat.state === 'Z' || stat.state === 'X';
}

/**
 * @param {number} pid
 * @returns {boolean} whether it is there, and was stopped by a signal or a debugger; false if the system does not tell
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
