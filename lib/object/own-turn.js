'use strict';
/*
 * Which calls of the other side are served while this side waits for an answer. Both may have begun a turn of their own at the same time:
 * then one call must run within the other's turn. If nothing of the program is under way at home beyond what its event loop has just begun
 * (a socket has data, and its listener is a stub), nobody at home can see that call in between; the module would: ws sent the end of its
 * stream and, before it had noted that, met the other end's.
 *      home    data: CALL 1 ------------------- serves 2 --                      -> RETURN 1
 *      module        closes: CALL 2 -- keeps 1 -------------- goes on -- serves 1
 * In: calls, and home's stack. Out: yes or no.
 */
const { isOwn } = require('../boot/hidden');
const { MESSAGE } = require('./tags');
const engine = require('../engine');

const { Reflect, captureStackTrace } = engine;

/** Where Node runs ticks and promises. */
const QUEUES = 'node:internal/process/task_queues';

/** @param {NodeJS.CallSite} site @returns {boolean} whether it is Node's, the engine's, or Ignis's own */
function isNobodys(site) {
  const name = site.getFileName();
  return typeof name === 'string' ? name.startsWith('node:') || isOwn(name) : !site.isEval();
}

/**
 * Behind the first frame that a promise has left, nothing is on the stack. What a promise or tick calls by itself (`promise.then(lib.f)`,
 * the `then` of a thenable) continues what the program has begun, like code after an `await`.
 *
 * @param {Error} _error @param {NodeJS.CallSite[]} sites
 */
function isNobodysTurn(_error, sites) {
  const end = sites.findIndex((site) => /** @type {any} */ (site).isAsync());
  const there = end < 0 ? sites : sites.slice(0, end);
  const caller = there.map((site) => site.getFileName()).find((name) => typeof name === 'string' && !isOwn(name));
  return there.every(isNobodys) && caller !== undefined && caller !== QUEUES;
}

/** @returns {boolean} false if it cannot be told */
function isBare() {
  const { prepareStackTrace, stackTraceLimit } = Error;
  try {
    // Not by assignment: a program may have frozen it.
    Reflect.set(Error, 'stackTraceLimit', Infinity);
    Reflect.set(Error, 'prepareStackTrace', isNobodysTurn);
    /** @type {{stack?: any}} */
    const here = {};
    captureStackTrace(here, isBare);
    return here.stack === true;
  } finally {
    Reflect.set(Error, 'stackTraceLimit', stackTraceLimit);
    Reflect.set(Error, 'prepareStackTrace', prepareStackTrace);
  }
}

/**
 * @param {number} within the call on whose behalf it is made; 0: none
 * @param {Pick<import('./news').Concerned, 'side' | 'waiting' | 'deferred'>} concerned
 * @returns {boolean} whether it is asked within the call that this side waits for; a replica serves everything while it waits for nothing,
 *   or for what home does later
 */
function mayServe(within, { side, waiting, deferred }) {
  if (!side.isHome) return within !== 0 || waiting.length === 0 || waiting[0] === deferred.second;
  return within !== 0 && within === waiting[waiting.length - 1];
}

/**
 * For a side that waits. At home, if the replica has begun something of its own, it keeps our call until that is done, or until it is told
 * to serve our call first.
 *
 * @param {number} within
 * @param {Pick<import('./news').Concerned, 'side' | 'mail' | 'waiting' | 'serving' | 'deferred'>} concerned
 * @returns {boolean} whether to serve it before the answer comes
 */
function isDue(within, concerned) {
  if (mayServe(within, concerned)) return true;
  const { side, waiting, serving } = concerned;
  if (!side.isHome || within !== 0 || waiting.length === 0 || serving.length > 0) return false;
  if (isBare()) return true;
  concerned.mail.send([MESSAGE.FIRST]);
  return false;
}

exports.isDue = isDue;
exports.mayServe = mayServe;
