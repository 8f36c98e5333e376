'use strict';
/*
 * Which replica takes a call. In: replicas as they are, and the call. Out: one of them, or null if it should wait at home. Pure, except
 * `weighted`, which remembers whose turn it is; `free.js` says which are skipped.
 */

const { leastBusy, makeWeighted } = require('./by-measure');
const { isFree } = require('./free');
const { JSON, Math, Object } = require('../engine');

/**
 * @typedef {object} Candidate what the choice looks at; a Replica has all of it
 * @property {number} id
 * @property {number} pending unanswered calls
 * @property {number} ahead those of them that may not have run yet
 * @property {(now: number) => boolean} hasRoom
 * @property {(now: number) => number} stuckMs
 * @property {boolean} [isFar] on another host
 */

/**
 * @template {Candidate} T
 * @typedef {(candidates: T[], call: any, now: number, turn: number, queued?: number) => T | null} Choose
 */

/**
 * @template {Candidate} T
 * @param {T[]} candidates
 * @param {any} _call
 * @param {number} now
 * @returns {T | null} the one with the fewest calls ahead; among equals, the one with the fewest pending
 */
function least(candidates, _call, now) {
  let best = null;
  for (const candidate of candidates) {
    if ((best !== null && !hasLess(candidate, best)) || !isFree(candidate, now)) continue;
    best = candidate;
    if (best.pending === 0) return best;
  }
  return best;
}

/** @param {Candidate} one @param {Candidate} other */
function hasLess(one, other) {
  const [ahead, than] = [one.ahead, other.ahead];
  return ahead < than || (ahead === than && one.pending < other.pending);
}

/**
 * @template {Candidate} T
 * @param {T[]} candidates
 * @param {any} _call
 * @param {number} now
 * @param {number} turn
 * @returns {T | null} each in turn
 */
function rr(candidates, _call, now, turn) {
  for (let i = 0; i < candidates.length; i++) {
    const candidate = candidates[(turn + i) % candidates.length];
    if (isFree(candidate, now)) return candidate;
  }
  return null;
}

/** @template {Candidate} T @param {T[]} candidates @param {any} call @returns {T | null} the same one for the same key */
function hash(candidates, call) {
  return rendezvous(candidates, String(call.plan.affinity === null ? spell(call.args) : call.plan.affinity(call.args)));
}

/**
 * Rendezvous hashing (Thaler and Ravishankar 1998): a key keeps its replica when others come and go.
 *
 * @template {Candidate} T @param {T[]} candidates @param {string} key @returns {T | null}
 */
function rendezvous(candidates, key) {
  let best = null;
  let highest = -1;
  for (const candidate of candidates) {
    const weight = mix(`${candidate.id}:${key}`);
    if (weight > highest) [best, highest] = [candidate, weight];
  }
  return best;
}

/** Makes a key of arguments; those that JSON cannot spell (cycles, bigints) share one. @param {any} args */
function spell(args) {
  try {
    return JSON.stringify(args ?? null);
  } catch {
    return '';
  }
}

/** FNV-1a, 32 bits, with a last avalanche. @param {string} text */
function mix(text) {
  let h = 0x811c9dc5;
  for (let i = 0; i < text.length; i++) h = Math.imul(h ^ text.charCodeAt(i), 0x01000193);
  h = Math.imul(h ^ (h >>> 16), 0x85ebca6b);
  return (h ^ (h >>> 13)) >>> 0;
}

/** @type {Choose<any>} the one whose event loop is least busy; the one with the fewest pending calls until that is known */
function elu(candidates, call, now) {
  const best = leastBusy(candidates, now);
  return best === undefined ? least(candidates, call, now) : best;
}

/** @type {Record<string, () => Choose<any>>} each is made for one set of replicas */
const SCHEDULERS = Object.freeze(
  Object.assign(Object.create(null), { least: () => least, rr: () => rr, hash: () => hash, weighted: makeWeighted, elu: () => elu }),
);

/**
 * @param {string | ((candidates: {id: string, pending: number}[], call: {path: string, args: any[]}) => number)} sched a name, or a user's
 *   function
 *   that gives the index of the replica to take
 * @returns {Choose<any>}
 */
function makeChoose(sched) {
  if (typeof sched !== 'function') return SCHEDULERS[sched]();
  return (candidates, call, now, turn) => {
    const seen = candidates.map(({ id, pending }) => ({ id: String(id), pending }));
    return (
      candidates[sched(seen, { path: call.plan.path.join('.'), args: call.args })] ??
      least(candidates, call, now) ??
      candidates[turn % candidates.length]
    );
  };
}

exports.makeChoose = makeChoose;
exports.rendezvous = rendezvous;
exports.SCHEDULER_NAMES = Object.freeze(Object.keys(SCHEDULERS));
