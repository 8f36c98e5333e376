'use strict';

// The closures that stand in for functions: what happens at each crossing.
// In: a function point. Out: a function that counts, attributes time, unwraps our own wrappers, and runs the original.
// This is the path every observed call takes: nothing is allocated here that the call itself would not need.

const { types } = require('node:util');
const { Timing, childMs, settleTicks } = require('../profile/attribution');
const { ticks } = require('../profile/coarse-clock');
const { SLOT } = require('../profile/meter');
const { originals } = require('./originals');
const { answer } = require('./point');
const { isConstructor } = require('./values');
const { MOST_NAMED, listOf, longWay, makeWay, trackLate } = require('./special');

/** @typedef {import('./point').FunctionPoint} FunctionPoint */

const { isPromise } = types;

// The engine folds a number that a module's constant holds, but not a property of one.
const CALLS = SLOT.calls;
const FAILURES = SLOT.failures;
const DUE = SLOT.due;
const MEAN = SLOT.mean;
const DEPTH = SLOT.depth;

/**
 * @param {FunctionPoint} point
 * @param {any} homeShadow the wrapper of `point.holder`, undefined when there is no holder
 * @returns {Function} without properties, but callable, and constructible if the original is
 */
function closureOf(point, homeShadow) {
  const { fn, holder } = point;
  const { slots } = point.meter;
  const long = longWay(point);
  point.closure = isConstructor(fn)
    ? constructible(point, fn, holder, homeShadow, slots, ticks, childMs, long, makeWay(point))
    : callable(point, fn, holder, homeShadow, slots, ticks, childMs, long);
  return point.closure;
}

/** @param {any} value @returns {boolean} whether it is of a kind that wrappers are of */
function mayBeOurs(value) {
  return typeof value === 'object' ? value !== null : typeof value === 'function';
}

/** @param {any} self that is not the wrapper of what holds the function @returns {any} what stands behind it */
function unwrapSelf(self) {
  return mayBeOurs(self) ? (originals.get(self) ?? self) : self;
}

/**
 * Whether somebody wants to see more of a call than a counter, or there may be something to unwrap.
 * @param {FunctionPoint} point @param {number} count of the arguments @param {any} a @param {any} b @param {any} c @param {any} d
 * @returns {boolean}
 */
function goesLongWay(point, count, a, b, c, d) {
  if (mayBeOurs(a) || mayBeOurs(b) || mayBeOurs(c) || mayBeOurs(d)) return asksForMore(point, count, a, b, c, d);
  return count > MOST_NAMED || !(point.isPlain || point.isCalm);
}

/** The same, of a call with an object or a function among its arguments. @param {FunctionPoint} point @param {number} count @param {any} a @param {any} b @param {any} c @param {any} d */
function asksForMore(point, count, a, b, c, d) {
  if (count > MOST_NAMED || !(point.isPlain || (point.isCalm && !hasFunction(a, b, c, d)))) return true;
  if (originals.has(a)) return true;
  return count > 1 && (originals.has(b) || (count > 2 && (originals.has(c) || originals.has(d))));
}

/** @param {any} a @param {any} b @param {any} c @param {any} d */
function hasFunction(a, b, c, d) {
  return typeof a === 'function' || typeof b === 'function' || typeof c === 'function' || typeof d === 'function';
}

/** A call has ended that was counted only. @param {FunctionPoint} point @param {Float64Array} slots @param {number} before @param {number} outer */
function leave(point, slots, before, outer) {
  slots[DEPTH]--;
  if (ticks[0] === before) childMs[0] += outer + slots[MEAN];
  else settleTicks(point, before, outer);
}

/** @param {FunctionPoint} point @param {number} outer */
function beginTimed(point, outer) {
  return new Timing(point, outer);
}

/** A timed call has returned. @param {Timing} timing @param {any} result @param {number} count of the arguments @param {any} a @param {any} b @param {any} c @param {any} d */
function endTimed(timing, result, count, a, b, c, d) {
  timing.result = result;
  timing.end(true);
  timing.learn(listOf(count, a, b, c, d));
}

/** A call has thrown. @param {FunctionPoint} point @param {Timing | null} timing @param {number} before @param {number} outer */
function fail(point, timing, before, outer) {
  if (timing !== null) return timing.end(false);
  const { slots } = point.meter;
  slots[FAILURES]++;
  leave(point, slots, before, outer);
}

/** @param {FunctionPoint} point @param {any} result that may be a promise, or something of the module @returns {any} what the caller gets */
function handOut(point, result) {
  if (point.isCalm && isPromise(result)) return trackLate(point, result);
  return answer(point, result);
}

// The two closures below differ only in `new`. They are written out twice because each is inlined, with the function it calls, into its callers: a shared body would
// see all functions of a program and be inlined nowhere. The engine inlines no function of more than 460 bytes of bytecode, nor one that is more than 766 with what it has itself
// inlined into it (a caller's 920, less a reserve), once it was compiled by itself; and all wrappers of a program count as one there. So what is seldom needed stands above, and what
// they need is given to them as parameters, which cost no check whether they are there yet. A test holds both.
//
// A list of the arguments (`...args`) is made for each call if one branch reads it, which is more than half of what a crossing costs. Arguments by name, and
// `arguments` that is only ever handed on by `Reflect.apply`, cost nothing. It is handed on before the call or in it, not after: where the engine meets such a use later than the call, it finds out too late
// which function is called, and does not inline it. A call that is timed is made in the same place as the others, or what was timed would be the function as the engine
// has it outside of its callers.

/** @param {FunctionPoint} point @param {Function} fn @param {any} holder @param {any} homeShadow @param {Float64Array} slots @param {Int32Array} ticks @param {Float64Array} childMs @param {Function} long @param {Function} make */
function constructible(point, fn, holder, homeShadow, slots, ticks, childMs, long, make) {
  return function closure(/** @type {any} */ a, /** @type {any} */ b, /** @type {any} */ c, /** @type {any} */ d) {
    if (new.target !== undefined) return Reflect.apply(make, new.target, arguments);
    const count = arguments.length;
    // @ts-ignore
    const self = this === homeShadow ? holder : unwrapSelf(this);
    if (goesLongWay(point, count, a, b, c, d)) return Reflect.apply(long, self, arguments);
    slots[CALLS]++;
    const before = ticks[0];
    const outer = childMs[0];
    childMs[0] = 0;
    slots[DEPTH]++;
    const timing = --slots[DUE] <= 0 ? beginTimed(point, outer) : null;
    let result;
    try {
      result = Reflect.apply(fn, self, arguments);
    } catch (error) {
      fail(point, timing, before, outer);
      throw error;
    }
    if (timing === null) leave(point, slots, before, outer);
    else endTimed(timing, result, count, a, b, c, d);
    return mayBeOurs(result) ? handOut(point, result) : result;
  };
}

/** @param {FunctionPoint} point @param {Function} fn @param {any} holder @param {any} homeShadow @param {Float64Array} slots @param {Int32Array} ticks @param {Float64Array} childMs @param {Function} long */
function callable(point, fn, holder, homeShadow, slots, ticks, childMs, long) {
  // A method has no [[Construct]] and no `prototype`, like the arrow functions, methods and async functions it replaces.
  return {
    closure(/** @type {any} */ a, /** @type {any} */ b, /** @type {any} */ c, /** @type {any} */ d) {
      const count = arguments.length;
      const self = this === homeShadow ? holder : unwrapSelf(this);
      if (goesLongWay(point, count, a, b, c, d)) return Reflect.apply(long, self, arguments);
      slots[CALLS]++;
      const before = ticks[0];
      const outer = childMs[0];
      childMs[0] = 0;
      slots[DEPTH]++;
      const timing = --slots[DUE] <= 0 ? beginTimed(point, outer) : null;
      let result;
      try {
        result = Reflect.apply(fn, self, arguments);
      } catch (error) {
        fail(point, timing, before, outer);
        throw error;
      }
      if (timing === null) leave(point, slots, before, outer);
      else endTimed(timing, result, count, a, b, c, d);
      return mayBeOurs(result) ? handOut(point, result) : result;
    },
  }.closure;
}

exports.closureOf = closureOf;
