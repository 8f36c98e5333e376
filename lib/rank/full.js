'use strict';

// Tells what was full while it was measured, and who waits then. When something is full, we know what got through, not what would come. In:
// what was measured (measured.js). Out: what was full, in words; how many callers wait for their answers. Pure.

const { percent } = require('../view/figures');
const { Math } = require('../engine');

/**
 * @typedef {import('./measured').Measured} Measured
 * @typedef {import('./measured').MeasuredModule} MeasuredModule
 */

/** Above this, the loop or a replica is full: we know what got through, not what would come. */
const FULL = 0.97;

/**
 * Replicas need not be busy all the time to be full: between two calls, the next one is on its way, and they may have existed for only a
 * part of the window. If this many calls wait for each, or some wait all the time, they are full.
 */
const NEARLY_FULL = 0.7;
const MANY_WAITING = 8;

/**
 * Nor need the loop be, if as many wait: 200 callers who all wait for answers left it idle for up to an eighth of the time, while all their
 * calls were on their way.
 */
const LOOP_NEARLY_FULL = 0.85;

/**
 * How many callers wait for their answers, if a full loop hides it; also the most that is derived from turns of the loop, since one caller
 * may call many times in a turn.
 */
const DEFAULT_CLIENTS = 32;

/** A single caller leaves the loop idle until its next call comes; with two, the second is answered in the next turn. */
const LEAST_CLIENTS = 2;

/** With more than this part of the loop's time, Ignis itself may be what fills it, unless a turn answers several calls. */
const OWN = 0.1;
const SEVERAL = 2;

/** An answer that waits for nothing, as with a mere `await`, comes within its turn of the loop: after a small part of it. */
const LATER_TURN = 0.1;

/** A call that takes this many times as long to its answer as it takes on the loop waits for something else: libuv's pool. */
const MOSTLY_LATER = 2;

/**
 * What is full, in words; '' if all that comes is served, so that what was served is what came.
 * @param {Measured} measured @param {MeasuredModule[]} chosen
 */
function whatIsFull({ utilisation, poolThreads, cores }, chosen) {
  if (utilisation > FULL) return `the event loop was busy ${percent(utilisation)} of the time`;
  const replicas = chosen.reduce((sum, { ready }) => sum + ready, 0);
  if (utilisation > LOOP_NEARLY_FULL && waitingFor(chosen) >= MANY_WAITING * Math.max(1, replicas))
    return `the event loop was busy ${percent(utilisation)} of the time, and many calls waited`;
  const full = chosen.find(isFull);
  if (full !== undefined) return `the replicas of ${full.module} were full`;
  const here = chosen.filter(({ ready, hosts }) => ready > 0 && hosts === null);
  const busy = here.reduce((sum, { busyMsPerSecond }) => sum + busyMsPerSecond / 1000, utilisation);
  const waiting = here.reduce((sum, one) => sum + one.waiting - one.ready, 0);
  if (busy >= cores && waiting > 0) return 'the event loop and the replicas took turns on the cores';
  const queued = chosen.find((one) => isInPool(one) && one.pending > poolThreads);
  return queued === undefined ? '' : `more calls of ${queued.module} were pending than libuv's pool has threads`;
}

/**
 * How many callers wait for their answers. If replicas are full, home counts them. Behind a full loop nobody does, but each turn answers
 * all who were waiting when it began.
 * @param {Measured} measured @param {MeasuredModule[]} chosen @returns {{clients: number, told: string}}
 */
function crowdOf({ utilisation }, chosen) {
  const waiting = Math.max(waitingFor(chosen), ...chosen.map(openAtOnce));
  const counted = { clients: waiting, told: 'as many as were waiting' };
  if (utilisation <= FULL || waiting >= DEFAULT_CLIENTS) return counted;
  // Several modules needed by one caller do not make several callers.
  const most = Math.max(0, ...chosen.map(({ inTurn }) => inTurn));
  const clients = Math.max(LEAST_CLIENTS, Math.round(most));
  if (most === 0 || clients >= DEFAULT_CLIENTS) return { clients: DEFAULT_CLIENTS, told: 'assumed' };
  if (waiting >= clients) return counted;
  const told = most < LEAST_CLIENTS ? 'as few as can keep the event loop full' : 'as many calls as a turn of the event loop answered';
  return { clients, told };
}

/**
 * @param {MeasuredModule[]} chosen
 * @returns {number} calls whose callers were seen to wait. A call in a replica is pending at home, too; and a call pending at home may be
 *   waiting for another one
 */
function waitingFor(chosen) {
  const away = chosen.reduce((sum, one) => sum + one.waiting, 0);
  return away + Math.max(0, ...chosen.map((one) => (one.ready > 0 ? 0 : waitingAtHome(one))));
}

/**
 * A tick counts open calls at the moment when it comes, and behind a full loop most have just been answered then. On average, as many are
 * open as come while one waits (Little's law).
 * @param {MeasuredModule} one
 */
function waitingAtHome({ pending, mostPending, callsPerSecond, latencyMs }) {
  return Math.max(pending, mostPending, Math.round((callsPerSecond * latencyMs) / 1000));
}

/**
 * Callers who begin together are there in one turn of the loop and in none after it: no tick sees them, and a mean says little about them.
 * @param {MeasuredModule} one
 * @returns {number} calls of one turn whose answers came in later turns, as a call sees it; 0: none are known, or it has replicas
 */
function openAtOnce({ ready, inTurn, callsPerSecond, latencyMs }) {
  const turnMs = callsPerSecond === 0 ? Infinity : (1000 * inTurn) / callsPerSecond;
  return ready === 0 && latencyMs > LATER_TURN * turnMs ? Math.round(inTurn) : 0;
}

/** @param {MeasuredModule} one @returns {boolean} whether its replicas cannot keep up */
function isFull({ ready, busyMsPerSecond, waiting, leastWaiting }) {
  const busy = ready === 0 ? 0 : busyMsPerSecond / (1000 * ready);
  return (busy > FULL && waiting > ready) || (busy > NEARLY_FULL && waiting >= MANY_WAITING * ready) || (ready > 0 && leastWaiting > ready);
}

/** @param {MeasuredModule} one @returns {boolean} whether its calls wait for libuv's pool at home */
function isInPool({ isLater, share, callsPerSecond, latencyMs }) {
  return isLater && callsPerSecond > 0 && latencyMs > (MOSTLY_LATER * share * 1000) / callsPerSecond;
}

/**
 * Whether Ignis itself may have filled the loop: then nobody knows whether callers wait. A loop that is full of calls answers several per
 * turn.
 * @param {Measured} measured
 * @param {readonly string[]} modules
 */
function isHidden({ utilisation, ownShare, modules: all }, modules) {
  const inTurn = Math.max(...all.filter(({ module }) => modules.includes(module)).map((one) => one.inTurn));
  return utilisation > FULL && ownShare > OWN && inTurn < SEVERAL;
}

exports.DEFAULT_CLIENTS = DEFAULT_CLIENTS;
exports.FULL = FULL;
exports.MANY_WAITING = MANY_WAITING;
exports.crowdOf = crowdOf;
exports.isHidden = isHidden;
exports.isInPool = isInPool;
exports.whatIsFull = whatIsFull;
