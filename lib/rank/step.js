'use strict';

// Whether the last step out was worth its replicas.
// In: what was measured before the step, what it promised, what is measured now. Out: how much of the promise came true. Pure.
//
//   step taken --last replica ready--> windows fill --JUDGED_AFTER_WINDOWS--> kept, or undone with a ceiling that decays

const { Math } = require('../engine');

/**
 * @typedef {object} Step
 * @property {number} from replicas
 * @property {number} to
 * @property {number} at ms, when it was taken or all of its replicas were seen to be ready
 * @property {boolean} [isUnseen] they were not yet
 * @property {number} rate calls a second before it
 * @property {number} utilisation of the event loop before it
 * @property {number} [homeMs] what home took for a call before it, where it was there; 0: not known
 * @property {{rate: number, utilisation: number} | null} promised what was predicted for after it; null: nothing was
 * @property {boolean} isBest so many were predicted to be the best, and not only to be better than none by luck
 *
 * @typedef {object} Ceiling
 * @property {number} count replicas beyond this brought nothing
 * @property {number} at ms, when that was found
 * @property {number} until ms
 * @property {number} meanMs of a call, there where its calls are since: when calls have become others, so may the answer; 0: not known yet
 * @property {number | null} otherSince ms, since when they are others without a break; null: they are not
 */

/** A step that brings less than this part of what it promised is undone (DESIGN: "default 5 %"); a promise below this is none. */
const LEAST_STEP = 0.05;

/** An event loop with less to do is no gain where so much less is answered: its callers wait for full replicas. */
const MOST_LOSS = 0.2;

/** A step is judged this many windows after it was taken, so that the window holds nothing older. */
const JUDGED_AFTER_WINDOWS = 1.5;
/**
 * And where turns of the event loop are longer than a window, after so many: callers who were all at the same point have come to go by
 * turns.
 */
const JUDGED_AFTER_TURNS = 3;

/** How long a step that brought nothing is not tried again, in reclamation delays; doubled each time it fails again. */
const CEILING_DELAYS = 10;
const MOST_FAILURES = 4;

/** Calls so much longer or shorter on average are another load. */
const ANOTHER_LOAD = 2;

/** @param {number} then mean ms of a call @param {number} now mean ms of a call; of none, 0, nothing is said */
function isAnotherLoad(then, now) {
  return now > 0 && then > 0 && (now > ANOTHER_LOAD * then || then > ANOTHER_LOAD * now);
}

/**
 * What a step brought, as a part of its promise: of whatever it promised, the best kept part counts, since a load that is answered with
 * less of the event loop and one of which more is answered both are better off. More calls count where only the event loop was promised,
 * too.
 *
 * @param {Step} step
 * @param {{rate: number, utilisation: number}} now
 * @returns {{kept: number, gained: number, relief: number}} kept: 1 is all; Infinity where nothing was promised that could be measured
 */
function weighStep({ rate, utilisation, promised }, now) {
  const gained = rate === 0 ? Infinity : now.rate / rate - 1;
  const relief = utilisation - now.utilisation;
  // Without a prediction a step promises what its replicas are for: more calls.
  const promisedGain = promised === null ? 1 : rate === 0 ? 0 : promised.rate / rate - 1;
  const promisedRelief = promised === null ? 0 : utilisation - promised.utilisation;
  const parts = [
    [gained, promisedGain],
    [gained < -MOST_LOSS ? 0 : relief, promisedRelief],
  ].filter(([, promise]) => promise >= LEAST_STEP);
  const kept = parts.length === 0 ? Infinity : Math.max(...parts.map(([part, promise]) => part / promise));
  // More calls that nobody foresaw are as good: of callers behind a full loop some are never seen.
  const isUnforeseen = promisedGain < LEAST_STEP && rate > 0 && gained >= LEAST_STEP;
  return { kept: isUnforeseen ? Math.max(kept, gained) : kept, gained, relief };
}

/** Where more calls than this for each one that leaves stay at home, what home took for one is not what it took for those that leave. */
const FEW_STAY = 1.1;

/**
 * @param {Step} step
 * @param {{callsPerSecond: number, busyMsPerSecond: number}} set its replicas now
 * @param {{callsPerSecond: number} | null} demand all calls, also those that stay
 * @returns {number | null} of a ms that its replicas are busy, how long home would be at most, 0 to 1; null: not known
 */
function worthOf({ homeMs = 0 }, { callsPerSecond, busyMsPerSecond }, demand) {
  if (homeMs === 0 || busyMsPerSecond === 0) return null;
  const isSplit = demand !== null && demand.callsPerSecond > FEW_STAY * callsPerSecond;
  return isSplit ? 1 : Math.min(1, (homeMs * callsPerSecond) / busyMsPerSecond);
}

/**
 * @param {import('./memory').Memory} memory
 * @param {{count: number, time: number, delayMs: number, meanMs: number}} failed delayMs: for the first time; doubled for each in a row;
 *   meanMs: of a call where it will
 *   be from now on; 0: not known, as home saw its last before the step
 * @returns {import('./memory').Memory}
 */
function afterFailedStep(memory, { count, time, delayMs, meanMs }) {
  const failures = Math.min(MOST_FAILURES, memory.failures + 1);
  const until = time + delayMs * 2 ** (failures - 1);
  return { ...memory, step: null, failures, ceiling: { count, at: time, until, meanMs, otherSince: null } };
}

/**
 * A step is judged by a window that holds nothing from before the last of its replicas was ready, whether others were ready before or none.
 * That is known when it is seen: behind a long turn of the event loop they have been ready for seconds, and got no call.
 * Until then home answers, which the engine has compiled by then: the first call, for which replicas were started, took several times as
 * long.
 * @param {import('./memory').Memory} memory @param {{starting: number} | null} set @param {number} time @param {number} homeMs of a call,
 *   while all are at home; 0: not known
 * @returns {import('./memory').Memory}
 */
function whileStarting(memory, set, time, homeMs) {
  const { step } = memory;
  if (step === null || set === null) return memory;
  if (set.starting > 0) return { ...memory, step: { ...step, at: time, isUnseen: true, ...(homeMs > 0 ? { homeMs } : {}) } };
  return step.isUnseen === true ? { ...memory, step: { ...step, at: time, isUnseen: false } } : memory;
}

/**
 * One window may hold a single call that was on its way already, or what else the machine did: calls are others when they were so for a
 * whole window.
 * @param {import('./memory').Memory} memory
 * @param {{time: number, meanMs: number, windowMs: number}} now meanMs: of a call; 0: none came
 * @returns {import('./memory').Memory} without a ceiling whose time is over, or that belonged to another load
 */
function forgetCeiling(memory, { time, meanMs, windowMs }) {
  const { ceiling } = memory;
  if (ceiling === null) return memory;
  if (ceiling.until <= time) return { ...memory, ceiling: null };
  const noted = noteLoad(ceiling, { time, meanMs, windowMs });
  if (noted === ceiling) return memory;
  return noted === null ? { ...memory, ceiling: null, failures: 0 } : { ...memory, ceiling: noted };
}

/**
 * @param {Ceiling} ceiling @param {{time: number, meanMs: number, windowMs: number}} now
 * @returns {Ceiling | null} with what is known of its calls now; null: they have been others for a window
 */
function noteLoad(ceiling, { time, meanMs, windowMs }) {
  if (meanMs === 0) return ceiling;
  if (ceiling.meanMs === 0) return time - ceiling.at < windowMs ? ceiling : { ...ceiling, meanMs };
  const { otherSince } = ceiling;
  if (!isAnotherLoad(ceiling.meanMs, meanMs)) return otherSince === null ? ceiling : { ...ceiling, otherSince: null };
  if (otherSince === null) return { ...ceiling, otherSince: time };
  return time - otherSince < windowMs ? ceiling : null;
}

exports.ANOTHER_LOAD = ANOTHER_LOAD;
exports.JUDGED_AFTER_TURNS = JUDGED_AFTER_TURNS;
exports.JUDGED_AFTER_WINDOWS = JUDGED_AFTER_WINDOWS;
exports.CEILING_DELAYS = CEILING_DELAYS;
exports.LEAST_STEP = LEAST_STEP;
exports.afterFailedStep = afterFailedStep;
exports.forgetCeiling = forgetCeiling;
exports.isAnotherLoad = isAnotherLoad;
exports.whileStarting = whileStarting;
exports.weighStep = weighStep;
exports.worthOf = worthOf;
