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

// The program may put others in the place of these while we run.
const { Proxy } = globalThis;
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
    ? constructible(point, null, holder, homeShadow, slots, CALLS, DUE, DEPTH, ticks, childMs, long, makeWay(point))
    : callable(point, null, holder, homeShadow, slots, CALLS, DUE, DEPTH, ticks, childMs, long);
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
 * Whether somebody wants to see more of a call than a counter, or there is something to unwrap.
 * @param {FunctionPoint} point @param {number} count of the arguments @param {any} a @param {any} b @param {any} c @param {any} d
 * @returns {boolean}
 */
function goesLongWay(point, count, a, b, c, d) {
  if (count > MOST_NAMED || !(point.isPlain || point.isCalm)) return true;
  return (mayBeOurs(a) || mayBeOurs(b) || mayBeOurs(c) || mayBeOurs(d)) && hasOurs(point, count, a, b, c, d);
}

/**
 * The same, of a call with an object or a function among its arguments.
 * @param {FunctionPoint} point @param {number} count @param {any} a @param {any} b @param {any} c @param {any} d
 * @returns {boolean}
 */
function hasOurs(point, count, a, b, c, d) {
  if (point.isCalm && hasFunction(a, b, c, d)) return true;
  const known = originals;
  return known.has(a) || (count > 1 && (known.has(b) || (count > 2 && (known.has(c) || known.has(d)))));
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

/**
 * The engine takes what happens seldom for frequent where it has counted the first calls only, inlines it, and then has no room for the function itself. Into a Proxy it does not look.
 * @template {Function} F @param {F} run @returns {F} what does the same, and is never inlined
 */
const apart = (run) => /** @type {any} */ (new Proxy(run, {}));

const beginTimed = apart((/** @type {FunctionPoint} */ point, /** @type {number} */ outer) => new Timing(point, outer));

const endTimed = apart(
  /** A timed call has returned. @param {Timing} timing @param {any} result @param {number} count of the arguments @param {any} a @param {any} b @param {any} c @param {any} d */
  function endTimed(timing, result, count, a, b, c, d) {
    timing.result = result;
    timing.end(true);
    timing.learn(listOf(count, a, b, c, d));
  },
);

const fail = apart(
  /** A call has thrown. @param {FunctionPoint} point @param {Timing | null} timing @param {number} before @param {number} outer */
  function fail(point, timing, before, outer) {
    if (timing !== null) return timing.end(false);
    const { slots } = point.meter;
    slots[FAILURES]++;
    leave(point, slots, before, outer);
  },
);

/** @param {FunctionPoint} point @param {any} result an object or a function @returns {any} what the caller gets */
function handOut(point, result) {
  return typeof result === 'object' && result !== point.holder && !point.looksAtResults ? result : handOutAs(point, result);
}

/** @param {FunctionPoint} point @param {any} result */
function handOutAs(point, result) {
  return point.isCalm && isPromise(result) ? trackLate(point, result) : answer(point, result);
}

// The two closures below differ only in `new`. They are written out twice because each is inlined into its callers: a shared body would see all functions of a program and be inlined
// nowhere. The engine inlines no function of more than 460 bytes of bytecode, nor one that has more than 766 together with what was inlined into it when it was compiled by itself (a
// caller's 920, less a reserve): and all wrappers of a program are compiled as one. So what is seldom needed stands above, and what they need is given to them as parameters, which cost
// no check whether they are there yet. A test holds both.
//
// The function that is called is not inlined: within `try` the engine peels no iteration off a loop, so that a loop whose variables begin with arguments ran five times as long as in its
// own function. That is why `target` is assigned: a parameter that never is would be a constant to the engine.
//
// A list of the arguments (`...args`) is made for each call if one branch reads it, which is more than half of what a crossing costs. Arguments by name, and `arguments` that is only
// ever handed on by `Reflect.apply`, cost nothing. A call that is timed is made in the same place as the others, so that it is what they are.

/** @param {FunctionPoint} point @param {Function | null} target set here @param {any} holder @param {any} homeShadow @param {Float64Array} slots @param {number} callsAt @param {number} dueAt @param {number} depthAt @param {Int32Array} ticks @param {Float64Array} childMs @param {Function} long @param {Function} make */
function constructible(point, target, holder, homeShadow, slots, callsAt, dueAt, depthAt, ticks, childMs, long, make) {
  target = point.fn;
  return function closure(/** @type {any} */ a, /** @type {any} */ b, /** @type {any} */ c, /** @type {any} */ d) {
    if (new.target !== undefined) return Reflect.apply(make, new.target, arguments);
    const count = arguments.length;
    // @ts-ignore
    const self = this === homeShadow ? holder : unwrapSelf(this);
    if (goesLongWay(point, count, a, b, c, d)) return Reflect.apply(long, self, arguments);
    slots[callsAt]++;
    const before = ticks[0];
    const outer = childMs[0];
    childMs[0] = 0;
    slots[depthAt]++;
    const timing = --slots[dueAt] <= 0 ? beginTimed(point, outer) : null;
    let result;
    try {
      result = Reflect.apply(target, self, arguments);
    } catch (error) {
      fail(point, timing, before, outer);
      throw error;
    }
    if (timing === null) leave(point, slots, before, outer);
    else endTimed(timing, result, count, a, b, c, d);
    return mayBeOurs(result) ? handOut(point, result) : result;
  };
}

/** @param {FunctionPoint} point @param {Function | null} target set here @param {any} holder @param {any} homeShadow @param {Float64Array} slots @param {number} callsAt @param {number} dueAt @param {number} depthAt @param {Int32Array} ticks @param {Float64Array} childMs @param {Function} long */
function callable(point, target, holder, homeShadow, slots, callsAt, dueAt, depthAt, ticks, childMs, long) {
  // A method has no [[Construct]] and no `prototype`, like the arrow functions, methods and async functions it replaces.
  target = point.fn;
  return {
    closure(/** @type {any} */ a, /** @type {any} */ b, /** @type {any} */ c, /** @type {any} */ d) {
      const count = arguments.length;
      const self = this === homeShadow ? holder : unwrapSelf(this);
      if (goesLongWay(point, count, a, b, c, d)) return Reflect.apply(long, self, arguments);
      slots[callsAt]++;
      const before = ticks[0];
      const outer = childMs[0];
      childMs[0] = 0;
      slots[depthAt]++;
      const timing = --slots[dueAt] <= 0 ? beginTimed(point, outer) : null;
      let result;
      try {
        result = Reflect.apply(target, self, arguments);
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
