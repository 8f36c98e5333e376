'use strict';

// What a call does after it has returned: in promise continuations, timers, and callbacks that it handed to built-ins.
// In: now and then one timed call, to be followed. Out: what its continuations took, as a mean a call, in its meter.
//
// Nothing on the stack says whose a continuation is, and hooks that say so (node:async_hooks) make an `await` five times as dear. So they
// are on only while one call is followed; one call in a second or so is enough for a mean, and none is followed while the event loop is
// idle, or while the calls themselves explain what keeps it busy.
//
//   call begins   returns       continuation          ends: promise settled and nothing owed, or MOST_MS are over
//   |--- MARK ----|             |--- MARK ---|        |
//   hooks on ------------------------------------------ hooks off, and not on again for REST times what this cost
//
// While the followed code itself runs, the sum of its crossings (inside.js) counts up from MARK; a crossing inside it takes the long way
// and begins at 0. So the sum tells, at each promise, timer or request that is made, whether the followed code makes it or another module
// inside, and the wrappers need to know nothing of this.

const { createHook } = require('node:async_hooks');
const { types } = require('node:util');
const { Math, Set, clearInterval, performance, queueMicrotask, setInterval, setTimeout } = require('../engine');
const { childMs } = require('./inside');
const { SLOT, LONG_MS } = require('./meter');
const { isOpen } = require('./open-promise');

const { resourceUsage } = process;

/** @typedef {{meter: import('./meter').Meter}} Point what is followed */

/** Far below all sums there can be, and small enough that a nanosecond still counts beside it. */
const MARK = -(2 ** 32);
/** Sums below this are those of the followed code itself. */
const INSIDE = MARK / 2;

const LOOK_MS = 10;
const MOST_MS = 250;
/** What was made by a followed call beyond this is not followed. */
const MOST_MADE = 50_000;
/** What a follow costs (docs/benchmarks.md), and how much longer than that we rest after it: half a percent of the time at most is lost. */
const START_COST_MS = 0.03;
const EVENT_COST_MS = 0.001;
const REST = 200;
/** A meter's turn comes again after this; twice as late after each follow that found nothing, up to 512 times. */
const TURN_MS = 20;
const LONGEST_TURN_MS = 512 * TURN_MS;

/** Part of the window that must be on nobody's account before anything is followed. */
const LEAST_UNKNOWN = 0.1;
const LEAST_BUSY = 0.3;

let isAllowed = false;
let nextAt = 0;
let random = 0x2545f491;
/** @type {Follow | null} */
let current = null;
/** Above 0 while the followed code is in a built-in, which makes requests on its behalf. */
let lent = 0;

/** @type {(point: any, ms: number) => void} */
let listener = () => {};

class Follow {
  /** @type {Set<unknown>} ids of what the followed code made */
  #made = new Set();
  /** @type {Set<unknown>} those that are still to run */
  #owed = new Set();
  /** @type {{key: unknown, outer: number, start: number}[]} extents of the followed code that run now, the innermost last */
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
    // Unref'd, and made before the hooks are on, so that it is nobody's.
    this.#timer = setInterval(() => this.#look(), LOOK_MS).unref();
    this.#hook.enable();
  }

  /** @param {number} id @param {string} type */
  #make(id, type) {
    if (this.#made.size >= MOST_MADE) return;
    this.#made.add(id);
    if (type !== 'PROMISE') this.#owed.add(id);
  }

  /** The call is over. @param {unknown} result */
  returned(result) {
    this.#isCalled = false;
    if (types.isPromise(result)) this.#promise = result;
    if (this.#made.size === 0 && this.#owed.size === 0 && (this.#promise === null || !isOpen(this.#promise))) this.end();
  }

  /** Something will be called back on behalf of the followed code. @param {unknown} key */
  owe(key) {
    this.#owed.add(key);
  }

  /** @param {unknown} key that was owed and will not come: it was called at once */
  forgive(key) {
    this.#owed.delete(key);
  }

  /** The followed code runs again. @param {unknown} key */
  enter(key) {
    this.#quiet = 0;
    this.#open.push({ key, outer: childMs[0], start: performance.now() });
    childMs[0] = MARK;
  }

  /** It has ended; whatever it runs inside of is not charged for it. */
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

  /** Nothing is followed from here on. Idempotent. */
  end() {
    if (current !== this || this.#isCalled) return;
    current = null;
    lent = 0;
    // Not here: where a hook is disabled in a callback of its own, Node leaves its hooks of promises on for good, and each promise costs
    // more from then on.
    queueMicrotask(() => this.#hook.disable());
    clearInterval(this.#timer);
    // An extent that nobody ended: its error was caught by the program as an uncaught one.
    if (this.#open.length > 0) childMs[0] = this.#open[0].outer;
    this.#open.length = 0;
    this.#made.clear();
    const { later } = this.#point.meter;
    later.learn(this.#ownMs, this.#allMs, interruptions() > this.#interruptions);
    const now = performance.now();
    nextAt = now + REST * (START_COST_MS + this.#events * EVENT_COST_MS);
    later.turnMs = this.#allMs > 0 ? TURN_MS : Math.min(LONGEST_TURN_MS, 2 * Math.max(TURN_MS / 2, later.turnMs));
    // After the rest, so that in between others have a chance.
    later.turnAt = nextAt + later.turnMs;
    // Else it would wait for the next call that is timed anyway: the more are followed, the less one of them says that was interrupted.
    if (this.#allMs > 0) setTimeout(hurryFollowed, later.turnAt - now, this.#point.meter).unref();
  }
}

/**
 * Whether a call that is timed now shall be followed, too.
 * @param {Point} point
 * @returns {Follow | null} null: no, or not now
 */
function follow(point) {
  if (!isAllowed) return null;
  const { meter } = point;
  const now = performance.now();
  if (now < meter.later.turnAt) return null;
  // If it were not skipped at times, the outermost of several would always be the one.
  if (current !== null || now < nextAt || (meter.later.follows > 0 && isSkipped())) {
    if (meter.kind !== 'sync') meter.hurry();
    return null;
  }
  current = new Follow(point);
  return current;
}

/** Whether the next call shall be timed where it may be followed: one without a `try` around it may not. @param {Point['meter']} meter */
function isToFollow(meter) {
  return isAllowed && current === null && performance.now() >= Math.max(nextAt, meter.later.turnAt);
}

/** @returns {number} how often the system took the core from this process; 0 where it does not say */
function interruptions() {
  return resourceUsage().involuntaryContextSwitches;
}

/** @returns {boolean} now so, now so: one step of xorshift32 */
function isSkipped() {
  random ^= random << 13;
  random ^= random >>> 17;
  random ^= random << 5;
  return (random & 64) !== 0;
}

/**
 * Has the next call of a function timed, so that it can be followed, where calls are allowed to be and it is its turn.
 * @param {Point['meter']} meter
 */
function hurryFollowed(meter) {
  if (isAllowed && meter.kind !== 'sync' && performance.now() >= meter.later.turnAt) meter.followNext();
}

/** @returns {Follow | null} the one whose own code runs now */
function followed() {
  return childMs[0] < INSIDE ? current : null;
}

/**
 * Whether a call into a built-in is made by the followed code: what the built-in makes is then made for it. `giveBack` after the call.
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
 * Lets calls be followed or not, by what the last window leaves unexplained.
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

/** @param {boolean} allowed one that is followed now goes on to its end */
function allowFollowing(allowed) {
  isAllowed = allowed;
}

/** Ends what is under way, and follows nothing until it is allowed again. */
function stopFollowing() {
  isAllowed = false;
  current?.end();
  nextAt = 0;
}

/**
 * @param {((point: any, ms: number) => void) | null} tell told at once of each call whose own time was 20 ms or more, and of each
 *   continuation that kept the loop so long;
 * it must be quick and must not throw. null: nobody
 */
function onLongCall(tell) {
  listener = tell ?? (() => {});
}

/**
 * What the listener puts off is not what the followed code does, in which the call may have been.
 *
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
