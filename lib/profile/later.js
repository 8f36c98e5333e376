'use strict';

// Measures what a call does after it has returned: in promise continuations, timers, and callbacks that it passed to built-ins. In: now and
// then one timed call, to be followed. Out: what its continuations took, as a mean per call, in its meter.
//
// Nothing on the stack says whose a continuation is, and hooks that say so (node:async_hooks) make an `await` five times as expensive. So
// they are on only while one call is followed. One call in a second or so is enough for a mean, and none is followed while the event loop
// is idle, or while the calls themselves explain what keeps it busy.
//
//   call begins   returns       continuation          ends: promise settled and nothing owed, or MOST_MS are over
//   |--- MARK ----|             |--- MARK ---|        |
//   hooks on ------------------------------------------ hooks off, and not on again for REST times what this cost
//
// While the followed code itself runs, the sum of its crossings (inside.js) counts up from MARK; a crossing inside it takes the long way
// and begins at 0. So for each promise, timer or request that is made, the sum tells whether the followed code makes it or another module
// inside, and the wrappers need to know nothing of this.

const { createHook } = require('node:async_hooks');
const { types } = require('node:util');
const { Math, Set, clearInterval, performance, queueMicrotask, setInterval, setTimeout } = require('../engine');
const { childMs } = require('./inside');
const { SLOT, LONG_MS } = require('./meter');
const { isOpen } = require('./open-promise');
const { chance } = require('./random');

const { resourceUsage } = process;

/** @typedef {{meter: import('./meter').Meter}} Point the function that is followed */

/** Far below any real sum, yet small enough that a nanosecond added to it still counts. */
const MARK = -(2 ** 32);
/** Sums below this belong to the followed code itself. */
const INSIDE = MARK / 2;

const LOOK_MS = 10;
const MOST_MS = 250;
/** What a followed call makes beyond this number is not followed. */
const MOST_MADE = 50_000;
/** What following costs (docs/benchmarks.md), and how many times longer we rest after it: at most half a percent of the time is lost. */
const START_COST_MS = 0.03;
const EVENT_COST_MS = 0.001;
const REST = 200;
/** A meter's turn comes again after this; the time doubles after each follow that found nothing, up to 512 times. */
const TURN_MS = 20;
const LONGEST_TURN_MS = 512 * TURN_MS;

/** This part of the window must be unexplained before anything is followed. */
const LEAST_UNKNOWN = 0.1;
const LEAST_BUSY = 0.3;

let isAllowed = false;
let nextAt = 0;
/** @type {Follow | null} */
let current = null;
/** Above 0 while the followed code is inside a built-in, which makes requests on its behalf. */
let lent = 0;

/** @type {(point: any, ms: number) => void} */
let listener = () => {};

class Follow {
  /** @type {Set<unknown>} ids of what the followed code made */
  #made = new Set();
  /** @type {Set<unknown>} those that have yet to run */
  #owed = new Set();
  /** @type {{key: unknown, outer: number, start: number}[]} extents of the followed code that run now, innermost last */
  #open = [];
  #ownMs = 0;
  #allMs = 0;
  #events = 0;
  #interruptions = interruptions();
  #looks = 0;
  #quiet = 0;
  #isCalled = true;
  /** @type {Promise<unknown> | null} */
  #promise = null;
  #point;
  #hook;
  #timer;

  /** @param {Point} point */
  constructor(point) {
    this.#point = point;
    this.#hook = createHook({
      init: (id, type) => {
        this.#events++;
        if (childMs[0] < INSIDE || lent > 0) this.#make(id, type);
      },
      before: (id) => {
        this.#events++;
        if (this.#made.has(id)) this.enter(id);
      },
      after: (id) => {
        if (this.#open.at(-1)?.key === id) this.leave();
      },
    });
    // Unref'd, and made before the hooks are on, so that it belongs to nobody.
    this.#timer = setInterval(() => this.#look(), LOOK_MS).unref();
    this.#hook.enable();
  }

  /** @param {number} id @param {string} type */
  #make(id, type) {
    if (this.#made.size >= MOST_MADE) return;
    this.#made.add(id);
    if (type !== 'PROMISE') this.#owed.add(id);
  }

  /** The call has returned. @param {unknown} result */
  returned(result) {
    this.#isCalled = false;
    if (types.isPromise(result)) this.#promise = result;
    if (this.#made.size === 0 && this.#owed.size === 0 && (this.#promise === null || !isOpen(this.#promise))) this.end();
  }

  /** Notes that something will be called back on behalf of the followed code. @param {unknown} key */
  owe(key) {
    this.#owed.add(key);
  }

  /** @param {unknown} key that was owed and will not come, because it was called synchronously */
  forgive(key) {
    this.#owed.delete(key);
  }

  /** Called when the followed code runs again. @param {unknown} key */
  enter(key) {
    this.#quiet = 0;
    this.#open.push({ key, outer: childMs[0], start: performance.now() });
    childMs[0] = MARK;
  }

  /** Called when it has ended; what it ran inside of is not charged for it. */
  leave() {
    const extent = this.#open.pop();
    if (extent === undefined) return;
    const ms = performance.now() - extent.start;
    const own = ms - (childMs[0] - MARK);
    childMs[0] = extent.outer + ms;
    this.#ownMs += own;
    this.#allMs += ms;
    this.#owed.delete(extent.key);
    const { slots } = this.#point.meter;
    if (own > slots[SLOT.longest]) slots[SLOT.longest] = own;
    if (own >= LONG_MS) tellLong(this.#point, own);
    if (this.#open.length === 0 && this.#owed.size === 0 && this.#promise !== null && !isOpen(this.#promise)) this.end();
  }

  #look() {
    this.#looks++;
    this.#quiet++;
    const isSettled = this.#promise === null ? this.#quiet > 2 : !isOpen(this.#promise);
    if ((isSettled && this.#owed.size === 0) || this.#looks * LOOK_MS >= MOST_MS) this.end();
  }

  /** Stops following. Idempotent. */
  end() {
    if (current !== this || this.#isCalled) return;
    current = null;
    lent = 0;
    // Not now: if a hook is disabled in a callback of its own, Node leaves its promise hooks on for good, and each promise costs more from
    // then on.
    queueMicrotask(() => this.#hook.disable());
    clearInterval(this.#timer);
    // An extent without an end: its error was caught by the program as an uncaught one.
    if (this.#open.length > 0) childMs[0] = this.#open[0].outer;
    this.#open.length = 0;
    this.#made.clear();
    const { later } = this.#point.meter;
    later.learn(this.#ownMs, this.#allMs, interruptions() > this.#interruptions);
    const now = performance.now();
    nextAt = now + REST * (START_COST_MS + this.#events * EVENT_COST_MS);
    later.turnMs = this.#allMs > 0 ? TURN_MS : Math.min(LONGEST_TURN_MS, 2 * Math.max(TURN_MS / 2, later.turnMs));
    // After the rest, so that others get a chance in between.
    later.turnAt = nextAt + later.turnMs;
    // Otherwise it would wait for the next call that is timed anyway. The more calls are followed, the less one that was interrupted
    // counts.
    if (this.#allMs > 0) setTimeout(hurryFollowed, later.turnAt - now, this.#point.meter).unref();
  }
}

/**
 * Whether a call that is being timed should be followed, too.
 * @param {Point} point
 * @returns {Follow | null} null: no, or not now
 */
function follow(point) {
  if (!isAllowed) return null;
  const { meter } = point;
  const now = performance.now();
  if (now < meter.later.turnAt) return null;
  // Without skipping some, the outermost of several would always be chosen.
  if (current !== null || now < nextAt || (meter.later.follows > 0 && chance() < 0.5)) {
    if (meter.kind !== 'sync') meter.hurry();
    return null;
  }
  current = new Follow(point);
  return current;
}

/** Whether the next call should be timed so that it can be followed, which needs a `try` around it. @param {Point['meter']} meter */
function isToFollow(meter) {
  return isAllowed && current === null && performance.now() >= Math.max(nextAt, meter.later.turnAt);
}

/** @returns {number} how often the system took the core away from this process; 0 if it does not say */
function interruptions() {
  return resourceUsage().involuntaryContextSwitches;
}

/**
 * Has the next call of a function timed so that it can be followed, if following is allowed and it is this function's turn.
 * @param {Point['meter']} meter
 */
function hurryFollowed(meter) {
  if (isAllowed && meter.kind !== 'sync' && performance.now() >= meter.later.turnAt) meter.followNext();
}

/** @returns {Follow | null} the follow whose own code runs now */
function followed() {
  return childMs[0] < INSIDE ? current : null;
}

/**
 * Whether the followed code calls into a built-in now: what the built-in makes is then made for it. Call `giveBack` after the call.
 * @returns {boolean}
 */
function lend() {
  if (childMs[0] >= INSIDE) return false;
  lent++;
  return true;
}

function giveBack() {
  if (lent > 0) lent--;
}

/**
 * Allows or forbids following, by how much of the last window is unexplained.
 * @template {{exclusiveMs: number, laterMs: number, windowMs: number}} R
 * @param {R[]} readings
 * @param {{utilisation: number}} loop
 * @returns {R[]} the same readings
 */
function followByNeed(readings, { utilisation }) {
  let known = 0;
  for (const { exclusiveMs, laterMs, windowMs } of readings) known += (exclusiveMs - laterMs) / windowMs;
  allowFollowing(utilisation >= LEAST_BUSY && utilisation - known >= LEAST_UNKNOWN);
  return readings;
}

/** @param {boolean} allowed a call that is followed now goes on to its end */
function allowFollowing(allowed) {
  isAllowed = allowed;
}

/** Ends what is being followed, and follows nothing until it is allowed again. */
function stopFollowing() {
  isAllowed = false;
  current?.end();
  nextAt = 0;
}

/**
 * @param {((point: any, ms: number) => void) | null} tell told at once of each call whose own time was 20 ms or more, and of each
 *   continuation that kept the loop that long; must be quick and must not throw. null: nobody
 */
function onLongCall(tell) {
  listener = tell ?? (() => {});
}

/**
 * What the listener schedules is not work of the followed code, which may be running.
 * @param {Point} point
 * @param {number} ms
 */
function tellLong(point, ms) {
  const sum = childMs[0];
  const wasLent = lent;
  childMs[0] = lent = 0;
  listener(point, ms);
  childMs[0] = sum;
  lent = wasLent;
}

exports.INSIDE = INSIDE;
exports.MARK = MARK;
exports.follow = follow;
exports.isToFollow = isToFollow;
exports.hurryFollowed = hurryFollowed;
exports.followed = followed;
exports.lend = lend;
exports.giveBack = giveBack;
exports.followByNeed = followByNeed;
exports.allowFollowing = allowFollowing;
exports.stopFollowing = stopFollowing;
exports.onLongCall = onLongCall;
exports.tellLong = tellLong;
