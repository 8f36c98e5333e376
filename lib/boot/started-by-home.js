'use strict';
/*
 * What all processes that home starts and ends have in common: replicas, also on other hosts, and nodes of a file system. In: nothing. Out:
 * flags of node; signals that are home's alone.
 */

/**
 * Flags of node for a process replica; a thread shares home's flags, which must not change while it runs. --no-regexp-tier-up: the engine
 * first interprets a regular expression, and compiles it when it is used again. A replica whose first call is the long one that it was
 * started for would take six times as long as home, which has used the expression before. --no-concurrent-osr: normally another thread
 * compiles a faster version of a running loop, which then replaces it. In a process that starts while no core is free, as replicas do, this
 * often comes very late: measured with four at once on two cores, a loop ran at a quarter of its speed, from 2 s to 3.5 s after the start,
 * in 13 of 48 processes of Node 20, 21 of 48 of Node 22 and 27 of 48 of Node 24; if the loop's own thread compiles it, in none
 * (docs/benchmarks.md).
 */
const REPLICA_FLAGS = Object.freeze(['--no-regexp-tier-up', '--no-concurrent-osr']);
/** For a process that gets a file of options, which could make it a test runner or a watcher. */
const AS_AGENT = Object.freeze(['--no-test', '--no-watch']);

/**
 * They reach the whole process group, or all that a supervisor has started (nodemon sends SIGUSR2 to the tree of processes, systemd sends
 * SIGTERM to all of a service): but home decides when its processes end. At SIGUSR1 Node would open a debugger, even if a program listens
 * for it and so has none.
 */
const FOR_HOME = /** @type {const} */ (['SIGINT', 'SIGTERM', 'SIGHUP', 'SIGQUIT', 'SIGUSR1', 'SIGUSR2']);

/** In a process that home has started, and ends: such a signal does nothing, since home gets it, too. */
function leaveSignalsToHome() {
  const { emit } = process;
  // Node begins to listen when 'newListener' is emitted, and a signal calls whatever `emit` is at that moment: it does nothing, and no
  // module hears of it from here.
  const quiet = (/** @type {any[]} */ ...told) => (told[0] === 'newListener' ? Reflect.apply(emit, process, told) : true);
  process.emit = /** @type {any} */ (quiet);
  for (const signal of FOR_HOME) process.on(signal, () => {});
  process.emit = emit;
}

exports.AS_AGENT = AS_AGENT;
exports.REPLICA_FLAGS = REPLICA_FLAGS;
exports.leaveSignalsToHome = leaveSignalsToHome;
