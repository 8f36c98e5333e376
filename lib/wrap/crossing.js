'use strict';

// Makes the closures that stand in for functions: what happens at each crossing. In: a function point. Out: a function that counts,
// attributes time, unwraps our own wrappers, and runs the original. Every observed call takes this path: it must allocate nothing that the
// call itself would not need.

const { Timing, childMs, settleTicks } = require('../profile/attribution');
const { ticks } = require('../profile/coarse-clock');
const { INSIDE } = require('../profile/later');
const { SLOT } = require('../profile/meter');
const { isConstructor } = require('../session/constructible');
const { Closure, wrappers } = require('./originals');
const { MOST_NAMED, construct, handOut, listOf, longWay, makeWay } = require('./special');
const { Proxy } = require('../engine');

/** @typedef {import('./point').FunctionPoint} FunctionPoint */

// The engine can fold a number in a constant of the module, but not one in a property of an object.
const CALLS = SLOT.calls;
const DUE = SLOT.due;
const MEAN = SLOT.mean;
const RETURNED = SLOT.returned;

/** Levels of recursion that get full care. */
const DEEP = 16;

/**
 * @param {FunctionPoint} point
 * @param {any} homeShadow the wrapper of `point.holder`, undefined if there is no holder
 * @returns {Function} without properties, but callable; constructible if the original is
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

/** @param {any} value @returns {boolean} whether it is of a kind that can be a wrapper */
function mayBeOurs(value) {
  return typeof value === 'object' ? value !== null : typeof value === 'function';
}

/** @param {any} self that is not the wrapper of the function's holder @returns {any} what is behind it */
function unwrapSelf(self) {
  return mayBeOurs(self) ? (wrappers.get(self) ?? self) : self;
}

/**
 * Whether a call needs more than a counter, or there is something to unwrap.
 * @param {FunctionPoint} point @param {number} count of the arguments @param {any} a @param {any} b @param {any} c @param {any} d
 * @returns {boolean}
 */
function goesLongWay(point, count, a, b, c, d) {
  // `=== true`: the engine does not know that these are booleans, and would test each for other truthy values.
  const isShort =
    point.isPlain === true || (point.isCalm === true ? !hasFunction(a, b, c, d) : point.isOnlyCareful === true && isDeep(point));
  return !isShort || count > MOST_NAMED || (count > 0 && isOneOurs(count, a, b, c, d));
}

/** @param {number} count @param {any} a @param {any} b @param {any} c @param {any} d @returns {boolean} whether one of them is a wrapper */
function isOneOurs(count, a, b, c, d) {
  return isOurs(a) || (count > 1 && (isOurs(b) || (count > 2 && (isOurs(c) || isOurs(d)))));
}

/** @param {any} value @returns {boolean} */
function isOurs(value) {
  return mayBeOurs(value) && (wrappers.has(value) || Closure.is(value));
}

/** @param {any} a @param {any} b @param {any} c @param {any} d */
function hasFunction(a, b, c, d) {
  return typeof a === 'function' || typeof b === 'function' || typeof c === 'function' || typeof d === 'function';
}

/** @param {FunctionPoint} point @param {any} result an object or a function @returns {any} what the caller gets */
function mayHandOut(point, result) {
  return typeof result === 'object' && result !== point.holder && !point.looksAtResults ? result : handOut(point, result);
}

/**
 * The short way of `new`. It is not inside a closure, since all classes of a program can be made here without a loss: `new` has no `this`
 * to unwrap, and what it makes belongs to nobody else.
 * @param {FunctionPoint} point @param {Function} used what `new` was used on @param {number} count of the arguments @param {any} a
 * @param {any} b @param {any} c @param {any} d @returns {object}
 */
function make(point, used, count, a, b, c, d) {
  const { slots } = point.meter;
  const outer = childMs[0];
  // A timed call needs a `try`, since it may be followed.
  if (!point.makesAtOnce || used !== point.closure || slots[DUE] <= 1 || outer < INSIDE || isOneOurs(count, a, b, c, d)) {
    return construct(point, listOf(count, a, b, c, d), used);
  }
  slots[CALLS]++;
  slots[DUE]--;
  const before = ticks[0];
  const made = makeOf(point.fn, count, a, b, c, d);
  slots[RETURNED]++;
  if (ticks[0] === before) childMs[0] += slots[MEAN];
  else endSeen(null, point, before, outer, made, count, a, b, c, d);
  return made;
}

/** @param {any} Class @param {number} count of the arguments @param {any} a @param {any} b @param {any} c @param {any} d */
function makeOf(Class, count, a, b, c, d) {
  if (count < 2) return count === 0 ? new Class() : new Class(a);
  if (count === 2) return new Class(a, b);
  return count === 3 ? new Class(a, b, c) : new Class(a, b, c, d);
}

/**
 * Where the engine has counted only the first calls, it takes what happens seldom for frequent, inlines it, and then has no room for the
 * function itself. It never looks into a Proxy.
 * @template {Function} F @param {F} run @returns {F} does the same, and is never inlined
 */
const notInlined = (run) => /** @type {any} */ (new Proxy(run, {}));

/** The long way takes twice as much of the stack, and a deep recursion needs stack more than care. */
const isDeep = notInlined((/** @type {FunctionPoint} */ point) => point.meter.open > DEEP);

const beginTimed = notInlined((/** @type {FunctionPoint} */ point) => new Timing(point, false));

/**
 * The end of a call that was timed, or during which the clock of ticks advanced (then `timing` is null). One function for both, since each
 * call of a function makes the crossing longer.
 */
const endSeen = notInlined(
  /**
   * @param {Timing | null} timing @param {FunctionPoint} point @param {number} before @param {number} outer @param {any} result
   * @param {number} count of the arguments @param {any} a @param {any} b @param {any} c @param {any} d
   */
  (timing, point, before, outer, result, count, a, b, c, d) => {
    const args = listOf(count, a, b, c, d);
    if (timing === null) return settleTicks(point, before, outer, args);
    timing.end(true, result);
    timing.learn(args, result);
  },
);

// The two closures below differ only in `new`. They are written out twice because each is inlined, with the function it calls, into its
// callers: a shared body would see all functions of a program and be inlined nowhere. The engine inlines no function of more than 460 bytes
// of bytecode, nor one that exceeds 766 together with what was inlined into it when it was compiled by itself (a caller's 920, less a
// reserve); and all wrappers of a program are compiled as one. So what is seldom needed stands above, and what the closures need comes as
// parameters: these need no check whether they are initialized yet. A test guards all this.
//
// There is no `try`: within one, the engine peels no iteration off a loop of the called function, and a loop whose variables begin with
// arguments ran five times as long. A call that throws is missing among those that have returned, which shows at the next tick of the
// window; from then on, calls of that function take the long way, as the first ones of each function do. A timed call is made in the same
// place as the others: outside of its callers, the function would be a different one to the engine, and seldom called.
//
// A list of the arguments (`...args`) is made for each call even if only one branch reads it, and costs more than half of a crossing.
// Arguments by name, and `arguments` if only ever passed on by `Reflect.apply`, cost nothing; but not after the call, where the engine sees
// too late what is called.
//
// Literal numbers stand for INSIDE and for places in `slots` (0 CALLS, 1 RETURNED, 2 DUE, 3 MEAN): where the closure is not inlined, the
// engine must check whether a constant of this file is initialized, and a number. A test checks that they are the same.

/**
 * @param {FunctionPoint} point
 * @param {Function} fn
 * @param {any} holder
 * @param {any} homeShadow
 * @param {Float64Array} slots
 * @param {Int32Array} ticks
 * @param {Float64Array} childMs
 * @param {Function} long
 * @param {Function} makeAll
 */
function constructible(point, fn, holder, homeShadow, slots, ticks, childMs, long, makeAll) {
  return function closure(/** @type {any} */ a, /** @type {any} */ b, /** @type {any} */ c, /** @type {any} */ d) {
    const count = arguments.length;
    if (new.target !== undefined)
      return count > MOST_NAMED ? Reflect.apply(makeAll, new.target, arguments) : make(point, new.target, count, a, b, c, d);
    // @ts-ignore
    const self = this === homeShadow ? holder : unwrapSelf(this);
    const outer = childMs[0];
    if (outer < -2147483648 || goesLongWay(point, count, a, b, c, d)) return Reflect.apply(long, self, arguments);
    slots[0]++;
    const timing = --slots[2] <= 0 ? beginTimed(point) : null;
    const before = ticks[0];
    const result = Reflect.apply(fn, self, arguments);
    slots[1]++;
    if (timing === null && ticks[0] === before) childMs[0] += slots[3];
    else endSeen(timing, point, before, outer, result, count, a, b, c, d);
    return mayBeOurs(result) ? mayHandOut(point, result) : result;
  };
}

/**
 * @param {FunctionPoint} point
 * @param {Function} fn
 * @param {any} holder
 * @param {any} homeShadow
 * @param {Float64Array} slots
 * @param {Int32Array} ticks
 * @param {Float64Array} childMs
 * @param {Function} long
 */
function callable(point, fn, holder, homeShadow, slots, ticks, childMs, long) {
  // A method has no [[Construct]] and no `prototype`, like the arrow functions, methods and async functions it stands for.
  return {
    closure(/** @type {any} */ a, /** @type {any} */ b, /** @type {any} */ c, /** @type {any} */ d) {
      const self = this === homeShadow ? holder : unwrapSelf(this);
      const outer = childMs[0];
      const count = arguments.length;
      if (outer < -2147483648 || goesLongWay(point, count, a, b, c, d)) return Reflect.apply(long, self, arguments);
      slots[0]++;
      const timing = --slots[2] <= 0 ? beginTimed(point) : null;
      const before = ticks[0];
      const result = Reflect.apply(fn, self, arguments);
      slots[1]++;
      if (timing === null && ticks[0] === before) childMs[0] += slots[3];
      else endSeen(timing, point, before, outer, result, count, a, b, c, d);
      return mayBeOurs(result) ? mayHandOut(point, result) : result;
    },
  }.closure;
}

exports.closureOf = closureOf;
