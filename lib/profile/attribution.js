'use strict';

// Attributes time: how much of a crossing's time belongs to the crossings inside it. In: calls of function points. Out: exclusive and
// inclusive times in their meters, the same results and errors.
//
//   childMs[0]   ms taken so far by the crossings that began within the crossing that runs now
//
// A crossing that is timed or may be followed keeps its caller's sum in a local variable, and puts it back with its own time added; any
// other only adds to it, as the crossings inside it did. So the stack of the engine is the stack of callers. Who called whom needs no more,
// because a boundary knows the file it belongs to.
//
// A timed call adds its true time to its caller's children, an untimed one its own mean and what its children took, a long one what the
// coarse clock says. So a timed caller needs no timers inside, and what it subtracts is right on average. What a function does later (after
// an await, in a timer) is not on this stack: later.js follows a call for that now and then.

const { types } = require('node:util');
const { Reflect, performance } = require('../engine');
const { childMs } = require('./inside');
const { follow, isToFollow, onLongCall, tellLong, INSIDE, MARK } = require('./later');
const { SLOT, LONG_MS } = require('./meter');
const { ticks, spanSince } = require('./coarse-clock');

/**
 * @typedef {object} Point what is measured
 * @property {Function} fn
 * @property {import('./meter').Meter} meter
 */

/** When paths.js wants to see a call next, ms; and how to show it one. */
let lookAt = Infinity;
/** @type {(point: any, now: number) => number} */
let look = () => Infinity;
/** The clock is read only for one in this many calls that leave. */
const AWAY_EVERY = 16;
let awayDue = AWAY_EVERY;

/**
 * @param {((point: any, now: number) => number) | null} looker shown a timed call, or one that leaves, now and then, while its callers are
 *   on the stack; returns when it wants to see the next, ms; must be quick and must not throw. null: nobody looks
 */
function onLook(looker) {
  look = looker ?? (() => Infinity);
  lookAt = looker === null ? Infinity : 0;
}

/** Called when a call has left for a replica. @param {Point} point */
function lookAway(point) {
  if (--awayDue > 0) return;
  awayDue = AWAY_EVERY;
  const now = performance.now();
  if (now >= lookAt) lookAt = look(point, now);
}

/** The precise timer of a call under way. */
class Timing {
  #meter;
  #point;
  #outer;
  #weight;
  /** @type {ReturnType<typeof follow>} */
  #followed = null;
  #base;
  #start;
  #ms = 0;

  /**
   * @param {Point} point its `calls` are already counted
   * @param {boolean} isCareful `end` is called even if it throws, so the call may be followed
   */
  constructor(point, isCareful) {
    const { meter } = point;
    this.#point = point;
    this.#meter = meter;
    this.#outer = this.#base = childMs[0];
    this.#weight = meter.beginSample();
    if (isCareful) {
      this.#followed = follow(point);
      meter.care.awaitFollow(false);
      childMs[0] = this.#base = this.#followed === null ? 0 : MARK;
    } else if (isToFollow(meter)) meter.followNext();
    this.#start = performance.now();
  }

  /** Ends the timing. @param {boolean} hasReturned false: it threw @param {any} result */
  end(hasReturned, result) {
    const end = performance.now();
    const ms = (this.#ms = end - this.#start);
    const inside = childMs[0] - this.#base;
    childMs[0] = this.#outer + ms;
    this.#meter.bookTimed(ms, inside, this.#weight);
    if (!hasReturned) this.#meter.noteThrown();
    this.#followed?.returned(result);
    if (ms - inside >= LONG_MS) tellLong(this.#point, ms - inside);
    if (end >= lookAt) lookAt = look(this.#point, end);
  }

  /** Learns about the function from the arguments and the result. @param {any[]} args @param {any} result */
  learn(args, result) {
    this.#meter.see(args, result);
    const { smallestLong, slots } = this.#meter;
    if (this.#ms >= LONG_MS) smallestLong.see(args, this.#ms, slots[SLOT.samples] <= 1);
    if (!this.#meter.isExact && isPromise(result)) this.#meter.watch(result, this.#start, this.#weight);
  }
}

/**
 * Runs a call with a precise timer, and notices at once if it throws.
 * @param {Point} point its `calls` are already counted
 * @param {unknown} self
 * @param {any[]} args
 * @param {Function | undefined} newTarget undefined: a call, not `new`
 * @returns {any} what the function returns, or throws
 */
function runTimed(point, self, args, newTarget) {
  const { fn, meter } = point;
  meter.slots[SLOT.depth]++;
  const timing = new Timing(point, true);
  let result;
  let hasReturned = false;
  try {
    result = newTarget === undefined ? Reflect.apply(fn, self, args) : Reflect.construct(fn, args, newTarget);
    hasReturned = true;
  } finally {
    meter.slots[SLOT.depth]--;
    timing.end(hasReturned, result);
  }
  if (newTarget === undefined) timing.learn(args, result);
  else meter.seeKind('constructor');
  return result;
}

/**
 * Runs a call with counters only, and notices at once if it throws. The wrapper of a function does the same, and what `runTimed` does, in
 * its own body (wrap/crossing.js), except for noticing.
 * @param {Point} point
 * @param {unknown} self
 * @param {any[]} args
 * @param {Function | undefined} newTarget
 * @returns {any}
 */
function runCounted(point, self, args, newTarget) {
  const { fn } = point;
  const { slots } = point.meter;
  const before = ticks[0];
  const outer = childMs[0];
  childMs[0] = 0;
  slots[SLOT.depth]++;
  let hasReturned = false;
  try {
    const result = newTarget === undefined ? Reflect.apply(fn, self, args) : Reflect.construct(fn, args, newTarget);
    hasReturned = true;
    return result;
  } finally {
    slots[SLOT.depth]--;
    if (!hasReturned) point.meter.noteThrown();
    childMs[0] += outer;
    if (ticks[0] === before) childMs[0] += slots[SLOT.mean];
    else settleTicks(point, before, outer, args);
  }
}

/**
 * Call it when nothing of the program is on the stack: crossings from now on are inside none. The mark of a followed call stays: it may
 * have set off a timer of ours.
 */
function beginTurn() {
  if (childMs[0] >= INSIDE) childMs[0] = 0;
}

/**
 * Ends an untimed call during which the coarse clock ticked.
 * @param {Point} point
 * @param {number} before the clock when the call began
 * @param {number} outer what the caller's children had taken before; what this call's children have taken since is added
 * @param {any[]} args of the call
 */
function settleTicks(point, before, outer, args) {
  const { meter } = point;
  const ms = spanSince(before);
  if (ms < LONG_MS) {
    // By chance, or because calls now take some ms: we look at most a hundred times a second.
    meter.hurry();
    childMs[0] += meter.slots[SLOT.mean];
    return;
  }
  const inside = childMs[0] - outer;
  childMs[0] = outer + ms;
  meter.bookLong(ms, inside);
  meter.smallestLong.see(args, ms);
  if (ms - inside >= LONG_MS) tellLong(point, ms - inside);
}

/** @param {unknown} value @returns {value is Promise<unknown>} */
function isPromise(value) {
  return typeof value === 'object' && value !== null && types.isPromise(value);
}

exports.Timing = Timing;
exports.beginTurn = beginTurn;
exports.childMs = childMs;
exports.lookAway = lookAway;
exports.onLongCall = onLongCall;
exports.onLook = onLook;
exports.runTimed = runTimed;
exports.runCounted = runCounted;
exports.settleTicks = settleTicks;
