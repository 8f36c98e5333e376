'use strict';

// Follows callbacks: when they are called, how long after the call, and whether with an error.
// In: a function given as last argument. Out: a closure before it. The same function gives the same closure to the
// same point, so that `watch(f)` and `unwatch(f)` mean the same; and a closure that comes back is unwrapped.
// The time in a callback is not its caller's: it is taken from the call that runs it, and given back to the file that passed it, which
// is whose code it is. Only some are timed; the others count with the mean.

const { childMs } = require('../profile/inside');
const { followed } = require('../profile/later');
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

/** Callbacks whose mean is below this are timed once in so many times. */
const CHEAP_MS = 0.02;
const TIMED_EVERY = 32;
const TIMED_AT_FIRST = 4;

/** @type {WeakMap<FunctionPoint, WeakMap<Function, Call>>} */
const calls = new WeakMap();

/** @type {WeakMap<Function, Call>} of each callback that may be called at once now: the first call that it was given to */
const owners = new WeakMap();

/** The calls of one point with one callback. */
class Call {
  #point;
  #callback;
  #runs = 0;
  #meanMs = 0;
  /** @type {number[]} of each call that is on the stack now, the innermost last: what the callback took, which is not the callee's */
  #givenMs = [];
  /** @type {ReturnType<typeof followed>} set while the call that passed it is followed */
  #follow = null;
  /** @type {number[]} ms, when each open call began, oldest first */
  #open = [];

  /** @param {FunctionPoint} point @param {Function} callback */
  constructor(point, callback) {
    this.#point = point;
    this.#callback = callback;
    const call = this;
    this.closure = /** @this {any} @param {any[]} args */ function (...args) {
      call.#done(args[0]);
      return call.#run(this, args);
    };
    imitate(this.closure, callback);
    register(this.closure, callback);
  }

  begin() {
    this.#givenMs.push(0);
    this.#follow = followed();
    this.#follow?.owe(this);
    if (!owners.has(this.#callback)) owners.set(this.#callback, this);
    if (this.#open.length >= MOST_OPEN) this.#open.shift();
    else this.#point.meter.slots[SLOT.pending]++;
    this.#open.push(performance.now());
  }

  /** The function has returned: what is called from now on is called later. */
  returned() {
    childMs[0] -= this.#givenMs.pop() ?? 0;
    if (this.#givenMs.length === 0 && owners.get(this.#callback) === this) owners.delete(this.#callback);
  }

  /** The function threw, so no callback is owed. */
  forget() {
    this.returned();
    if (this.#open.pop() !== undefined) this.#point.meter.slots[SLOT.pending]--;
  }

  /** @param {any} self @param {any[]} args */
  #run(self, args) {
    const follow = this.#follow;
    if (follow !== null && this.#givenMs.length === 0) return this.#runFollowed(follow, self, args);
    if (follow !== null) {
      follow.forgive(this);
      this.#follow = null;
    }
    const runs = this.#runs++;
    if (runs > TIMED_AT_FIRST && this.#meanMs < CHEAP_MS && runs % TIMED_EVERY !== 0) {
      const result = Reflect.apply(this.#callback, self, args);
      childMs[0] += this.#meanMs;
      this.#giveBack(this.#meanMs);
      return result;
    }
    const outer = childMs[0];
    childMs[0] = 0;
    const start = performance.now();
    try {
      return Reflect.apply(this.#callback, self, args);
    } finally {
      const ms = performance.now() - start;
      const own = ms - childMs[0];
      childMs[0] = outer + ms;
      this.#giveBack(own);
      this.#meanMs += (own - this.#meanMs) / Math.min(runs + 1, 8);
    }
  }

  /** Notes what the file that passed the callback gets back; of a callback that was passed on, the first one. @param {number} ms */
  #giveBack(ms) {
    const given = (owners.get(this.#callback) ?? this).#givenMs;
    if (given.length > 0) given[given.length - 1] += ms;
  }

  /** @param {NonNullable<ReturnType<typeof followed>>} follow @param {any} self @param {any[]} args */
  #runFollowed(follow, self, args) {
    this.#follow = null;
    follow.enter(this);
    try {
      return Reflect.apply(this.#callback, self, args);
    } finally {
      follow.leave();
    }
  }

  /** @param {unknown} first argument: the error, by convention */
  #done(first) {
    const { meter } = this.#point;
    meter.seeKind(this.#givenMs.length > 0 ? 'sync-callback' : 'callback');
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
