'use strict';
/*
 * What all processes have in common that home starts, and ends: replicas, those on other hosts, nodes of a file system. In: nothing. Out:
 * flags of node; signals that are home's alone.
 */

/**
 * Flags of node for a replica that is a process; a thread shares the flags of home, and they must not change while it runs.
 * --no-regexp-tier-up: the engine interprets a regular expression when it is executed for the first time, and compiles it after that: a
 * replica whose first call is the long one for which it was started would need six times as long for it as home, which has executed the
 * expression before.
 * --no-concurrent-osr: a loop that is being run is replaced by a faster one which another thread compiles meanwhile. In a process that
 * starts while no core is free, as replicas do, that often does not happen for long: measured with four at once on two cores, a loop ran a
 * quarter as fast, from 2 s to 3.5 s after the start, in 13 of 48 processes of Node 20, 21 of 48 of Node 22 and 27 of 48 of Node 24. Where
 * the loop's own thread compiles it, in none (docs/benchmarks.md).
 */
const REPLICA_FLAGS = Object.freeze(['--no-regexp-tier-up', '--no-concurrent-osr']);
/** Of one that is given a file of options, which may make it a runner of tests, or a watcher. */
const AS_AGENT = Object.freeze(['--no-test', '--no-watch']);

/**
 * They reach the whole group of processes, or all that a supervisor has started (nodemon tells the tree of processes SIGUSR2, systemd all
 * of a service SIGTERM): whose processes these are decides when they end. At SIGUSR1 Node would open a debugger, also where a program
 * listens for it and so has none.
 */
const FOR_HOME = /** @type {const} */ (['SIGINT', 'SIGTERM', 'SIGHUP', 'SIGQUIT', 'SIGUSR1', 'SIGUSR2']);

/** In a process that home has started, and ends: such a signal does nothing, since home gets it, too. */
function leaveSignalsToHome() {
  const { emit } = process;
  // Node begins to listen when 'newListener' is emitted, and what is called at a signal is what `emit` is at that moment: it does nothing,
  // and no module hears of it from here.
  const quiet = (/** @type {any[]} */ ...told) => (told[0] === 'newListener' ? Reflect.apply(emit, process, told) : true);
  process.emit = /** @type {any} */ (quiet);
  for (const signal of FOR_HOME) process.on(signal, () => {});
  process.emit = emit;
}

exports.AS_AGENT = AS_AGENT;
exports.REPLICA_FLAGS = REPLICA_FLAGS;
exports.leaveSignalsToHome = leaveSignalsToHome;
