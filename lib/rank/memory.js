'use strict';

// Keeps what the decisions remember about one module from one tick to the next. In: the memory before, and what happened. Out: the memory
// after. Plain records: none may change once it was handed out, so that a test can run any tick again.

const { loweredBy, raise } = require('./floor');
const { Math, Object } = require('../engine');

/**
 * @typedef {object} Need
 * @property {number} need replicas
 * @property {number} at when that many were last needed
 *
 * @typedef {object} Memory
 * @property {number | null} pressedSince since when the module has pressed without a break; null: it does not
 * @property {number | null} lowSince since when the replicas have not been pressed
 * @property {Need[]} needs how many replicas were needed since then, oldest first, each less than the one before
 * @property {number} longestMs longest call seen lately
 * @property {number} longestAt
 * @property {number} longLoad see ranking.js (sparesFor): long calls at a time lately; at home, as the longest one suggests
 * @property {number | null} longLoadAt
 * @property {number} usualMs of a call at home, when it was last there; 0: unknown
 * @property {number} callsLately calls in replicas lately; with busyMsLately it says what is long for a call, which must not depend on the
 *   last few alone
 * @property {number} busyMsLately
 * @property {number} countedMs over how long these were counted; older times count less
 * @property {number | null} countedAt
 * @property {number} blockedAt when every replica was last in a long call
 * @property {boolean} isBlocked whether they were at the last tick
 * @property {number} tooFew this many replicas were all in long calls more than once in a short time; 0: none were
 * @property {number} waitedAt when more calls than replicas were last seen in replicas or waiting for them
 * @property {number} togetherAt when more than one call was last seen there
 * @property {number | null} behindSince since when many calls have waited long for its replicas without a break; null: they do not
 * @property {number} patience factor on reclaimMs, 1 to 8: doubles when a scale-in proved to be too early
 * @property {number | null} scaledInAt
 * @property {import('./floor').Lowered | null} lowered the last change, if it was a scale-in
 * @property {import('./floor').Floor | null} floor
 * @property {number} floors in a row
 * @property {number | null} worth what a ms of its replicas is worth to home; null: unknown; see step.js
 * @property {import('./step').Step | null} step last scale-out, until it is judged
 * @property {import('./step').Ceiling | null} ceiling
 * @property {number} failures steps in a row that brought nothing
 * @property {import('./veto').Veto | null} veto
 * @property {number} vetoes in a row
 * @property {{from: number, to: number, at: number} | null} asked the last change asked for
 */

/** A scale-in that is undone within this many reclamation delays was too early. */
const TOO_EARLY = 4;

/** Largest factor on the reclamation delay. */
const MOST_PATIENCE = 8;

/** How far back the load of long calls is averaged, ms. */
const LONG_LOAD_MS = 3000;

/** The first look at calls of replicas counts as this long, ms. */
const FIRST_MS = 100;

/** Twice within this time is more than chance, ms. */
const AGAIN_MS = 10_000;

/** @type {Readonly<Memory>} */
const EMPTY_MEMORY = Object.freeze({
  pressedSince: null,
  lowSince: null,
  needs: [],
  longestMs: 0,
  longestAt: -Infinity,
  longLoad: 0,
  longLoadAt: null,
  usualMs: 0,
  callsLately: 0,
  busyMsLately: 0,
  countedMs: 0,
  countedAt: null,
  blockedAt: -Infinity,
  isBlocked: false,
  tooFew: 0,
  waitedAt: -Infinity,
  togetherAt: -Infinity,
  behindSince: null,
  patience: 1,
  scaledInAt: null,
  lowered: null,
  floor: null,
  floors: 0,
  worth: null,
  step: null,
  ceiling: null,
  failures: 0,
  veto: null,
  vetoes: 0,
  asked: null,
});

/**
 * @param {Memory} memory
 * @param {Omit<import('./step').Step, 'at'> & {time: number, reclaimMs: number}} change
 * @returns {Memory}
 */
function afterScaleOut(memory, { time, reclaimMs, ...step }) {
  const { from, to } = step;
  const { scaledInAt } = memory;
  let { patience } = memory;
  if (scaledInAt !== null) {
    const wasTooEarly = time - scaledInAt < TOO_EARLY * patience * reclaimMs;
    patience = wasTooEarly ? Math.min(MOST_PATIENCE, patience * 2) : 1;
  }
  return {
    ...raise(memory, { to, time, reclaimMs }),
    lowSince: null,
    needs: [],
    patience,
    scaledInAt: null,
    step: { ...joinSteps(memory.step, step), at: time, isUnseen: true },
    asked: { from, to, at: time },
  };
}

/**
 * A step on top of one that is not judged yet is judged together with it, by the promise of the first. Measured against each other, the
 * second could only make good what the first has spoilt.
 * @param {import('./step').Step | null} pending
 * @param {Omit<import('./step').Step, 'at'>} step
 */
function joinSteps(pending, step) {
  return pending === null || pending.to !== step.from ? step : { ...pending, to: step.to, isBest: step.isBest };
}

/**
 * @param {Memory} memory
 * @param {{from: number, to: number, time: number}} change
 * @returns {Memory}
 */
function afterScaleIn(memory, { from, to, time }) {
  return {
    ...memory,
    pressedSince: null,
    longestMs: to === 0 ? 0 : memory.longestMs,
    longLoad: to === 0 ? 0 : memory.longLoad,
    longLoadAt: to === 0 ? null : memory.longLoadAt,
    tooFew: to === 0 ? 0 : memory.tooFew,
    ...(to === 0 ? { callsLately: 0, busyMsLately: 0, countedMs: 0, countedAt: null, worth: null } : {}),
    floor: to < (memory.floor?.count ?? 0) ? null : memory.floor,
    behindSince: null,
    scaledInAt: time,
    lowered: loweredBy(memory, { from, to, time }),
    step: null,
    asked: { from, to, at: time },
  };
}

/**
 * Notes what is needed now. Needs that a later, larger one exceeds are dropped. So the list is never longer than the number of replicas,
 * and the first entry that is young enough is the most that was needed lately.
 * @param {Memory} memory
 * @param {number} need replicas that would do now
 * @param {number} time
 * @param {number} keepMs
 * @param {number} windowMs what one look covers; a longer gap since the last one went unseen: the program was stopped, or the machine
 * @returns {{memory: Memory, peak: number, lowMs: number}} peak: the most that was needed in the last keepMs; lowMs: how long that has been
 *   known
 */
function whileLow(memory, need, time, keepMs, windowMs) {
  const lookedAt = memory.needs.at(-1)?.at ?? time;
  const unseenMs = Math.max(0, time - lookedAt - windowMs);
  const known = unseenMs === 0 ? memory.needs : memory.needs.map((entry) => ({ ...entry, at: entry.at + unseenMs }));
  const needs = known.filter((entry) => entry.need > need && time - entry.at < keepMs);
  needs.push({ need, at: time });
  const lowSince = (memory.lowSince ?? time) + unseenMs;
  return { memory: { ...memory, lowSince, needs }, peak: needs[0].need, lowMs: time - lowSince };
}

/**
 * Remembers the longest call until none as long has come for `keepMs`.
 * @param {Memory} memory @param {number} longestMs seen now @param {number} time @param {number} keepMs @returns {Memory}
 */
function seeLongest(memory, longestMs, time, keepMs) {
  if (longestMs > 0 && (longestMs >= memory.longestMs || time - memory.longestAt > keepMs))
    return { ...memory, longestMs, longestAt: time };
  return memory;
}

/**
 * Long calls are few, and a second may contain two of them or none: the mean of some seconds counts.
 * @param {Memory} memory @param {number} longLoad of the last second @param {number} time @returns {Memory}
 */
function seeLongLoad(memory, longLoad, time) {
  const ms = time - (memory.longLoadAt ?? time);
  return { ...memory, longLoad: memory.longLoad + (longLoad - memory.longLoad) * (1 - Math.exp(-ms / LONG_LOAD_MS)), longLoadAt: time };
}

/**
 * In a second with few calls the mean is chance: a call that was long among a hundred others is not ten times as long as three calls.
 * @param {Memory} memory @param {{callsPerSecond: number, busyMsPerSecond: number}} set in the last second @param {number} time
 * @param {number} keepMs how far back to average, roughly @returns {Memory}
 */
function seeCalls(memory, { callsPerSecond, busyMsPerSecond }, time, keepMs) {
  const ms = time - (memory.countedAt ?? time - FIRST_MS);
  const kept = Math.exp(-ms / keepMs);
  return {
    ...memory,
    callsLately: kept * memory.callsLately + (callsPerSecond * ms) / 1000,
    busyMsLately: kept * memory.busyMsLately + (busyMsPerSecond * ms) / 1000,
    countedMs: kept * memory.countedMs + ms,
    countedAt: time,
  };
}

/**
 * Long calls that come together meet more often than their load suggests. What was seen counts until the module is home again.
 * @param {Memory} memory
 * @param {boolean} isBlocked every replica is in a long call now
 * @param {number} ready replicas
 * @param {number} time
 * @returns {Memory}
 */
function seeBlocked(memory, isBlocked, ready, time) {
  if (isBlocked === memory.isBlocked) return memory;
  if (!isBlocked) return { ...memory, isBlocked };
  const tooFew = time - memory.blockedAt <= AGAIN_MS ? Math.max(memory.tooFew, ready) : memory.tooFew;
  return { ...memory, isBlocked, blockedAt: time, tooFew };
}

/**
 * @param {Memory} memory @param {{pending: number, queued: number, ready: number}} set with some ready @param {number} time
 * @returns {Memory}
 */
function seeWaiting(memory, { pending, queued, ready }, time) {
  const calls = pending + queued;
  if (calls < 2) return memory;
  return { ...memory, togetherAt: time, waitedAt: calls > ready ? time : memory.waitedAt };
}

/**
 * @param {Memory} memory @param {number} from replicas now @param {number} max that are possible
 * @returns {'ceiling' | 'vetoed' | null} what is remembered that allows no more than it has; measurements come first
 */
function limitOf({ ceiling, veto }, from, max) {
  if (max !== from) return null;
  if (ceiling?.count === from) return 'ceiling';
  return veto?.count === from ? 'vetoed' : null;
}

exports.EMPTY_MEMORY = EMPTY_MEMORY;
exports.afterScaleOut = afterScaleOut;
exports.afterScaleIn = afterScaleIn;
exports.limitOf = limitOf;
exports.whileLow = whileLow;
exports.seeBlocked = seeBlocked;
exports.seeCalls = seeCalls;
exports.seeLongLoad = seeLongLoad;
exports.seeWaiting = seeWaiting;
exports.seeLongest = seeLongest;
