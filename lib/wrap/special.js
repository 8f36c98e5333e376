'use strict';

// The long way of a crossing: `new`, calls that may leave, and calls that are followed to their end. In: a point, and the arguments as they
// came. Out: the result. Following a call changes what others can see: a promise becomes one derived from it, and a callback gets a closure
// before it. So only modules that may leave (named hot, given copies, awaited) are followed, and built-ins whose callbacks obey Node's
// convention.

const { types } = require('node:util');
const { Promise, performance } = require('../engine');
const { makeStamps } = require('../object/stamps');
const { lookAway, runTimed, runCounted } = require('../profile/attribution');
const { giveBack, lend } = require('../profile/later');
const { YOUNG_CALLS } = require('../profile/care');
const { SLOT } = require('../profile/meter');
const { NOT_DIVERTED } = require('./not-diverted');
const { trackedCallback } = require('./callbacks');
const { asGiven, callbackBehind, unwrapAll } = require('./originals');
const { answer } = require('./point');

/** @typedef {import('./point').FunctionPoint} FunctionPoint */

/** How many arguments a crossing has by name. */
const MOST_NAMED = 4;
/** Where names come and go without end, those that are gone are forgotten after this many calls. */
const OTHERS_REFRESH = 256;

/**
 * A promise that is returned twice gets only one derived promise. That is kept on the promise: there is one for each call, and a table of
 * them would be costly for the collector.
 */
const derived = /** @type {ReturnType<typeof makeStamps<Promise<unknown>>>} */ (makeStamps());

/**
 * @param {FunctionPoint} point
 * @returns {(this: Function, ...args: any[]) => any} makes an object; its `this` is the wrapper, or a class that extends it
 */
function makeWay(point) {
  return /** @this {Function} */ function (...args) {
    return construct(point, args, this);
  };
}

/**
 * @param {FunctionPoint} point
 * @param {any[]} args as they came; may be changed
 * @param {Function} used what `new` was used on
 */
function construct(point, args, used) {
  const newTarget = used === point.closure ? point.fn : used;
  const { slots } = point.meter;
  unwrapAll(args, point.boundary);
  point.meter.countCall();
  if (!point.isPlain) {
    if (point.boundary.isTouched) point.boundary.settleWritten();
    const result = point.divert === null ? NOT_DIVERTED : point.divert(undefined, args, newTarget);
    if (result !== NOT_DIVERTED) return result;
  }
  return --slots[SLOT.due] <= 0 ? runTimed(point, undefined, args, newTarget) : runCounted(point, undefined, args, newTarget);
}

/**
 * @param {number} count at most MOST_NAMED
 * @param {any} a
 * @param {any} b
 * @param {any} c
 * @param {any} d
 * @returns {any[]} the first `count` of them; so the list is made only where it is needed
 */
function listOf(count, a, b, c, d) {
  if (count < 2) return count === 0 ? [] : [a];
  if (count === 2) return [a, b];
  return count === 3 ? [a, b, c] : [a, b, c, d];
}

/**
 * @param {FunctionPoint} point
 * @returns {(this: any, ...args: any[]) => any} a call; its `this` is unwrapped
 */
function longWay(point) {
  return /** @this {any} */ function (...args) {
    const { meter, boundary } = point;
    const taken = unwrapAll(args, boundary);
    meter.countCall();
    if (boundary.isTouched) boundary.settleWritten();
    if (point.divert !== null) {
      // Whoever runs it at home after all subtracts it again.
      meter.away++;
      const result = point.divert(this, args, undefined);
      if (result !== NOT_DIVERTED) {
        lookAway(point);
        return result;
      }
      meter.away--;
    }
    const last = args.length - 1;
    let call = null;
    if (last >= 0 && typeof args[last] === 'function' && point.tracksCallbacks) {
      call = trackedCallback(point, args[last]);
      if (call !== null) args[last] = call.closure;
    }
    const start = call !== null || point.isTracked ? performance.now() : 0;
    const isLent = boundary.hasCallbacks && lend();
    let result;
    let hasReturned = false;
    call?.begin(start);
    // No `catch`: the engine shows the line that threw last.
    try {
      result = --meter.slots[SLOT.due] <= 0 ? runTimed(point, this, args, undefined) : runCounted(point, this, args, undefined);
      hasReturned = true;
    } finally {
      if (!hasReturned) call?.forget();
      if (isLent) giveBack();
    }
    call?.returned();
    // A module that gives itself new names does so within few calls.
    if (meter.calls <= YOUNG_CALLS) boundary.refreshSmall();
    else if (point.isOther && meter.calls % OTHERS_REFRESH === 0) boundary.refresh();
    if (result === point.holder || typeof result === 'function' || !point.isTracked) return asGiven(answer(point, result), taken);
    if (types.isPromise(result)) return track(point, result, start, taken);
    if (call === null) meter.seeKind('sync');
    if (point.isCalm !== (meter.kind === 'sync')) point.choose();
    return asGiven(answer(point, result), taken);
  };
}

/** What a caller on the short way gets. @param {FunctionPoint} point @param {any} result */
function handOut(point, result) {
  return point.isCalm && types.isPromise(result) ? trackLate(point, result) : answer(point, result);
}

/**
 * A promise from a function that so far answered synchronously and took the short way: it began about when the promise came.
 * @param {FunctionPoint} point
 * @param {Promise<unknown>} promise
 */
const trackLate = (point, promise) => track(point, promise, performance.now(), null);

/**
 * @param {FunctionPoint} point
 * @param {Promise<unknown>} promise
 * @param {number} start ms
 * @param {any[] | null} taken off the arguments
 * @returns {Promise<unknown>} a promise that settles the same, just after; if nobody handles it, this one is reported
 */
function track(point, promise, start, taken) {
  const { meter } = point;
  meter.seeKind('promise');
  // Other classes, and promises with own properties, mean more than we know.
  if (Object.getPrototypeOf(promise) !== Promise.prototype || Object.getOwnPropertyNames(promise).length > 0) return promise;
  const known = derived.get(promise);
  if (known !== undefined) return known;
  meter.slots[SLOT.pending]++;
  const end = promise.then(
    (value) => {
      meter.complete(performance.now() - start);
      meter.samples?.takeLate(value);
      return asGiven((typeof value === 'function' ? callbackBehind(value) : undefined) ?? value, taken);
    },
    (error) => {
      meter.complete(performance.now() - start);
      meter.slots[SLOT.failures]++;
      throw error;
    },
  );
  derived.set(promise, end);
  return end;
}

exports.MOST_NAMED = MOST_NAMED;
exports.construct = construct;
exports.handOut = handOut;
exports.listOf = listOf;
exports.longWay = longWay;
exports.makeWay = makeWay;
