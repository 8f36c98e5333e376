'use strict';

// Decides whether one module gets replicas, keeps them or gives them back. In: one tick's plain records of that module, and what was
// remembered about it. Out: a decision with its reason and figures, and the memory for the next tick. Pure: no clock, no effect; explain.js
// turns the reason into a sentence.
//
//                 gates, then eq. (1) or (2)               eq. (2), second branch, for reclaimMs
//   0 replicas ------------------------------> n replicas ---------------------------------------> fewer, in the end min
//        judged by what home measures              judged by what the replicas measure

const { ASSUMED_START_MS, assumedCallMs } = require('./assumed');
const { decideAtHome, presses } = require('./decide-home');
const { decideAway } = require('./decide-away');
const { NO_DEMAND } = require('./demand');
const { EMPTY_MEMORY, afterScaleIn, afterScaleOut } = require('./memory');
const { promiseOf, refine } = require('./foresight');
const { hereOf } = require('./places');
const { FEW_SAMPLES } = require('./ranking');
const { forgetCeiling, whileStarting } = require('./step');
const { afterVeto, forgetVeto, withoutVetoes } = require('./veto');
const { Math, Object } = require('../engine');

/**
 * @typedef {import('./demand').Demand} Demand
 * @typedef {import('./memory').Memory} Memory
 *
 * @typedef {object} SetState what the replica set of a module says about itself
 * @property {string} module
 * @property {number} ready
 * @property {number} starting
 * @property {number} wanted
 * @property {number} pending calls in replicas
 * @property {number} queued calls waiting at home
 * @property {number} [leastWaiting] the least of both together, over all looks of the last second with replicas, if these were busy for
 *   most of it; 0 or absent: unknown
 * @property {number} callsPerSecond
 * @property {number} [meanMs] of a call in replicas, from those reported; 0 or absent: too few
 * @property {boolean} [isLeft] a load has come to others, and it is no longer called: what it still serves came before
 * @property {number} busyMsPerSecond summed over the replicas
 * @property {number} [activeMsPerSecond] the same including what is not the module's: arguments and results, collections; absent: unknown
 * @property {number} [runDelay] part of that time in which they waited for a core, 0 to 1; 0: none, or unknown
 * @property {number | null} callOverheadMs delta: measured home CPU a remote call; null or 0: unknown yet
 * @property {number} startMs delta0: measured, or last known
 * @property {string} [failure] why its last start failed; '' or absent: it did not fail
 * @property {[number, number]} [copies]
 * @property {number} [lost]
 * @property {number} [longestMs] longest call that a replica served in the last window; allows long calls to be forgotten
 * @property {number} [longMsPerSecond] the part of the busy time in long calls (at most one per replica and tick); absent: any of it may be
 * @property {boolean} [isBlocked] every replica is in a long call now
 * @property {import('./hosts').HostsState} [hosts] where its replicas run; absent: on this machine
 * @property {{ready: number, starting: number, busyMsPerSecond: number}} [near] its replicas on this machine, which come before those on
 *   hosts; absent: all are in one kind of place
 *
 * @typedef {object} Permission what the recipe of a module allows
 * @property {boolean} allowed
 * @property {string} [why] when not allowed: a clause that finishes "stays at home: "
 * @property {[number, number]} copies
 * @property {string} [mode]
 * @property {boolean} [isHeld] in a replica: fewer copies than its recipe allows, for lack of a free core
 * @property {number} [weight] how much its pressure counts among others; default 1
 *
 * @typedef {object} Limits
 * @property {number} cpus
 * @property {number} poolThreads of libuv
 * @property {number} windowMs
 * @property {number} reclaimMs
 *
 * @typedef {object} Situation
 * @property {number} time ms
 * @property {string} module
 * @property {Demand | null} demand null: not used in the window
 * @property {SetState | null} set null: never had replicas
 * @property {Permission} permission
 * @property {{utilisation: number, lately?: number, windowMs?: number}} loop windowMs: what its window really covers; more than in limits
 *   if a turn takes longer
 * @property {Limits} limits
 * @property {number} cores that fall to this module, see placement.js
 * @property {number | null} free cores that nobody uses; null: unknown
 * @property {number} room cores that it could have, including those that it keeps busy itself
 * @property {import('./hosts').HostReach} [hosts] where its replicas run: then `cores`, `free`, `room` and `limits.cpus` are those of the
 *   hosts, or with `near` of the hosts and this machine; absent: on this machine
 * @property {Memory} [memory]
 * @property {import('./foresight').Foresight | null} [foresight] what more replicas would bring; absent: not asked, see wantsForesight;
 *   null: unknown yet
 *
 * @typedef {'scale-out' | 'scale-in' | 'stay' | 'home'} Action
 *
 * @typedef {object} Decision
 * @property {number} time ms since the epoch
 * @property {string} module
 * @property {string} boundary the most pressed one of this module; empty if none was used
 * @property {Action} action
 * @property {number} from replicas
 * @property {number} to replicas
 * @property {string} reason one word, for programs
 * @property {string} sentence for people; empty until needed, see explain.js
 * @property {Record<string, any>} figures numbers, strings and facts, nothing deeper
 *
 * @typedef {object} Verdict
 * @property {number} to
 * @property {string} reason
 * @property {Record<string, any>} [figures]
 * @property {Memory} memory
 * @property {number} [top] replicas at most, by its recipe and by what is remembered about more
 */

/** A change is not asked for again sooner than this. */
const ASK_AGAIN_MS = 1000;

/**
 * @param {Situation} situation
 * @returns {{decision: Decision, memory: Memory}}
 */
function decide(situation) {
  const { time, module, demand, set, permission, loop, limits } = situation;
  const from = set?.wanted ?? 0;
  const before = situation.memory ?? EMPTY_MEMORY;
  const verdict = clampToAsked(situation, from, foreseen(situation, from, judge(situation, from, before)));
  const { to, reason } = verdict;
  const action = to > from ? 'scale-out' : to === from ? 'stay' : to === 0 ? 'home' : 'scale-in';
  // Not by spread: objects spread from many shapes get a shape of their own from the engine, larger than the object itself, and a thousand
  // decisions are kept.
  /** @type {Record<string, any>} */
  const figures = Object.assign(commonFigures(situation), verdict.figures);
  const near = nearOf(situation, reason);
  if (near !== undefined) Object.assign(figures, { here: hereOf(near, to), hereNow: near.has });
  const rate = set !== null && set.ready > 0 ? set.callsPerSecond : (demand?.callsPerSecond ?? 0);
  let { memory } = verdict;
  const measured = { rate, utilisation: loop.utilisation };
  if (to > from) {
    const promised = promiseOf(figures, measured);
    const isBest = promised !== null && figures.isHeavy !== true && figures.isUnforeseen !== true;
    memory = afterScaleOut(memory, {
      from,
      to,
      time,
      ...measured,
      homeMs: homeMsOf(situation),
      promised,
      isBest,
      reclaimMs: limits.reclaimMs,
    });
  } else if (to < from) memory = afterScaleIn(memory, { from, to, time });
  if (permission.allowed === false) memory = { ...memory, pressedSince: null };
  figures.isSaturated = permission.allowed ? memory.pressedSince !== null : pressesAtHome(situation, before);
  figures.level = set !== null && set.ready > 0 ? set.busyMsPerSecond / 1000 / set.ready : (demand?.share ?? 0);
  const stamp = Math.round(time);
  return { decision: { time: stamp, module, boundary: demand?.boundary ?? '', action, from, to, reason, sentence: '', figures }, memory };
}

/**
 * Hosts get replicas only if these are foreseen to be worth their journey, or if the recipe asks for more than there are cores here.
 * @param {Situation} situation
 * @param {string} reason of the decision
 * @returns {import('./places').Near | undefined} undefined: all replicas are in one kind of place
 */
function nearOf({ hosts, foresight }, reason) {
  const near = foresight?.near ?? hosts?.near;
  return near === undefined || foresight !== undefined || reason === 'minimum' ? near : { ...near, room: 0 };
}

/** @param {Situation} situation @param {number} from @param {Memory} memory @returns {Verdict} */
function judge(situation, from, memory) {
  const { permission, set, time } = situation;
  const [min, max] = permission.copies;
  if (!permission.allowed) return { to: 0, reason: 'not-allowed', memory };
  if (from < min) return { to: min, reason: 'minimum', memory };
  if (from > max) return { to: max, reason: 'maximum', memory };
  const meanMs = meanMsOf(situation);
  const { windowMs } = situation.limits;
  const begun = forgetCeiling(whileStarting(memory, set, time, homeMsOf(situation)), { time, meanMs, windowMs });
  const known = forgetVeto(begun, { time, meanMs, room: situation.room });
  const top = Math.max(min, Math.min(max, known.ceiling?.count ?? max, known.veto?.count ?? max));
  const costs = costsOf(situation);
  const verdict =
    set !== null && set.ready > 0
      ? decideAway({ ...situation, set, from, min, max: top, costs }, known)
      : decideAtHome({ ...situation, from, min, max: top, costs }, known);
  return { ...verdict, top, figures: { ...costs, ...verdict.figures } };
}

/** Whether a module that must stay at home would get replicas if it were allowed to. @param {Situation} situation @param {Memory} memory */
const pressesAtHome = (situation, memory) => presses({ ...situation, from: 0, min: 0, max: Infinity, costs: costsOf(situation) }, memory);

/** Mean time of a call, wherever it runs. @param {Situation} situation */
function meanMsOf({ demand, set }) {
  if (set !== null && set.ready > 0) return set.callsPerSecond === 0 ? 0 : set.busyMsPerSecond / set.callsPerSecond;
  return demand?.meanMs ?? 0;
}

/**
 * Time of a call whose replicas are meant to free the loop, not a thread of libuv's pool.
 * @param {Situation} situation
 * @returns {number} ms of the loop; 0: unknown
 */
function homeMsOf({ demand, set }) {
  const isHome = set === null || set.ready === 0;
  return isHome && demand !== null && demand.inPool === 0 ? demand.meanMs : 0;
}

/** delta and delta0. @param {Situation} situation */
function costsOf({ demand, set }) {
  const isMeasured = set !== null && set.callOverheadMs !== null && set.callOverheadMs > 0;
  return {
    callMs: isMeasured ? /** @type {number} */ (set.callOverheadMs) : assumedCallMs(demand, demand?.meanMs ?? 0),
    startMs: set !== null && set.startMs > 0 ? set.startMs : ASSUMED_START_MS,
  };
}

/**
 * @param {Situation} situation @param {number} from @param {Verdict} verdict
 * @returns {Verdict} with what the step would bring; no step if it would bring nothing, and then no such question for a while
 */
function foreseen(situation, from, verdict) {
  const { foresight, time, permission, room } = situation;
  if (foresight === undefined || verdict.to <= from) return verdict;
  if (foresight === null) return { ...verdict, to: from, reason: 'weighing' };
  const { top = permission.copies[1] } = verdict;
  const answers = foresight.answers.filter(({ replicas }) => replicas <= top);
  const refined = refine(verdict, from, { ...foresight, answers }, { isHeavy: verdict.figures?.isHeavy === true });
  if (refined.to > from) return { ...refined, to: Math.min(permission.copies[1], refined.to), memory: withoutVetoes(refined.memory) };
  return { ...refined, memory: afterVeto(refined.memory, { count: from, time, meanMs: meanMsOf(situation), room }) };
}

/**
 * @param {Decision} decision made without foresight
 * @returns {boolean} whether it should be made again with foresight: for a step taken because of load, with enough calls to know what they
 *   are like
 */
const wantsForesight = ({ action, reason, figures }) =>
  action === 'scale-out' && (reason === 'pressure' || reason === 'busy') && (figures.ready > 0 || figures.calls >= FEW_SAMPLES);

/**
 * The set may need a moment to carry out a change (or be unable to); the same change is not decided at each tick.
 * @param {Situation} situation @param {number} from @param {Verdict} verdict @returns {Verdict}
 */
function clampToAsked({ time }, from, verdict) {
  const { asked } = verdict.memory;
  if (verdict.to === from || asked === null || time - asked.at >= ASK_AGAIN_MS) return verdict;
  if (asked.from !== from || asked.to !== verdict.to) return verdict;
  return { ...verdict, to: from, reason: 'asked', figures: { ...verdict.figures, asked: asked.to } };
}

/** @param {Situation} situation @returns {Record<string, any>} */
function commonFigures({ demand, set, permission, loop, limits, cores, free, hosts }) {
  const { calls, exclusiveMs, carriedMs, takenMs, share, maxMs, meanMs } = demand ?? NO_DEMAND;
  const { pending, completions, inPool, latencyMs, hottest, pressure } = demand ?? NO_DEMAND;
  return {
    calls,
    exclusiveMs,
    ...(carriedMs > 0 ? { carriedMs } : {}),
    ...(takenMs > 0 ? { takenMs } : {}),
    share,
    maxMs,
    meanMs,
    pending,
    completions,
    inPool,
    latencyMs,
    hottest,
    windowMs: demand?.windowMs ?? limits.windowMs,
    pressure,
    weight: permission.weight ?? 1,
    utilisation: loop.utilisation,
    ...(loop.lately === undefined ? {} : { lately: loop.lately }),
    busyMsPerSecond: set?.busyMsPerSecond ?? 0,
    setCallsPerSecond: set?.callsPerSecond ?? 0,
    setPending: set?.pending ?? 0,
    queued: set?.queued ?? 0,
    ready: set?.ready ?? 0,
    starting: set?.starting ?? 0,
    ...(set !== null && (set.ready === 0 || set.ready < set.wanted) && Boolean(set.failure) ? { failure: set.failure } : {}),
    least: permission.copies[0],
    most: permission.copies[1],
    why: permission.why ?? '',
    ...(permission.isHeld === true ? { isHeld: true } : {}),
    cpus: limits.cpus,
    cores,
    ...(free === null ? {} : { free }),
    ...(hosts === undefined ? {} : figuresOfHosts(hosts)),
    reclaimMs: limits.reclaimMs,
  };
}

/** @param {import('./hosts').HostReach} hosts @returns {Record<string, any>} */
function figuresOfHosts({ isAwaited, named, answered, idle, idleOn, said, freeHere }) {
  const here = freeHere === undefined ? {} : { freeHere };
  return {
    hosts: named,
    hostsAnswered: answered,
    hostsAwaited: isAwaited,
    hostsIdle: idleOn,
    hostsIdleCores: idle,
    hostsSaid: said,
    ...here,
  };
}

exports.decide = decide;
exports.wantsForesight = wantsForesight;
