'use strict';

// Whether a program offers a monitor socket, and what it says about itself there. In: the option, and the program. Out: a monitor that
// begins to listen, or none. What takes time is loaded only here, once the program has settled.

const path = require('node:path');
const { threadId } = require('node:worker_threads');
const { isMainThread } = require('../engine');
// The monitor needs it with Node's functions as they were before the program ran.
require('./knock');

/**
 * Not in threads and processes that a program starts for itself: the program is what people look at, and what these are for is its own
 * affair. But a process forked by one without a socket (a process manager, a primary that imports nothing) has one.
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
