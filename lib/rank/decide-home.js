'use strict';

// Decides whether a module that runs at home gets its first replicas. In: a situation with costs and bounds. Out: a number of replicas and
// the reason. Pure. Each gate prevents some harm; each has a reason of its own, and explain.js has a sentence for it.

const { LEAST_FREE_CORES } = require('./hosts');
const { FEW_SAMPLES, LONG_CALL_MS, equationOne, equationTwo, hasHeavyTail, sizeFor } = require('./ranking');
const { limitOf, seeLongest, whileLow } = require('./memory');
const { Math } = require('../engine');

/**
 * @typedef {import('./decision').Situation} Situation
 * @typedef {import('./decision').Verdict} Verdict
 * @typedef {import('./memory').Memory} Memory
 * @typedef {import('./demand').Demand} Demand
 * @typedef {Situation & {from: number, min: number, max: number, costs: {callMs: number, startMs: number}}} Case
 */

/** From this utilisation on, requests queue for the loop. */
const LOOP_PRESSED = 0.5;

/** A module that would free less than this part of the loop is not what saturates it. */
const LEAST_SAVING = 0.05;

/** A window shorter than this part of a whole one shows too little, unless a module takes this much of it. */
const YOUNG_WINDOW = 0.9;
const YOUNG_SHARE = 0.3;

/**
 * A few calls must be worth this many times what crossing costs: the first ones take several times as long as later ones, which the engine
 * has compiled, while the cost of arguments and results stays.
 */
const FEW_WORTH = 4;

/** A long call weighs on later decisions until none as long has come for this long. */
const KEEP_LONGEST_MS = 10_000;

/**
 * @param {Case} given
 * @param {Memory} before
 * @returns {Verdict}
 */
function decideAtHome(given, before) {
  const { demand, from, min, max, time, limits } = given;
  if (demand === null || (demand.calls === 0 && demand.pending === 0)) return letGo(given, before, 'idle', {});
  const seen = seeLongest(before, demand.maxMs, time, KEEP_LONGEST_MS);
  const figures = weighUp(given, demand, seen);
  const refusal = refuse(given, demand, figures);
  if (refusal !== null) return letGo(given, { ...seen, pressedSince: null }, refusal, figures);

  const { longLoad } = figures;
  const usual = { usualMs: demand.meanMs, longLoad, longLoadAt: time };
  const memory = { ...seen, ...usual, pressedSince: seen.pressedSince ?? time, lowSince: null, needs: [] };
  if (figures.direction !== 1) return { to: from, reason: from > 0 ? 'starting' : 'too-soon', figures, memory };
  const limit = limitOf(memory, from, max);
  if (limit !== null) return { to: from, reason: limit, figures, memory };
  // Replicas on their way are already part of the answer, and while they load, no measurement can be trusted.
  if (given.set !== null && given.set.starting > 0) return { to: from, reason: 'starting', figures, memory };
  const { base, spares } = figures;
  const wanted = Math.max(min, Math.min(base + spares, from + roomOn(given)));
  const to = Math.min(max, wanted);
  if (to > from) return { to, reason: 'pressure', figures, memory };
  return { to: from, reason: from > 0 ? 'starting' : 'maximum', figures: { ...figures, cpus: limits.cpus }, memory };
}

/** Whether this module is what saturates the event loop. @param {Case} given @param {Memory} memory */
function presses(given, memory) {
  const { demand } = given;
  return demand !== null && demand.calls > 0 && refuseLoad(given, demand, weighUp(given, demand, memory)) === null;
}

/**
 * The figures that gates, equations and sentence share.
 * @param {Case} given @param {Demand} demand @param {Memory} memory
 */
function weighUp({ time, costs, limits, cores, from }, demand, memory) {
  const { windowMs } = demand;
  const overheadMs = demand.calls * costs.callMs;
  // Blocking: the time that the module took from the loop. Non-blocking: also how long its calls waited, rho * sum(w_i l_i).
  const waitMs = Math.max(demand.exclusiveMs, demand.isLater ? demand.inPool * demand.latencyMs : 0);
  // delta0 is paid once, the waiting goes on: as in the ski-rental problem, replicas are bought when the time already lost equals their
  // price. So a module that needs 1.3 s to load is started after 1.3 s of loss, rather than never.
  const pressedMs = Math.max(windowMs, memory.pressedSince === null ? 0 : time - memory.pressedSince + windowMs);
  const lasting = pressedMs / windowMs;
  const isFew = demand.samples < FEW_SAMPLES;
  const isQueueing = demand.isLater && demand.inPool > 0 ? demand.inPool : 1;
  const longestMs = Math.max(demand.maxMs, memory.longestMs);
  const isHeavy = hasHeavyTail(demand.meanMs, longestMs, demand.samples);
  // The very first long call raises the question, so how often they come is unknown yet: assume one in each second.
  const longLoad = isHeavy ? longestMs / 1000 : 0;
  return {
    waitMs,
    overheadMs,
    lostMs: waitMs * lasting,
    equation: isFew ? 1 : 2,
    direction: isFew
      ? equationOne({ pending: isQueueing, replicas: from, cpus: limits.cpus })
      : equationTwo({ waitMs: waitMs * lasting, overheadMs: overheadMs * lasting, startMs: costs.startMs }),
    saving: (demand.exclusiveMs - overheadMs) / windowMs,
    isHeavy,
    longLoad,
    load: demand.share,
    ...sizeFor({ load: demand.share, isHeavy, cores, longLoad }),
  };
}

/**
 * @param {Case} given @param {Demand} demand @param {ReturnType<typeof weighUp>} figures
 * @returns {string | null} why not; null if nothing speaks against it
 */
function refuse(given, demand, figures) {
  const refusal = refuseLoad(given, demand, figures);
  if (refusal !== null || given.from > 0) return refusal;
  if (given.hosts?.isAwaited) return 'no-word';
  if (roomOn(given) === 0) return 'no-room';
  if (isUnanswered(given, demand)) return 'unanswered';
  // Then short calls lose the time that the replica takes from home; but behind long ones all others wait, and that is worth it.
  return isCrowded(given) && demand.maxMs < LONG_CALL_MS ? 'no-core' : null;
}

/**
 * In the first moments of a load whose calls wait for others, fewer than twice as many as are pending have come back. What they, and those
 * who wait for them, do next is hardly known yet. This holds for one window at most.
 * @param {Case} given
 * @param {Demand} demand
 */
function isUnanswered({ limits }, { isLater, inPool, pending, completions, maxMs, sinceMs }) {
  return isLater && inPool === 0 && maxMs < LONG_CALL_MS && 2 * pending > completions && sinceMs < limits.windowMs;
}

/** @param {Pick<Situation, 'hosts'>} given @returns {number} how many replicas may start, according to its hosts */
const roomOn = ({ hosts }) => hosts?.room ?? Infinity;

/** Whether neither the machine nor any of its hosts has anything left for another replica. @param {Pick<Situation, 'free'>} given */
const isCrowded = ({ free }) => free !== null && free < LEAST_FREE_CORES;

/**
 * Whether the module's own load speaks against replicas.
 * @param {Case} given @param {Demand} demand @param {ReturnType<typeof weighUp>} figures @returns {string | null}
 */
function refuseLoad({ loop, limits, hosts }, demand, figures) {
  const { poolThreads, cpus, windowMs } = limits;
  // Calls pending elsewhere wait for timers, sockets, other programs: no replica makes those faster.
  const isQueued = demand.isLater && demand.inPool > poolThreads;
  if (demand.isLater && demand.inPool > 0) {
    if (!isQueued) return 'pool';
    // The threads at home fill no cores of another host.
    if (hosts === undefined && poolThreads >= cpus) return 'pool-full';
  }
  const isBlocking = demand.maxMs >= LONG_CALL_MS;
  if (loop.utilisation < LOOP_PRESSED && !isBlocking && !isQueued) return 'no-pressure';
  // A replica that comes after the load has nothing to do. (A core becomes free at the very moment when the load ends.)
  if ((loop.lately ?? 1) < LOOP_PRESSED && !isBlocking && !isQueued) return 'passed';
  // A program's first moments are full of its own loading; and little is known about the first moments of a sudden load.
  const isYoung = demand.windowMs < YOUNG_WINDOW * windowMs && demand.share < YOUNG_SHARE;
  if (isYoung && !isBlocking && !isQueued) return 'young';
  if (isQueued) return figures.waitMs > figures.overheadMs ? null : 'overhead';
  // The crossing must cost less than it saves, over all calls: some long calls may pay for many short ones.
  const worth = figures.equation === 1 ? FEW_WORTH : 1;
  if (demand.exclusiveMs <= worth * figures.overheadMs) return 'overhead';
  if (isBlocking && figures.saving > 0) return null;
  if (demand.share < LEAST_SAVING) return 'small';
  return figures.saving < LEAST_SAVING ? 'overhead' : null;
}

/**
 * Nothing asks for replicas (any more); but some may have been asked for, and not be ready yet.
 * @param {Case} given @param {Memory} before @param {string} reason @param {Record<string, any>} figures @returns {Verdict}
 */
function letGo({ from, min, time, limits }, before, reason, figures) {
  if (from <= min) return { to: from, reason, figures, memory: before };
  const delayMs = limits.reclaimMs * before.patience;
  const { memory, lowMs } = whileLow(before, min, time, delayMs, limits.windowMs);
  const isOver = lowMs >= delayMs;
  const told = { ...figures, lowMs: Math.min(lowMs, delayMs), need: min, reclaimMs: delayMs };
  return { to: isOver ? min : from, reason: isOver ? 'gone' : 'reclaim', figures: told, memory };
}

exports.KEEP_LONGEST_MS = KEEP_LONGEST_MS;
exports.LEAST_SAVING = LEAST_SAVING;
exports.decideAtHome = decideAtHome;
exports.isCrowded = isCrowded;
exports.presses = presses;
exports.roomOn = roomOn;
