'use strict';

// Follows callbacks: when they are called, how long after the call, and whether with an error. In: a function given as last argument. Out:
// a closure in front of it. A function gets the same closure for all functions of a module, so that `attach(f)` and `detach(f)` still
// match; a closure that comes back, also as a result, is unwrapped. The time in a callback does not belong to the function that runs it: it
// is taken from that call, and credited to the file that passed the callback, whose code it is. Only some callbacks are timed; the others
// count with the mean.

const { Math, arrayFrom, performance } = require('../engine');
const { makeStamps } = require('../object/stamps');
const { childMs } = require('../profile/inside');
const { followed } = require('../profile/later');
const { SLOT } = require('../profile/meter');
const { standIn } = require('../session/stand-in');
const { standFor, unwrap } = require('./originals');
const { hasMembers } = require('./source');
const { makesItsOwn } = require('./values');

// The program may replace these globals while we run.
const { WeakMap } = globalThis;

/** @typedef {import('./point').FunctionPoint} FunctionPoint */

/** Functions that take listeners rather than callbacks: these may be called never or often, and do not mean that the call has ended. */
const LISTENING =
  /^(?:on|once|off|use|(?:add|remove|prepend)\w*|un(?:bind|listen)?|(?:un)?(?:watch|watchFile|subscribe|register)|create\w*)$/;

/** A limit, so that a closure that is never called does not collect start times without end. */
const MOST_OPEN = 1024;

/** Callbacks with a mean below this are timed only once in TIMED_EVERY. */
const CHEAP_MS = 0.02;
const TIMED_EVERY = 64;
const TIMED_AT_FIRST = 4;

// Most callbacks are made for one call and gone with it. What we know of them is kept on them, since each entry in a table costs the
// collector microseconds.
/** By callback: its Calls at the first edge that was given it, one for each function. */
const calls = /** @type {ReturnType<typeof makeStamps<Call[]>>} */ (makeStamps());
/** The same for every other edge. @type {WeakMap<object, WeakMap<Function, Call[]>>} */
const callsElsewhere = new WeakMap();

/** @type {Call[]} those whose function is on the stack now, innermost last */
const running = [];

/** The calls of one point with one callback. */
class Call {
  #point;
  #callback;
  #runs = 0;
  #meanMs = 0;
  /** How many of the calls are on the stack now. */
  #depth = 0;
  /** Time that the callback took within the innermost of them, which is not the callee's; and, below, within those around it. */
  #givenMs = 0;
  /** @type {number[]} */
  #givenAround = [];
  /** Of the calls on the stack, the first that was given the callback: a module may pass on what it got. @type {Call} */
  #owner = this;
  /** Calls until the next timed one. */
  #due = 0;
  /** @type {ReturnType<typeof followed>} set while the call that passed the callback is followed */
  #follow = null;
  /** @type {number[]} ms, when each open call began, oldest first */
  #open = [];

  #siblings;

  /** @param {FunctionPoint} point @param {Function} callback @param {Call[]} siblings with this callback at the edge, and soon this one */
  constructor(point, callback, siblings) {
    this.#point = point;
    this.#callback = callback;
    this.#siblings = siblings;
    this.closure = siblings.length > 0 ? siblings[0].closure : closureOf(this, callback);
    siblings.push(this);
  }

  /** The closure was called. @param {any} self @param {ArrayLike<any>} args */
  enter(self, args) {
    const call = this.#siblings.length === 1 ? this : Call.#whose(this.#siblings);
    call.#done(args);
    if (call.#due <= 0 || call.#follow !== null) return call.#runTimed(self, args);
    call.#due--;
    const result = Reflect.apply(call.#callback, self, args);
    childMs[0] += call.#meanMs;
    call.#owner.#givenMs += call.#meanMs;
    return result;
  }

  /** @param {Call[]} siblings @returns {Call} the one whose function runs now, else one that waits for its callback */
  static #whose(siblings) {
    return running.findLast((call) => siblings.includes(call)) ?? siblings.find((call) => call.#open.length > 0) ?? siblings[0];
  }

  get point() {
    return this.#point;
  }

  /** @param {number} now ms */
  begin(now) {
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
    this.#open.push(now);
  }

  /** Called when the function has returned: later runs of the callback are asynchronous. */
  returned() {
    running.pop();
    childMs[0] -= this.#givenMs;
    this.#givenMs = 0;
    if (--this.#depth > 0) this.#givenMs = this.#givenAround.pop() ?? 0;
    else this.#owner = this;
  }

  /** Called when the function threw, so no callback is due. */
  forget() {
    this.returned();
    if (this.#open.pop() !== undefined) this.#point.meter.slots[SLOT.pending]--;
  }

  /** @param {any} self @param {ArrayLike<any>} args */
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

  /** @param {NonNullable<ReturnType<typeof followed>>} follow @param {any} self @param {ArrayLike<any>} args */
  #runFollowed(follow, self, args) {
    follow.enter(this);
    try {
      return Reflect.apply(this.#callback, self, args);
    } finally {
      follow.leave();
    }
  }

  /** @param {ArrayLike<unknown>} results the first is the error, by convention */
  #done(results) {
    const { meter } = this.#point;
    meter.seeKind(this.#depth > 0 ? 'sync-callback' : 'callback');
    // With several open calls it does not matter which one this was: the sum of the latencies is the same.
    const start = this.#open.shift();
    if (start === undefined) return;
    meter.complete(performance.now() - start);
    if (results[0] instanceof Error) meter.slots[SLOT.failures]++;
    else if (meter.samples !== null && meter.samples.owed > 0) meter.samples.takeLate(arrayFrom(results));
  }
}

/**
 * @param {FunctionPoint} point
 * @param {Function} callback
 * @returns {Call | null} null if it is not a callback
 */
function trackedCallback(point, callback) {
  const name = point.path.length > 0 ? String(point.path[point.path.length - 1]) : '';
  // Classes and functions of the module itself are passed as what they are, and may be compared.
  if (LISTENING.test(name) || makesItsOwn(callback) || point.boundary.hasWrapped(callback)) return null;
  const siblings = siblingsOf(point.boundary, callback);
  return siblings.find((call) => call.point === point) ?? new Call(point, callback, siblings);
}

/** @param {object} boundary @param {Function} callback @returns {Call[]} those with this callback at this edge */
function siblingsOf(boundary, callback) {
  let siblings = calls.get(callback);
  if (siblings === undefined) calls.set(callback, (siblings = []));
  if (siblings.length === 0 || siblings[0].point.boundary === boundary) return siblings;
  let ofEdge = callsElsewhere.get(boundary);
  if (ofEdge === undefined) callsElsewhere.set(boundary, (ofEdge = new WeakMap()));
  let others = ofEdge.get(callback);
  if (others === undefined) ofEdge.set(callback, (others = []));
  return others;
}

/** A module may read the names of the parameters (awilix). */
const SOURCE = {
  /** @this {any} */
  value: function toString() {
    return Function.prototype.toString.call(unwrap(this));
  },
  configurable: true,
  writable: true,
};

/**
 * Some modules look at a callback before they call it, so the closure looks like it.
 * @param {Call} call
 * @param {Function} callback
 * @returns {Function} that stands for it
 */
function closureOf(call, callback) {
  const closure = standIn(call, callback);
  Object.defineProperty(closure, 'toString', SOURCE);
  const prototype = Object.getPrototypeOf(callback);
  if (hasMembers(callback)) Object.setPrototypeOf(closure, callback);
  // This prototype tells async functions and generators from functions that take a callback (package async).
  else if (prototype !== Function.prototype) Object.setPrototypeOf(closure, prototype);
  standFor(closure, callback);
  return closure;
}

exports.trackedCallback = trackedCallback;
