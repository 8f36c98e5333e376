'use strict';

// Judges whether the last step out was worth its replicas. In: what was measured before the step, what it promised, what is measured now.
// Out: how much of the promise came true. Pure.
//
//   step taken --last replica ready--> windows fill --JUDGED_AFTER_WINDOWS--> kept, or undone with a ceiling that decays

const { Math } = require('../engine');

/**
 * @typedef {object} Step
 * @property {number} from replicas
 * @property {number} to
 * @property {number} at ms, when it was taken, or when all its replicas were seen to be ready
 * @property {boolean} [isUnseen] they were not seen ready yet
 * @property {number} rate calls a second before it
 * @property {number} utilisation of the event loop before it
 * @property {number} [homeMs] what home took for a call before it, if the module was there; 0: unknown
 * @property {{rate: number, utilisation: number} | null} promised what was predicted for afterwards; null: nothing was
 * @property {boolean} isBest this number was predicted to be the best, not just better by luck
 *
 * @typedef {object} Ceiling
 * @property {number} count replicas beyond this number brought nothing
 * @property {number} at ms, when that was found
 * @property {number} until ms
 * @property {number} meanMs of a call, where calls have run since: if calls change, the answer may, too; 0: unknown yet
 * @property {number | null} otherSince ms, since when calls have been different without a break; null: they are not
 */

/** A step that brings less than this part of its promise is undone (DESIGN: "default 5 %"); a smaller promise is none. */
const LEAST_STEP = 0.05;

/** A less busy event loop is no gain if this much less is answered: then its callers wait for full replicas. */
const MOST_LOSS = 0.2;

/** A step is judged this many windows after it was taken, so that the window contains nothing older. */
const JUDGED_AFTER_WINDOWS = 1.5;
/**
 * And after this many turns of the event loop, if these are longer than a window: by then, callers who were all at the same point come in
 * turns.
 */
const JUDGED_AFTER_TURNS = 3;

/** How long a step that brought nothing is not tried again, in reclamation delays; doubled each time it fails again. */
const CEILING_DELAYS = 10;
const MOST_FAILURES = 4;

/** Calls that are this many times longer or shorter on average are a different load. */
const ANOTHER_LOAD = 2;

/** @param {number} then mean ms of a call @param {number} now mean ms of a call; 0: no call, so nothing can be said */
function isAnotherLoad(then, now) {
  return now > 0 && then > 0 && (now > ANOTHER_LOAD * then || then > ANOTHER_LOAD * now);
}

/**
 * What a step brought, as part of its promise. Of several promises the best kept one counts: it is better both if a load is answered with
 * less of the event loop and if more of it is answered. More calls also count if only the event loop was promised.
 * @param {Step} step
 * @param {{rate: number, utilisation: number}} now
 * @returns {{kept: number, gained: number, relief: number}} kept: 1 is all; Infinity if nothing measurable was promised
 */
function weighStep({ rate, utilisation, promised }, now) {
  const gained = rate === 0 ? Infinity : now.rate / rate - 1;
  const relief = utilisation - now.utilisation;
  // Without a prediction a step promises what replicas are for: more calls.
  const promisedGain = promised === null ? 1 : rate === 0 ? 0 : promised.rate / rate - 1;
  const promisedRelief = promised === null ? 0 : utilisation - promised.utilisation;
  const parts = [
    [gained, promisedGain],
    [gained < -MOST_LOSS ? 0 : relief, promisedRelief],
  ].filter(([, promise]) => promise >= LEAST_STEP);
  const kept = parts.length === 0 ? Infinity : Math.max(...parts.map(([part, promise]) => part / promise));
  // More calls that nobody foresaw are as good: behind a full loop, some callers are never seen.
  const isUnforeseen = promisedGain < LEAST_STEP && rate > 0 && gained >= LEAST_STEP;
  return { kept: isUnforeseen ? Math.max(kept, gained) : kept, gained, relief };
}

/** If more calls than this stay at home for each one that leaves, what home took for one is not what it took for those that leave. */
const FEW_STAY = 1.1;

/**
 * @param {Step} step
 * @param {{callsPerSecond: number, busyMsPerSecond: number}} set its replicas now
 * @param {{callsPerSecond: number} | null} demand all calls, including those that stay
 * @returns {number | null} for each ms that its replicas are busy, how long home would be at most, 0 to 1; null: unknown
 */
function worthOf({ homeMs = 0 }, { callsPerSecond, busyMsPerSecond }, demand) {
  if (homeMs === 0 || busyMsPerSecond === 0) return null;
  const isSplit = demand !== null && demand.callsPerSecond > FEW_STAY * callsPerSecond;
  return isSplit ? 1 : Math.min(1, (homeMs * callsPerSecond) / busyMsPerSecond);
}

/**
 * @param {import('./memory').Memory} memory
 * @param {{count: number, time: number, delayMs: number, meanMs: number}} failed delayMs: for the first failure, doubled for each in a row;
 *   meanMs: of a call, where calls will run from now on; 0: unknown, since home saw its last before the step
 * @returns {import('./memory').Memory}
 */
function afterFailedStep(memory, { count, time, delayMs, meanMs }) {
  const failures = Math.min(MOST_FAILURES, memory.failures + 1);
  const until = time + delayMs * 2 ** (failures - 1);
  return { ...memory, step: null, failures, ceiling: { count, at: time, until, meanMs, otherSince: null } };
}

/**
 * A step is judged by a window with nothing from before the last of its replicas was ready, whether or not others were ready before. It
 * counts from when that is seen: behind a long turn of the event loop they may have been ready for seconds without a call. Until then home
 * answers, by now compiled by the engine: the first call, for which replicas were started, took several times as long.
 * @param {import('./memory').Memory} memory
 * @param {{starting: number} | null} set
 * @param {number} time
 * @param {number} homeMs of a call, while all are at home; 0: unknown
 * @returns {import('./memory').Memory}
 */
function whileStarting(memory, set, time, homeMs) {
  const { step } = memory;
  if (step === null || set === null) return memory;
  if (set.starting > 0) return { ...memory, step: { ...step, at: time, isUnseen: true, ...(homeMs > 0 ? { homeMs } : {}) } };
  return step.isUnseen === true ? { ...memory, step: { ...step, at: time, isUnseen: false } } : memory;
}

/**
 * One window may contain a single call that was already on its way, or reflect other work of the machine: calls count as different once
 * they were so for a whole window.
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
 * @param {Ceiling} ceiling
 * @param {{time: number, meanMs: number, windowMs: number}} now
 * @returns {Ceiling | null} with what is known about its calls now; null: they have been different for a window
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
