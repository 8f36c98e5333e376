'use strict';

// Follows callbacks: when they are called, how long after the call, and whether with an error.
// In: a function given as last argument. Out: a closure before it. The same function gives the same closure to the
// same point, so that `watch(f)` and `unwatch(f)` mean the same; and a closure that comes back is unwrapped.

const { SLOT } = require('../profile/meter');
const { register } = require('./originals');
const { isClassLike } = require('./values');

// The program may put others in the place of these while we run.
const { WeakMap } = globalThis;

/** @typedef {import('./point').FunctionPoint} FunctionPoint */

/** Functions that take listeners, not callbacks: they may be called never or often, and mean no completion. */
const LISTENING = /^(?:on|once|off|use|(?:add|remove|prepend|un)\w*|(?:un)?(?:watch|watchFile|subscribe)|create\w*|register)$/;

/** A closure called never must not collect the times of its calls without end. */
const MOST_OPEN = 1024;

/** @type {WeakMap<FunctionPoint, WeakMap<Function, Call>>} */
const calls = new WeakMap();

/** The calls of one point with one callback. */
class Call {
  #point;
  /** @type {number[]} ms, when each open call began, oldest first */
  #open = [];
  #isInside = false;

  /** @param {FunctionPoint} point @param {Function} callback */
  constructor(point, callback) {
    this.#point = point;
    const call = this;
    this.closure = /** @this {any} @param {any[]} args */ function (...args) {
      call.#done(args[0]);
      return Reflect.apply(callback, this, args);
    };
    imitate(this.closure, callback);
    register(this.closure, callback);
  }

  begin() {
    this.#isInside = true;
    if (this.#open.length >= MOST_OPEN) this.#open.shift();
    else this.#point.meter.slots[SLOT.pending]++;
    this.#open.push(performance.now());
  }

  /** The function has returned: what is called from now on is called later. */
  returned() {
    this.#isInside = false;
  }

  /** The function threw, so no callback is owed. */
  forget() {
    this.#isInside = false;
    if (this.#open.pop() !== undefined) this.#point.meter.slots[SLOT.pending]--;
  }

  /** @param {unknown} first argument: the error, by convention */
  #done(first) {
    const { meter } = this.#point;
    meter.seeKind(this.#isInside ? 'sync-callback' : 'callback');
    // With several calls open it does not matter which one this was: the sum of the latencies is the same.
    const start = this.#open.shift();
    if (start === undefined) return;
    meter.complete(performance.now() - start);
    if (first instanceof Error) meter.slots[SLOT.failures]++;
  }
}

/**
 * @param {FunctionPoint} point
 * @param {Function} callback
 * @returns {Call | null} null when it is no callback
 */
function trackedCallback(point, callback) {
  const name = point.path.length > 0 ? String(point.path[point.path.length - 1]) : '';
  // A class, or a function of the module itself, is passed for what it is, and may be compared.
  if (LISTENING.test(name) || isClassLike(callback) || point.boundary.hasWrapped(callback)) return null;
  let ofPoint = calls.get(point);
  if (ofPoint === undefined) calls.set(point, (ofPoint = new WeakMap()));
  let call = ofPoint.get(callback);
  if (call === undefined) ofPoint.set(callback, (call = new Call(point, callback)));
  return call;
}

/**
 * Some modules look at a callback before they call it.
 * @param {Function} closure
 * @param {Function} callback
 */
function imitate(closure, callback) {
  if (callback.length !== 0) Object.defineProperty(closure, 'length', { value: callback.length, configurable: true });
  if (Object.keys(callback).length > 0) Object.setPrototypeOf(closure, callback);
}

exports.trackedCallback = trackedCallback;
