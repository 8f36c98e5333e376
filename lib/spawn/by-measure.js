'use strict';
/*
 * Choices of a replica that go by what replicas report of themselves: how long a call keeps them (`weighted`), and how busy their event
 * loops are (`elu`). In: replicas as they are. Out: one of them, or null when the call should wait at home. Reports come at most every 50
 * ms, so both look at what home knows, too: room, and pending calls.
 */
const { STUCK_MS, isFree } = require('./free');
const { Math, WeakMap } = require('../engine');

/**
 * @typedef {import('./balance').Candidate & {meanMs: number | null, utilisation: number | null}} Measured
 * @typedef {import('./balance').Candidate & {meanMs: number | null, isFar: boolean, travelMs: number}} Placed
 */

/** Differences of utilisation below this say nothing: then pending calls decide. */
const STEP = 0.1;
/** Shorter means, in ms, differ by chance. */
const LEAST_MEAN_MS = 0.01;
/** How long a call takes where none has been measured yet, ms. */
const ASSUMED_MS = 1;

/**
 * Smooth weighted round-robin (nginx, ngx_http_upstream_round_robin.c): each choice gives every replica its speed as credit, and takes the
 * sum of all from the one with the most, which takes the call. So a replica twice as fast gets every second call of three, not two in a
 * row. One that has not reported yet counts as the mean of the others.
 *
 * @returns {(candidates: Measured[], call: any, now: number) => Measured | null} with a memory of its own
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

/** @param {Measured[]} candidates @returns {number[]} calls that each could serve in a ms; all the same while nothing is known */
function speedsOf(candidates) {
  const speeds = candidates.map(({ meanMs }) => (meanMs === null ? 0 : 1 / Math.max(LEAST_MEAN_MS, meanMs)));
  const known = speeds.filter((speed) => speed > 0);
  const mean = known.length === 0 ? 1 : known.reduce((sum, speed) => sum + speed, 0) / known.length;
  return speeds.map((speed) => speed || mean);
}

/**
 * @template {Measured} T @param {T[]} candidates @param {number} now ms
 * @returns {T | null | undefined} the one whose event loop is least busy, of about equals the one with the fewest pending calls; undefined:
 *   not all have reported yet
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
 * Of replicas on this machine and on other hosts, the one that will have run it first: an idle one here at once; else by the calls ahead in
 * it, the time that a call keeps it, and the journey. Where a call would be answered sooner by waiting for one here, it waits; calls that
 * wait are before it, so the longer they queue, the sooner hosts are worth their journey.
 *
 * @template {Placed} T @param {T[]} candidates @param {any} _call @param {number} now ms @param {number} _turn @param {number} [queued]
 *   calls that wait at home, this one among them where it does
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
 * @returns {number} until those that work here have answered all that they have, and all that waits; Infinity where none works, or only on
 *   a long call
 */
function waitMs(candidates, usualMs, now, queued) {
  const working = candidates.filter((one) => !one.isFar && one.ahead > 0 && one.stuckMs(now) <= STUCK_MS);
  if (working.length === 0) return Infinity;
  const calls = working.reduce((sum, { ahead }) => sum + ahead, Math.max(1, queued));
  return (calls / working.length) * usualOf(working, usualMs);
}

/** @param {Placed[]} candidates @param {number} [otherwise] @returns {number} ms that a call takes, mean of those that have reported */
function usualOf(candidates, otherwise = ASSUMED_MS) {
  const known = candidates.flatMap(({ meanMs }) => meanMs ?? []);
  return known.length === 0 ? otherwise : known.reduce((sum, ms) => sum + ms, 0) / known.length;
}

exports.leastBusy = leastBusy;
exports.soonest = soonest;
exports.makeWeighted = makeWeighted;
