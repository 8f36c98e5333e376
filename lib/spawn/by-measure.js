'use strict';
/*
 * Choices of a replica that go by what replicas report of themselves: how long a call keeps them (`weighted`), and how busy their event loops are (`elu`). In: replicas as they
 * are. Out: one of them, or null when the call should wait at home. Reports come at most every 50 ms, so both look at what home knows, too: room, and pending calls.
 */
const { isFree } = require('./free');

/**
 * @typedef {import('./balance').Candidate & {meanMs: number | null, utilisation: number | null}} Measured
 */

/** Differences of utilisation below this say nothing: then pending calls decide. */
const STEP = 0.1;
/** Shorter means, in ms, differ by chance. */
const LEAST_MEAN_MS = 0.01;

/**
 * Smooth weighted round-robin (nginx, ngx_http_upstream_round_robin.c): each choice gives every replica its speed as credit, and takes the sum of all from the one with
 * the most, which takes the call. So a replica twice as fast gets every second call of three, not two in a row. One that has not reported yet counts as the mean of the others.
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
 * @returns {T | null | undefined} the one whose event loop is least busy, of about equals the one with the fewest pending calls; undefined: not all have reported yet
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

exports.leastBusy = leastBusy;
exports.makeWeighted = makeWeighted;
