'use strict';
/*
 * Rejected promises that nobody looks after, and that end nothing all the same: those that a module was given in place of what functions of
 * home give, and those that break because home closes. In: such promises, when they are rejected; errors of the others. Out: whether the
 * module looks after the former, by the turn's end. Of all others Node does what it would do, so this is no listener: Node would take what
 * it hears for looked after.
 */
const { Map, Object, Reflect, Symbol, WeakSet, setImmediate } = require('../engine');

const EVENT = 'unhandledRejection';

/** @type {Map<Promise<any>, (isHeard: boolean) => void>} of this turn */
const watched = new Map();
/** @type {WeakSet<object>} */
const excused = new WeakSet();
/** The name of no event. */
const PROBE = Symbol('ignis');
let isHearing = false;

/**
 * From now on Node tells here what it would tell a listener. Others put theirs in the place of `process.emit`, too, and take away what they
 * find there later (signal-exit).
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

/** @param {any} reason @param {Promise<any>} promise @returns {boolean} whether it is one of those */
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
 * What breaks by it may be seen much later, by a promise that waited for one that waited for it.
 *
 * @param {object} error by which promises are about to break since home closes
 */
function excuse(error) {
  hear();
  excused.add(error);
}

exports.excuse = excuse;
exports.watchUnheard = watchUnheard;
