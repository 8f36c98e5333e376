'use strict';

// The closures that stand in for functions: what happens at each crossing.
// In: a function point. Out: a function that counts, attributes time, unwraps our own wrappers, and runs the original.
// This is the path every observed call takes: nothing is allocated here that the call itself would not need.

const { types } = require('node:util');
const { childMs, runTimed, settleTicks } = require('../profile/attribution');
const { ticks } = require('../profile/coarse-clock');
const { SLOT } = require('../profile/meter');
const { originals, comesHome } = require('./originals');
const { answer, outward } = require('./point');
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

/** @param {any[]} args changed in place: our wrappers become what stands behind them @param {FunctionPoint} point */
function unwrapAll(args, point) {
  for (let index = 0; index < args.length; index++) {
    const value = args[index];
    if (typeof value !== 'function' && (typeof value !== 'object' || value === null)) continue;
    const original = originals.get(value);
    if (original !== undefined && comesHome(value, point.boundary)) args[index] = original;
  }
}

// The two closures below differ only in `new`. They are written out twice because each is inlined, with the function
// it calls, into its callers: a shared body would see all functions of a program and be inlined nowhere.

/** @param {FunctionPoint} point @param {any} homeShadow */
function constructible(point, homeShadow) {
  const { fn, holder } = point;
  const slots = point.meter.slots;
  return function closure(/** @type {any[]} */ ...args) {
    if (new.target !== undefined) {
      unwrapAll(args, point);
      return construct(point, args, new.target === closure ? fn : new.target);
    }
    // @ts-ignore
    let self = this;
    if (self === homeShadow) self = holder;
    else if (self !== undefined && self !== null) self = originals.get(self) ?? self;
    if (args.length > 0) unwrapAll(args, point);
    slots[CALLS]++;
    const isShort = point.isPlain || (point.isCalm && typeof args[args.length - 1] !== 'function');
    if (!isShort) return cross(point, self, args);
    if (--slots[DUE] <= 0) return answer(point, runTimed(point, self, args, undefined));
    const before = ticks[0];
    const outer = childMs[0];
    childMs[0] = 0;
    slots[DEPTH]++;
    let result;
    try {
      result = Reflect.apply(fn, self, args);
    } catch (error) {
      leaveFailed(point, before, outer);
      throw error;
    }
    slots[DEPTH]--;
    if (ticks[0] === before) childMs[0] += outer + slots[MEAN];
    else settleTicks(point, before, outer);
    if (point.isCalm && isPromise(result)) return trackLate(point, result);
    return typeof result === 'function' ? outward(point, result) : result === holder ? homeShadow : result;
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
      if (args.length > 0) unwrapAll(args, point);
      slots[CALLS]++;
      const isShort = point.isPlain || (point.isCalm && typeof args[args.length - 1] !== 'function');
      if (!isShort) return cross(point, self, args);
      if (--slots[DUE] <= 0) return answer(point, runTimed(point, self, args, undefined));
      const before = ticks[0];
      const outer = childMs[0];
      childMs[0] = 0;
      slots[DEPTH]++;
      let result;
      try {
        result = Reflect.apply(fn, self, args);
      } catch (error) {
        leaveFailed(point, before, outer);
        throw error;
      }
      slots[DEPTH]--;
      if (ticks[0] === before) childMs[0] += outer + slots[MEAN];
      else settleTicks(point, before, outer);
      if (point.isCalm && isPromise(result)) return trackLate(point, result);
      return typeof result === 'function' ? outward(point, result) : result === holder ? homeShadow : result;
    },
  }.closure;
}

/** @param {FunctionPoint} point whose function threw @param {number} before @param {number} outer */
function leaveFailed(point, before, outer) {
  const { slots } = point.meter;
  slots[DEPTH]--;
  slots[FAILURES]++;
  if (ticks[0] === before) childMs[0] += outer + slots[MEAN];
  else settleTicks(point, before, outer);
}

exports.closureOf = closureOf;
exports.unwrapAll = unwrapAll;
