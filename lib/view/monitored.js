'use strict';

// Whether a program offers a socket at which it can be looked at, and what it says of itself there.
// In: the option, and the program. Out: a monitor that begins to listen, or none. What costs time is loaded only here, once the program has
// settled.

const path = require('node:path');
const { threadId } = require('node:worker_threads');
const { isMainThread } = require('../engine');
// The monitor needs it, as Node's functions were before the program ran.
require('./knock');

/**
 * Not in threads and processes that a program has for itself: it is the one to be looked at, and what such a process is for is its own
 * affair. What was forked by one that cannot be looked at (a process manager, a primary that imports nothing) is.
 *
 * @param {{isThread: boolean, isForked: boolean, isOffered: (pid: number) => boolean}} [self] isOffered: whether that process has such a
 *   socket
 * @returns {boolean}
 */
function isProgramOfItsOwn(
  { isThread, isForked, isOffered } = { isThread: !isMainThread, isForked: process.channel !== undefined, isOffered: hasEntry },
) {
  return !isThread && !(isForked && isOffered(process.ppid));
}

/** @param {number} pid @returns {boolean} */
function hasEntry(pid) {
  return require('./run-folder')
    .entries()
    .some((entry) => entry.pid === pid);
}

/**
 * @param {boolean | undefined} wanted undefined: in a program of its own
 * @param {{feed: () => import('./feed').Feed, program: string, ignis: string, node: string, pid: number, startedAt: number}} program
 * @returns {import('./monitor').Monitor | null}
 */
function monitorOf(wanted, { feed, program, ...identity }) {
  if (!(wanted ?? isProgramOfItsOwn())) return null;
  const { Monitor } = require('./monitor');
  const name = program === '' ? 'repl' : path.basename(program);
  const monitor = new Monitor({ feed, identity: { ...identity, thread: isMainThread ? 0 : threadId, name } });
  void monitor.open();
  return monitor;
}

exports.isProgramOfItsOwn = isProgramOfItsOwn;
exports.monitorOf = monitorOf;
