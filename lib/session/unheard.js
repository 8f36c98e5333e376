'use strict';
/*
 * Rejected promises that a module was given in place of what functions of home give. In: such promises, when they are rejected. Out: whether the module looks after them, by the turn's end. Of all
 * others Node does what it would do; the listener that this takes is there for that turn only.
 */
const { Map, Promise, setImmediate } = require('../engine');

const EVENT = 'unhandledRejection';

/** @type {Map<Promise<any>, (isHeard: boolean) => void>} of this turn */
const watched = new Map();
let isListening = false;

/** @param {any} reason @param {Promise<any>} promise */
function listen(reason, promise) {
  const tell = watched.get(promise);
  if (tell !== undefined) {
    watched.delete(promise);
    return tell(false);
  }
  if (process.listenerCount(EVENT) > 1) return;
  // Without a listener Node does what its options say, also of another one with this reason.
  isListening = false;
  process.off(EVENT, listen);
  Promise.reject(reason);
}

function endTurn() {
  if (isListening) process.off(EVENT, listen);
  isListening = false;
  const heard = [...watched.values()];
  watched.clear();
  for (const tell of heard) tell(true);
}

/** @param {Promise<any>} promise that has just been rejected @param {(isHeard: boolean) => void} tell */
function watchUnheard(promise, tell) {
  if (watched.size === 0) setImmediate(endTurn);
  watched.set(promise, tell);
  if (isListening) return;
  isListening = true;
  process.on(EVENT, listen);
}

exports.watchUnheard = watchUnheard;
