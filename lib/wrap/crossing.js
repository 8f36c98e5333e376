'use strict';

// The closures that stand in for functions: what happens at each crossing.
// In: a function point. Out: a function that counts, attributes time, unwraps our own wrappers, and runs the original.
// This is the path every observed call takes: nothing is allocated here that the call itself would not need.

const { types } = require('node:util');
const { childMs, runTimed, settleTicks } = require('../profile/attribution');
const { ticks } = require('../profile/coarse-clock');
const { SLOT } = require('../profile/meter');
const { originals, comesHome } = require('./originals');
const { answer } = require('./point');
const { isConstructor } = require('./values');
const { cross, construct, trackLate } = require('./special');

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
  return isConstructor(point.fn) ? constructible(point, homeShadow) : callable(point, homeShadow);
}

/** @param {any} value @returns {boolean} whether it is of a kind that wrappers are of */
const mayBeOurs = (value) => (typeof value === 'object' ? value !== null : typeof value === 'function');

/**
 * Written out for the first three, since a loop over the arguments makes the engine build the list of them for each call, which is more than half of what a crossing costs.
 * @param {any[]} args @returns {boolean} whether there may be anything to unwrap
 */
function hasObjects(args) {
  const count = args.length;
  return count > 0 && (mayBeOurs(args[0]) || (count > 1 && (count > 3 || mayBeOurs(args[1]) || (count > 2 && mayBeOurs(args[2])))));
}

/** @param {any[]} args changed in place: our wrappers become what stands behind them @param {FunctionPoint} point */
function unwrapAll(args, point) {
  for (let index = 0; index < args.length; index++) {
    const value = args[index];
    if (typeof value !== 'function' && (typeof value !== 'object' || value === null)) continue;
    const original = originals.get(value);
    if (original !== undefined && comesHome(value, point.boundary)) args[index] = original;
  }
}

/** @param {FunctionPoint} point @param {any[]} args @returns {boolean} whether somebody wants to see more of this call than a counter */
const goesLongWay = (point, args) => !point.isPlain && !(point.isCalm && typeof args[args.length - 1] !== 'function');

/** A call has ended that was counted only. @param {FunctionPoint} point @param {Float64Array} slots @param {number} before @param {number} outer */
function leave(point, slots, before, outer) {
  slots[DEPTH]--;
  if (ticks[0] === before) childMs[0] += outer + slots[MEAN];
  else settleTicks(point, before, outer);
}

/** @param {FunctionPoint} point @param {any[]} args @param {Function} newTarget what `new` shall see */
function make(point, args, newTarget) {
  unwrapAll(args, point);
  return construct(point, args, newTarget);
}

/** @param {FunctionPoint} point @param {any} self @param {any[]} args */
const time = (point, self, args) => answer(point, runTimed(point, self, args, undefined));

/** @param {FunctionPoint} point @param {any} result that may be a promise, or something of the module @returns {any} what the caller gets */
function handOut(point, result) {
  if (point.isCalm && isPromise(result)) return trackLate(point, result);
  return answer(point, result);
}

// The two closures below differ only in `new`. They are written out twice because each is inlined, with the function it calls, into its callers: a shared body would
// see all functions of a program and be inlined nowhere. The engine inlines no function of more than 460 bytes of bytecode, so what is seldom needed stands above
// (a test holds them to that).

/** @param {FunctionPoint} point @param {any} homeShadow */
function constructible(point, homeShadow) {
  const { fn, holder } = point;
  const slots = point.meter.slots;
  return function closure(/** @type {any[]} */ ...args) {
    if (new.target !== undefined) return make(point, args, new.target === closure ? fn : new.target);
    // @ts-ignore
    let self = this;
    if (self === homeShadow) self = holder;
    else if (self !== undefined && self !== null) self = originals.get(self) ?? self;
    if (hasObjects(args)) unwrapAll(args, point);
    slots[CALLS]++;
    if (goesLongWay(point, args)) return cross(point, self, args);
    if (--slots[DUE] <= 0) return time(point, self, args);
    const before = ticks[0];
    const outer = childMs[0];
    childMs[0] = 0;
    slots[DEPTH]++;
    let result;
    try {
      result = Reflect.apply(fn, self, args);
    } catch (error) {
      slots[FAILURES]++;
      leave(point, slots, before, outer);
      throw error;
    }
    leave(point, slots, before, outer);
    return mayBeOurs(result) ? handOut(point, result) : result;
  };
}

/** @param {FunctionPoint} point @param {any} homeShadow */
function callable(point, homeShadow) {
  const { fn, holder } = point;
  const slots = point.meter.slots;
  // A method has no [[Construct]] and no `prototype`, like the arrow functions, methods and async functions it replaces.
  return {
    closure(/** @type {any[]} */ ...args) {
      /** @type {any} */
      let self = this;
      if (self === homeShadow) self = holder;
      else if (self !== undefined && self !== null) self = originals.get(self) ?? self;
      if (hasObjects(args)) unwrapAll(args, point);
      slots[CALLS]++;
      if (goesLongWay(point, args)) return cross(point, self, args);
      if (--slots[DUE] <= 0) return time(point, self, args);
      const before = ticks[0];
      const outer = childMs[0];
      childMs[0] = 0;
      slots[DEPTH]++;
      let result;
      try {
        result = Reflect.apply(fn, self, args);
      } catch (error) {
        slots[FAILURES]++;
        leave(point, slots, before, outer);
        throw error;
      }
      leave(point, slots, before, outer);
      return mayBeOurs(result) ? handOut(point, result) : result;
    },
  }.closure;
}

exports.closureOf = closureOf;
exports.unwrapAll = unwrapAll;
