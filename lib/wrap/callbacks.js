'use strict';

// Follows callbacks: when they are called, how long after the call, and whether with an error.
// In: a function given as last argument. Out: a closure before it. The same function gives the same closure to all functions of a
// module, so that `attach(f)` and `detach(f)` mean the same; and a closure that comes back is unwrapped, also as a result.
// The time in a callback is not its caller's: it is taken from the call that runs it, and given back to the file that passed it, which
// is whose code it is. Only some are timed; the others count with the mean.

const { performance } = require('../engine');
const { childMs } = require('../profile/inside');
const { followed } = require('../profile/later');
const { SLOT } = require('../profile/meter');
const { register } = require('./originals');
const { makesItsOwn } = require('./values');

// The program may put others in the place of these while we run.
const { WeakMap } = globalThis;

/** @typedef {import('./point').FunctionPoint} FunctionPoint */

/** Functions that take listeners, not callbacks: they may be called never or often, and mean no completion. */
const LISTENING =
  /^(?:on|once|off|use|(?:add|remove|prepend)\w*|un(?:bind|listen)?|(?:un)?(?:watch|watchFile|subscribe|register)|create\w*)$/;

/** A closure called never must not collect the times of its calls without end. */
const MOST_OPEN = 1024;

/** Callbacks whose mean is below this are timed once in so many times. */
const CHEAP_MS = 0.02;
const TIMED_EVERY = 64;
const TIMED_AT_FIRST = 4;

/** By the edge, and the callback: its calls, one for each function that it was given to. @type {WeakMap<object, WeakMap<Function, Call[]>>} */
const calls = new WeakMap();

/** @type {WeakMap<Function, Function>} closure to callback */
const callbacks = new WeakMap();

/** @type {Call[]} those whose function is on the stack now, the innermost last */
const running = [];

/** The calls of one point with one callback. */
class Call {
  #point;
  #callback;
  #runs = 0;
  #meanMs = 0;
  /** How many of the calls are on the stack now. */
  #depth = 0;
  /** What the callback took within the innermost of them, which is not the callee's; and within those around it. */
  #givenMs = 0;
  /** @type {number[]} */
  #givenAround = [];
  /** The first call that the callback was given to, among those on the stack: a module may pass on what it got. @type {Call} */
  #owner = this;
  /** Runs to the next timed one. */
  #due = 0;
  /** @type {ReturnType<typeof followed>} set while the call that passed it is followed */
  #follow = null;
  /** @type {number[]} ms, when each open call began, oldest first */
  #open = [];

  /** @type {(this: any, ...args: any[]) => any} */
  #timed;

  /** @param {FunctionPoint} point @param {Function} callback @param {Call[]} siblings with this callback at the same edge; gets one more */
  constructor(point, callback, siblings) {
    this.#point = point;
    this.#callback = callback;
    const first = siblings[0] ?? this;
    siblings.push(this);
    const one = this;
    this.#timed = function (...args) {
      return one.#runTimed(this, args);
    };
    if (first !== this) {
      this.closure = first.closure;
      return;
    }
    /** @param {any} self @param {any[]} args */
    const enter = (self, args) => {
      const call = siblings.length === 1 ? first : Call.#whose(siblings);
      call.#done(args);
      // `Reflect.apply` hands the arguments on without making a list of them.
      if (call.#due <= 0 || call.#follow !== null) return Reflect.apply(call.#timed, self, args);
      call.#due--;
      const result = Reflect.apply(callback, self, args);
      childMs[0] += call.#meanMs;
      call.#owner.#givenMs += call.#meanMs;
      return result;
    };
    this.closure = standIn(enter, callback);
    resemble(this.closure, callback);
    register(this.closure, callback);
    callbacks.set(this.closure, callback);
  }

  /** @param {Call[]} siblings @returns {Call} the one whose function runs now, else one that waits for it to be called */
  static #whose(siblings) {
    return running.findLast((call) => siblings.includes(call)) ?? siblings.find((call) => call.#open.length > 0) ?? siblings[0];
  }

  get point() {
    return this.#point;
  }

  begin() {
    if (this.#depth++ > 0) this.#givenAround.push(this.#givenMs);
    this.#givenMs = 0;
    this.#follow = followed();
    this.#follow?.owe(this);
    for (const call of running) {
      if (call.#callback === this.#callback) {
        this.#owner = call;
        break;
      }
    }
    running.push(this);
    if (this.#open.length >= MOST_OPEN) this.#open.shift();
    else this.#point.meter.slots[SLOT.pending]++;
    this.#open.push(performance.now());
  }

  /** The function has returned: what is called from now on is called later. */
  returned() {
    running.pop();
    childMs[0] -= this.#givenMs;
    this.#givenMs = 0;
    if (--this.#depth > 0) this.#givenMs = this.#givenAround.pop() ?? 0;
    else this.#owner = this;
  }

  /** The function threw, so no callback is owed. */
  forget() {
    this.returned();
    if (this.#open.pop() !== undefined) this.#point.meter.slots[SLOT.pending]--;
  }

  /** @param {any} self @param {any[]} args */
  #runTimed(self, args) {
    const follow = this.#follow;
    this.#follow = null;
    if (follow !== null && this.#depth === 0) return this.#runFollowed(follow, self, args);
    follow?.forgive(this);
    const owner = this.#owner;
    const outer = childMs[0];
    childMs[0] = 0;
    const start = performance.now();
    try {
      return Reflect.apply(this.#callback, self, args);
    } finally {
      const ms = performance.now() - start;
      const own = ms - childMs[0];
      childMs[0] = outer + ms;
      owner.#givenMs += own;
      this.#runs++;
      this.#meanMs += (own - this.#meanMs) / Math.min(this.#runs, 8);
      this.#due = this.#meanMs < CHEAP_MS && this.#runs >= TIMED_AT_FIRST ? TIMED_EVERY : 0;
    }
  }

  /** @param {NonNullable<ReturnType<typeof followed>>} follow @param {any} self @param {any[]} args */
  #runFollowed(follow, self, args) {
    follow.enter(this);
    try {
      return Reflect.apply(this.#callback, self, args);
    } finally {
      follow.leave();
    }
  }

  /** @param {unknown[]} results the first is the error, by convention */
  #done(results) {
    const { meter } = this.#point;
    meter.seeKind(this.#depth > 0 ? 'sync-callback' : 'callback');
    // With several calls open it does not matter which one this was: the sum of the latencies is the same.
    const start = this.#open.shift();
    if (start === undefined) return;
    meter.complete(performance.now() - start);
    if (results[0] instanceof Error) meter.slots[SLOT.failures]++;
    else meter.samples?.takeLate(results);
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
  if (LISTENING.test(name) || makesItsOwn(callback) || point.boundary.hasWrapped(callback)) return null;
  let ofEdge = calls.get(point.boundary);
  if (ofEdge === undefined) calls.set(point.boundary, (ofEdge = new WeakMap()));
  let siblings = ofEdge.get(callback);
  if (siblings === undefined) ofEdge.set(callback, (siblings = []));
  return siblings.find((call) => call.point === point) ?? new Call(point, callback, siblings);
}

/** @param {Function} closure @returns {Function | undefined} the callback behind it, if it is one of ours */
const callbackBehind = (closure) => callbacks.get(closure);

/**
 * A module may tell a class by its `prototype` (kysely), which an arrow function has not.
 * @param {(self: any, args: any[]) => any} enter
 * @param {Function} callback
 * @returns {(this: any, ...args: any[]) => any}
 */
function standIn(enter, callback) {
  if (Object.hasOwn(callback, 'prototype')) {
    return /** @this {any} @param {any[]} args */ function (...args) {
      return enter(this, args);
    };
  }
  return {
    /** @this {any} @param {any[]} args */
    closure(...args) {
      return enter(this, args);
    },
  }.closure;
}

/** A module may read the names of its parameters (awilix). */
const SOURCE = {
  /** @this {any} */
  value: function toString() {
    return Function.prototype.toString.call(callbacks.get(this) ?? this);
  },
  configurable: true,
  writable: true,
};

/**
 * Some modules look at a callback before they call it.
 * @param {Function} closure
 * @param {Function} callback
 */
function resemble(closure, callback) {
  Object.defineProperty(closure, 'name', { value: callback.name, configurable: true });
  Object.defineProperty(closure, 'toString', SOURCE);
  if (callback.length !== 0) Object.defineProperty(closure, 'length', { value: callback.length, configurable: true });
  const prototype = Object.getPrototypeOf(callback);
  if (Object.keys(callback).length > 0) Object.setPrototypeOf(closure, callback);
  // By this an async function, or a generator, is told from one that is to be given a callback (package async).
  else if (prototype !== Function.prototype) Object.setPrototypeOf(closure, prototype);
}

exports.callbackBehind = callbackBehind;
exports.trackedCallback = trackedCallback;
