'use strict';
/*
 * Timers of the other side. Node's `clearTimeout` and `clearImmediate` work on the fields of a timer, and on a count that each realm has
 * for itself: with a stub they would change the wrong side's count, and an event loop would end while somebody waits. In: a field that is
 * read from a stub. Out: which of the two functions reads it, so that the timer is cleared where it is; and what the field must seem to be,
 * so that they do nothing here. (`refresh`, `ref`, `unref` and `close` are methods, and run where the timer is.)
 */
const types = require('node:util/types');
const engine = require('../engine');

const { Map, Object, Reflect, captureStackTrace, clearImmediate, clearTimeout, setImmediate, setTimeout } = engine;

/**
 * What each field is when nothing is left to clear: the first one that they read (clearImmediate: one since Node 22, the other before).
 *
 * @type {Map<PropertyKey, any>}
 */
const DONE = new Map(
  /** @type {[PropertyKey, any][]} */ ([
    ['_onTimeout', null],
    ['_onImmediate', null],
    ['_destroyed', true],
  ]),
);

/** By the number that stands for each on the wire; with what it may get: anything else would harm this side's count. */
const CLEARERS = Object.freeze([
  { clear: clearTimeout, prototype: prototypeOfOne(setTimeout, clearTimeout) },
  { clear: clearImmediate, prototype: prototypeOfOne(setImmediate, clearImmediate) },
]);
const NAMES = CLEARERS.map(({ clear }) => clear.name);

/** Node offers no other way to the classes of its timers. @param {(run: () => void) => any} set @param {(timer: any) => void} unset */
function prototypeOfOne(set, unset) {
  const timer = set(() => {});
  unset(timer);
  return Object.getPrototypeOf(timer);
}

/** @param {Error} _error @param {NodeJS.CallSite[]} sites */
const nameOfClearer = (_error, [frame]) => (frame?.getFileName() === 'node:timers' ? frame.getFunctionName() : null);

/**
 * @param {PropertyKey} key that is read from a stub
 * @param {Function} trap that was called for it
 * @returns {number} which of CLEARERS reads it; -1: something else does
 */
function clearerReading(key, trap) {
  if (!DONE.has(key)) return -1;
  const { prepareStackTrace, stackTraceLimit } = Error;
  try {
    // Not by assignment: a program may have frozen it.
    Reflect.set(Error, 'stackTraceLimit', 1);
    Reflect.set(Error, 'prepareStackTrace', nameOfClearer);
    /** @type {{stack?: any}} */
    const here = {};
    captureStackTrace(here, trap);
    return NAMES.indexOf(here.stack);
  } finally {
    Reflect.set(Error, 'stackTraceLimit', stackTraceLimit);
    Reflect.set(Error, 'prepareStackTrace', prepareStackTrace);
  }
}

/** @param {any} clearer as it may have come over the wire @param {any} timer lent by this side; it may belong to a third */
function clear(clearer, timer) {
  const known = CLEARERS[clearer];
  if (known !== undefined && (types.isProxy(timer) || Object.getPrototypeOf(timer) === known.prototype)) known.clear(timer);
}

exports.clear = clear;
exports.clearerReading = clearerReading;
/** @param {PropertyKey} key */
exports.doneValueOf = (key) => DONE.get(key);
