'use strict';
/*
 * Rejected promises that nobody handles, but that must not end the process: those given to a module for the results of home's functions,
 * and those that break because home closes. In: such promises, when they are rejected; errors of the latter. Out: for the former, whether
 * the module handles them by the end of the turn. For all others Node must do what it always does, so this cannot be a listener: Node would
 * take all that it hears for handled.
 */
const { Map, Object, Reflect, Symbol, WeakSet, setImmediate } = require('../engine');

const EVENT = 'unhandledRejection';

/** @type {Map<Promise<any>, (isHeard: boolean) => void>} those of this turn */
const watched = new Map();
/** @type {WeakSet<object>} */
const excused = new WeakSet();
/** No event has this name. */
const PROBE = Symbol('ignis');
let isHearing = false;

/**
 * From now on, Node calls this before any listener. Other packages replace `process.emit` too, and later restore the one they found
 * (signal-exit).
 */
function hear() {
  isHearing = false;
  process.emit(/** @type {any} */ (PROBE));
  if (isHearing) return;
  const { emit } = process;
  /** @this {any} @param {any[]} args */
  const value = function (...args) {
    if (args[0] === PROBE) return (isHearing = true);
    const isOurs = args[0] === EVENT && take(args[1], args[2]);
    return Reflect.apply(emit, this, args) || isOurs;
  };
  Object.defineProperty(process, 'emit', { value, enumerable: false, configurable: true, writable: true });
}

/** @param {any} reason @param {Promise<any>} promise @returns {boolean} whether the promise is one of those above */
function take(reason, promise) {
  const tell = watched.get(promise);
  if (tell === undefined) return excused.has(reason);
  watched.delete(promise);
  tell(false);
  return true;
}

function endTurn() {
  const heard = [...watched.values()];
  watched.clear();
  for (const tell of heard) tell(true);
}

/** @param {Promise<any>} promise that has just been rejected @param {(isHeard: boolean) => void} tell */
function watchUnheard(promise, tell) {
  hear();
  if (watched.size === 0) setImmediate(endTurn);
  watched.set(promise, tell);
}

/**
 * A promise may break much later: when another that it waited for has broken.
 *
 * @param {object} error with which promises are about to break because home closes
 */
function excuse(error) {
  hear();
  excused.add(error);
}

exports.excuse = excuse;
exports.watchUnheard = watchUnheard;
