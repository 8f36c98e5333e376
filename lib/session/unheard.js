'use strict';
/*
 * Rejected promises that nobody looks after, and that end nothing all the same: those that a module was given in place of what functions of home give, and those that break because home closes. In: such
 * promises, when they are rejected; errors of the others. Out: whether the module looks after the former, by the turn's end. Of all others Node does what it would do.
 */
const { Map, Promise, WeakSet, setImmediate } = require('../engine');

const EVENT = 'unhandledRejection';

/** @type {Map<Promise<any>, (isHeard: boolean) => void>} of this turn */
const watched = new Map();
/** @type {WeakSet<object>} */
const excused = new WeakSet();
let isExcusing = false;

/** @param {any} reason @param {Promise<any>} promise */
function listen(reason, promise) {
  const tell = watched.get(promise);
  if (tell !== undefined) {
    watched.delete(promise);
    return tell(false);
  }
  if (process.listenerCount(EVENT) > 1 || excused.has(reason)) return;
  // Without a listener Node does what its options say, also of another one with this reason.
  stop();
  Promise.reject(reason);
  if (isExcusing) setImmediate(begin).unref();
}

/** The program may have taken it off with its own. */
function begin() {
  if (!process.listeners(EVENT).includes(listen)) process.on(EVENT, listen);
}

function stop() {
  process.off(EVENT, listen);
}

function endTurn() {
  if (!isExcusing) stop();
  const heard = [...watched.values()];
  watched.clear();
  for (const tell of heard) tell(true);
}

/** @param {Promise<any>} promise that has just been rejected @param {(isHeard: boolean) => void} tell */
function watchUnheard(promise, tell) {
  if (watched.size === 0) setImmediate(endTurn);
  watched.set(promise, tell);
  begin();
}

/** What breaks by it may be seen much later, by a promise that waited for one that waited for it. @param {object} error by which promises are about to break since home closes */
function excuse(error) {
  excused.add(error);
  isExcusing = true;
  begin();
}

exports.excuse = excuse;
exports.watchUnheard = watchUnheard;
