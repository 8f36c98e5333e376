'use strict';
/*
 * Chooses a replica by what replicas report: how long a call keeps them (`weighted`), and how busy their event loops are (`elu`). In:
 * replicas as they are. Out: one of them, or null if the call should wait at home. Reports come at most every 50 ms, so both also look at
 * what home knows: room, and pending calls.
 */
const { STUCK_MS, isFree } = require('./free');
const { Math, WeakMap } = require('../engine');

/**
 * @typedef {import('./balance').Candidate & {meanMs: number | null, utilisation: number | null}} Measured
 * @typedef {import('./balance').Candidate & {meanMs: number | null, isFar: boolean, travelMs: number}} Placed
 */

/** Smaller differences of utilisation say nothing: then pending calls decide. */
const STEP = 0.1;
/** Shorter means differ only by chance, ms. */
const LEAST_MEAN_MS = 0.01;
/** Assumed time of a call while none has been measured, ms. */
const ASSUMED_MS = 1;

/**
 * Smooth weighted round-robin (nginx, ngx_http_upstream_round_robin.c): for each choice, every replica gets its speed as credit; the one
 * with the most credit takes the call, and pays the sum of all. So a replica that is twice as fast gets two calls of three, but spread out.
 * One that has not reported yet counts as the mean of the others.
 *
 * @returns {(candidates: Measured[], call: any, now: number) => Measured | null} has a memory of its own
 */
function makeWeighted() {
  /** @type {WeakMap<Measured, number>} */
  const credits = new WeakMap();
  return (candidates, _call, now) => {
    const free = candidates.filter((candidate) => isFree(candidate, now));
    const speeds = speedsOf(free);
    let best = null;
    let most = -Infinity;
    let total = 0;
    free.forEach((candidate, i) => {
      const credit = (credits.get(candidate) ?? 0) + speeds[i];
      credits.set(candidate, credit);
      total += speeds[i];
      if (credit > most) [best, most] = [candidate, credit];
    });
    if (best !== null) credits.set(best, most - total);
    return best;
  };
}

/** @param {Measured[]} candidates @returns {number[]} how many calls each could serve in a ms; all the same while nothing is known */
function speedsOf(candidates) {
  const speeds = candidates.map(({ meanMs }) => (meanMs === null ? 0 : 1 / Math.max(LEAST_MEAN_MS, meanMs)));
  const known = speeds.filter((speed) => speed > 0);
  const mean = known.length === 0 ? 1 : known.reduce((sum, speed) => sum + speed, 0) / known.length;
  return speeds.map((speed) => speed || mean);
}

/**
 * @template {Measured} T @param {T[]} candidates @param {number} now ms
 * @returns {T | null | undefined} the one whose event loop is least busy; among about equals, the one with the fewest pending calls;
 *   undefined: not all have reported yet
 */
function leastBusy(candidates, now) {
  if (candidates.some(({ utilisation }) => utilisation === null)) return undefined;
  let best = null;
  for (const candidate of candidates) {
    if (isFree(candidate, now) && (best === null || isBefore(candidate, best))) best = candidate;
  }
  return best;
}

/** @param {Measured} one @param {Measured} other */
function isBefore(one, other) {
  const busier = Math.floor(Number(one.utilisation) / STEP) - Math.floor(Number(other.utilisation) / STEP);
  return busier < 0 || (busier === 0 && one.pending < other.pending);
}

/**
 * The replica that will have run the call first, here or on another host. An idle one here takes it at once; otherwise the calls ahead of
 * it, the time of a call, and the journey decide. If waiting for one here would be faster, the call waits. Waiting calls come first, so the
 * longer the queue, the sooner a host is worth the journey.
 *
 * @template {Placed} T @param {T[]} candidates @param {any} _call @param {number} now ms @param {number} _turn
 * @param {number} [queued] calls that wait at home, including this one if it waits
 * @returns {T | null}
 */
function soonest(candidates, _call, now, _turn, queued = 0) {
  const usualMs = usualOf(candidates);
  const endsIn = (/** @type {T} */ { ahead, meanMs, travelMs }) => (ahead + 1) * (meanMs ?? usualMs) + travelMs;
  /** @type {T | null} */
  let best = null;
  let leastMs = Infinity;
  for (const candidate of candidates) {
    if (!isFree(candidate, now)) continue;
    if (!candidate.isFar && candidate.ahead === 0) return candidate;
    const ms = endsIn(candidate);
    if (ms > leastMs || (ms === leastMs && candidate.isFar)) continue;
    [best, leastMs] = [candidate, ms];
  }
  return best?.isFar && waitMs(candidates, usualMs, now, queued) <= leastMs ? null : best;
}

/**
 * @param {Placed[]} candidates
 * @param {number} usualMs
 * @param {number} now ms
 * @param {number} queued
 * @returns {number} how long until those that work here have answered all their calls, and all that wait; Infinity if none works, or only
 *   on a long call
 */
function waitMs(candidates, usualMs, now, queued) {
  const working = candidates.filter((one) => !one.isFar && one.ahead > 0 && one.stuckMs(now) <= STUCK_MS);
  if (working.length === 0) return Infinity;
  const calls = working.reduce((sum, { ahead }) => sum + ahead, Math.max(1, queued));
  return (calls / working.length) * usualOf(working, usualMs);
}

/** @param {Placed[]} candidates @param {number} [otherwise] @returns {number} mean time of a call, of those that have reported, ms */
function usualOf(candidates, otherwise = ASSUMED_MS) {
  const known = candidates.flatMap(({ meanMs }) => meanMs ?? []);
  return known.length === 0 ? otherwise : known.reduce((sum, ms) => sum + ms, 0) / known.length;
}

exports.leastBusy = leastBusy;
exports.soonest = soonest;
exports.makeWeighted = makeWeighted;
