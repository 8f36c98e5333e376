'use strict';

// Decides whether a module that has replicas gets more, keeps them, or gives some back. In: a situation whose set has ready replicas, with
// costs and bounds. Out: a number of replicas and the reason. Pure. It judges by what the replicas measure: home no longer sees the work.

const {
  BUSY_AFTER_SCALE_IN,
  BUSY_AT_MOST,
  FEW_SAMPLES,
  LONG_CALL_MS,
  RECLAIM_FACTOR,
  equationTwo,
  hasHeavyTail,
  replicasForLoad,
  sizeFor,
  sparesFor,
} = require('./ranking');
const { homeWouldFollow, seeBehind } = require('./behind');
const { forgetFloor, keepStep } = require('./floor');
const { KEEP_LONGEST_MS, LEAST_SAVING, isCrowded, presses, roomOn } = require('./decide-home');
const { limitOf, seeBlocked, seeCalls, seeLongLoad, seeLongest, seeWaiting, whileLow } = require('./memory');
const { CEILING_DELAYS, JUDGED_AFTER_TURNS, JUDGED_AFTER_WINDOWS, LEAST_STEP, afterFailedStep, weighStep, worthOf } = require('./step');
const { Math } = require('../engine');

/**
 * @typedef {import('./decision').SetState} SetState
 * @typedef {import('./decision').Verdict} Verdict
 * @typedef {import('./memory').Memory} Memory
 * @typedef {import('./decide-home').Case & {set: SetState}} AwayCase
 */

/** From this utilisation on, home itself holds calls up. */
const LOOP_FULL = 0.9;

/** This part of a window is enough to show what a step brought. If one is LONG_WINDOW times as long, a single turn takes much of it. */
const WHOLE_WINDOW = 0.8;
const LONG_WINDOW = 1.25;

/** This many calls in one turn of the loop come from several callers. */
const SEVERAL = 2;

/** The loop counts as steadily busy if its utilisation changes by less than this. */
const STEADY = 0.1;

/** If home would be busy for less than this with the module back, the module may come back. */
const IDLE_AT_HOME = 0.25;

/**
 * @param {AwayCase} given
 * @param {Memory} before
 * @returns {Verdict}
 */
function decideAway(given, before) {
  const { set, demand, from, time, limits } = given;
  const longestNow = Math.max(set.longestMs ?? 0, demand?.maxMs ?? 0);
  // A set that does not report its longest calls cannot show that they are over: then the tail is remembered until all calls are home.
  const longest = seeLongest(before, longestNow, time, set.longestMs === undefined ? Infinity : KEEP_LONGEST_MS);
  const loaded = seeLongLoad(longest, (set.longMsPerSecond ?? set.busyMsPerSecond) / 1000, time);
  const counted = seeCalls(loaded, set, time, KEEP_LONGEST_MS);
  const seen = seeBlocked(counted, set.isBlocked === true, set.ready, time);
  const waited = forgetFloor(seeBehind(seeWaiting(seen, set, time), set, demand, time), { time, reclaimMs: limits.reclaimMs });
  const figures = weighReplicas(given, waited);

  const { verdict, memory } = judgeStep(given, waited, figures);
  if (verdict !== null) return verdict;
  const homeLoad = given.min > 0 ? null : homeWouldFollow(given, memory);
  if (homeLoad !== null)
    return undo(given, memory, {
      count: 0,
      reason: 'behind',
      figures: { ...figures, homeLoad, allCallsPerSecond: Number(given.demand?.callsPerSecond) },
    });
  if (costsMore(given, memory.worth)) return shrink(given, { ...memory, pressedSince: null }, figures);
  // Spare lanes that the recipe does not allow are no reason to stop checking whether fewer would do.
  const wantsSpares = figures.needed > from && given.max > from && figures.load > 0;
  if (figures.isSaturated || figures.base > from || (wantsSpares && isDue(given, memory, figures))) return grow(given, memory, figures);
  if (wantsSpares) return { to: from, reason: 'too-soon', figures, memory: pressed(memory, time) };
  if (figures.roomy > from && given.max > from && isAwaited(given, memory) && !isCrowded(given)) {
    if (hasLasted(given, memory)) return grow(given, memory, { ...figures, needed: figures.roomy });
    return { to: from, reason: 'enough', figures, memory: pressed(memory, time) };
  }
  return shrink(given, { ...memory, pressedSince: null }, figures);
}

/**
 * One spare lane is what lets short calls pass at all. More are for a load that stays: otherwise, moments between two loads would look as
 * if there were cores for them.
 * @param {AwayCase} given @param {Memory} memory @param {ReturnType<typeof weighReplicas>} figures
 */
function isDue(given, memory, { base }) {
  return given.from < base + 1 || hasLasted(given, memory);
}

/**
 * Whether calls were seen to wait for each other in the last window. How busy replicas are does not tell: one caller who calls again after
 * each answer keeps one replica busy all the time, and has no use for another.
 * @param {AwayCase} given @param {Memory} memory @returns {boolean}
 */
function isAwaited({ time, limits }, { waitedAt }) {
  return time - waitedAt <= limits.windowMs;
}

/**
 * @param {AwayCase} given
 * @param {Memory} memory
 * @param {number} [ms] default: the last window
 * @returns {boolean} whether no two calls were seen at the same time for this long: they come from one caller, who waits for each answer
 */
function isLone({ time, limits }, { togetherAt }, ms = limits.windowMs) {
  return time - togetherAt > ms;
}

/** @param {AwayCase} given @param {Memory} memory @returns {boolean} whether more replicas would have been welcome for a whole window */
function hasLasted({ time, limits }, { pressedSince }) {
  return time - (pressedSince ?? time) >= limits.windowMs;
}

/** @param {Memory} memory @param {number} time @returns {Memory} */
const pressed = (memory, time) => ({ ...memory, pressedSince: memory.pressedSince ?? time, lowSince: null, needs: [] });

/** Without an idle core, each spare lane would only take turns with all others. @param {AwayCase} given @param {number} spares */
const affordable = (given, spares) => (isCrowded(given) ? Math.min(1, spares) : spares);

/**
 * Before replicas have answered some calls, they cannot tell what is long for a call.
 * @param {Memory} memory
 * @param {number} meanMs of the last second
 * @returns {number} ms of a call, as calls were lately
 */
function usualMsOf({ callsLately, busyMsLately, usualMs }, meanMs) {
  if (usualMs > 0 && callsLately < FEW_SAMPLES) return usualMs;
  return callsLately === 0 ? meanMs : busyMsLately / callsLately;
}

/** @param {AwayCase} given @param {Memory} memory */
function weighReplicas(given, memory) {
  const { set, from, cores, time } = given;
  const load = set.busyMsPerSecond / 1000;
  const meanMs = set.callsPerSecond === 0 ? 0 : set.busyMsPerSecond / set.callsPerSecond;
  const isRecent = time - memory.longestAt <= KEEP_LONGEST_MS || set.longestMs === undefined;
  const isHeavy = isRecent && hasHeavyTail(usualMsOf(memory, meanMs), memory.longestMs, Math.max(FEW_SAMPLES, set.callsPerSecond));
  const utilisation = load / Math.max(1, set.ready);
  const waiting = set.pending + set.queued;
  const size = sizeFor({ load, isHeavy, cores, longLoad: memory.longLoad, tooFew: memory.tooFew });
  const most = Math.max(0, from + roomOn(given) - size.base);
  const spares = Math.min(most, affordable(given, size.spares));
  // Eq. (1) on top of the load: if every replica is full, what they serve says nothing about what arrives.
  const isSaturated = utilisation > BUSY_AT_MOST && waiting > set.ready;
  const short = isAwaited(given, memory) ? size.base : Math.min(size.base, from);
  const base = isSaturated ? Math.min(Math.max(size.base, from + 1 - spares), Math.max(1, cores)) : short;
  const needed = base + spares;
  // So many that none would be given back again. With fewer, but as many as needed, calls wait for each other; whether one more is worth it
  // is for the prediction to say.
  const roomy = Math.min(replicasForLoad(load, BUSY_AFTER_SCALE_IN), Math.max(1, cores), from + 1, from + roomOn(given));
  const { longestMs } = memory;
  return { load, meanMs, longestMs, isHeavy, setUtilisation: utilisation, waiting, isSaturated, base, spares, needed, roomy };
}

/** @param {AwayCase} given @param {Memory} memory @param {ReturnType<typeof weighReplicas>} figures @returns {Verdict} */
function grow({ from, max, time, set }, memory, figures) {
  const noted = pressed(memory, time);
  // Replicas on their way are already part of the answer: their effect is not measured yet.
  if (set.starting > 0 && figures.needed <= from) return { to: from, reason: 'starting', figures, memory: noted };
  const to = Math.min(max, figures.needed);
  if (to > from) return { to, reason: 'busy', figures, memory: noted };
  const reason = limitOf(memory, max, max) ?? (max === from ? 'maximum' : 'plateau');
  return { to: from, reason, figures, memory: noted };
}

/** @param {AwayCase} given @param {Memory} memory @param {ReturnType<typeof weighReplicas>} figures @returns {Verdict} */
function shrink(given, memory, figures) {
  const { from, min, time, limits } = given;
  const delayMs = limits.reclaimMs * memory.patience;
  const wouldDo = replicasThatWouldDo(given, memory, figures);
  const need = Math.min(from, Math.max(min, wouldDo));
  const low = whileLow(memory, need, time, delayMs, limits.windowMs);
  const { memory: noted, lowMs } = low;
  // None are needed if they earn less than they cost; but how many it takes to keep calls from waiting for each other is a matter of
  // chance.
  const kept = wouldDo === 0 ? 0 : Math.min(from, memory.floor?.count ?? 0);
  const peak = Math.max(low.peak, kept);
  const told = { ...figures, lowMs: Math.min(lowMs, delayMs), reclaimMs: delayMs, need: peak };
  if (Math.max(need, kept) >= from) return { to: from, reason: 'enough', figures: told, memory: noted };
  if (peak >= from || lowMs < delayMs) return { to: from, reason: 'reclaim', figures: { ...told, need }, memory: noted };
  if (peak === 0 && isUnused(given, noted, figures)) {
    // Otherwise home would press at once, and have them started again.
    const memory = afterFailedStep(noted, { count: 0, time, delayMs: CEILING_DELAYS * limits.reclaimMs, meanMs: 0 });
    return { to: 0, reason: 'unused', figures: told, memory };
  }
  return { to: peak, reason: figures.load === 0 ? 'gone' : 'low', figures: told, memory: noted };
}

/**
 * Whether the load is at home just as before there were replicas: as far as known its calls could leave, but they do not (each is given
 * what a replica cannot have).
 * @param {AwayCase} given @param {Memory} memory @param {ReturnType<typeof weighReplicas>} figures
 */
function isUnused(given, memory, { load }) {
  const share = given.demand?.share ?? 0;
  return load < LEAST_STEP * (load + share) && presses(given, memory);
}

/**
 * The second branch of eq. (2): none if the module earns less than it costs; otherwise as many as would stay well below saturation.
 * @param {AwayCase} given @param {Memory} memory @param {ReturnType<typeof weighReplicas>} figures @returns {number}
 */
function replicasThatWouldDo(given, memory, figures) {
  const { set, loop, limits, costs, time } = given;
  if (costsMore(given, memory.worth)) return 0;
  if (figures.waiting > set.ready) return set.wanted;
  const seconds = limits.windowMs / 1000;
  const waitMs = (memory.worth ?? 1) * set.busyMsPerSecond * seconds;
  const overheadMs = set.callsPerSecond * seconds * costs.callMs;
  // The start cost may be seconds; but what a module must earn to stay is bounded, or scale-in and scale-out would meet.
  const startMs = Math.min(costs.startMs, ((LEAST_SAVING / 2) * limits.windowMs) / RECLAIM_FACTOR);
  if (equationTwo({ waitMs, overheadMs, startMs }) === -1) return 0;
  const isCalm = set.longestMs !== undefined && (memory.longestMs < LONG_CALL_MS || time - memory.longestAt > limits.reclaimMs);
  if (isCalm && loop.utilisation + figures.load < IDLE_AT_HOME) return 0;
  // Of calls that come at random, few are seen at the same time within one window; but some surely are before a replica would be given
  // back.
  const base = isLone(given, memory, limits.reclaimMs) ? 1 : Math.max(1, replicasForLoad(figures.load, BUSY_AFTER_SCALE_IN));
  const { longLoad, tooFew } = memory;
  return base + (figures.isHeavy ? affordable(given, sparesFor({ base, longLoad, tooFew })) : 0);
}

/**
 * Whether a full event loop is that of one caller who waits for each answer. Then loop and replica take turns: together they are as busy as
 * the loop was alone, no call waits for another, and no two are there at the same time. A free event loop is worth nothing to that caller,
 * unless its calls are so long that all else waits behind them.
 * @param {AwayCase} given @param {Memory} memory with a step @param {ReturnType<typeof weighReplicas>} figures
 */
function isOfOneCaller(given, memory, { load }) {
  const before = memory.step?.utilisation ?? 0;
  const isAsBusy = before >= LOOP_FULL && given.loop.utilisation + load >= LOOP_FULL;
  const isOne = isLone(given, memory) && (given.demand?.inTurn ?? 0) < SEVERAL;
  return isAsBusy && memory.longestMs < LONG_CALL_MS && !isAwaited(given, memory) && isOne;
}

/**
 * Whether the loop has as much to do now as in the whole window. In a window with a pause, loop and replicas are on average as busy as
 * those of one caller.
 * @param {AwayCase} given
 * @returns {boolean}
 */
function isSteady({ loop: { utilisation, lately = utilisation } }) {
  return Math.abs(utilisation - lately) < STEADY;
}

/**
 * Whether home is known to do more to send calls than it would to answer them. What replicas take says little about what home would: they
 * may take several times as long (a cache that each has for itself).
 * @param {AwayCase} given @param {number | null} worth see step.js @returns {boolean}
 */
function costsMore({ set, costs }, worth) {
  if (worth === null || !set.callOverheadMs) return false;
  return set.callsPerSecond * costs.callMs > (1 - LEAST_STEP) * worth * set.busyMsPerSecond;
}

/**
 * Undoes the last step if it brought next to nothing of what it was taken for.
 * @param {AwayCase} given @param {Memory} memory @param {ReturnType<typeof weighReplicas>} figures
 * @returns {{verdict: Verdict | null, memory: Memory}} verdict null: nothing to undo
 */
function judgeStep(given, memory, figures) {
  const { set, loop, from, min, time, limits } = given;
  const { step } = memory;
  if (step === null) return { verdict: null, memory };
  if (set.starting > 0) return { verdict: null, memory };
  const { windowMs = limits.windowMs } = loop;
  // If the loop turns only once in some seconds, a window may be a single turn: calls have left in it, and no answer was read yet.
  const isLong = windowMs > LONG_WINDOW * limits.windowMs;
  const isEarly = time - step.at < (isLong ? JUDGED_AFTER_TURNS * windowMs : JUDGED_AFTER_WINDOWS * limits.windowMs);
  // For a sudden load, what is looked at is not a whole window.
  if (from === step.to && (isEarly || windowMs < WHOLE_WINDOW * limits.windowMs)) return { verdict: null, memory };
  const { kept, gained, relief } = weighStep(step, { rate: set.callsPerSecond, utilisation: loop.utilisation });
  // Less load than before proves nothing; spare lanes are there for the waiting time of short calls, not for throughput.
  const isPressed = figures.isSaturated || loop.utilisation >= LOOP_FULL;
  const looksLone = gained < LEAST_STEP && isOfOneCaller(given, memory, figures);
  // Not for long: after that, what was before the step is no measure any more.
  if (looksLone && !isSteady(given) && time - step.at < 2 * JUDGED_AFTER_WINDOWS * limits.windowMs) return { verdict: null, memory };
  const isOneCallers = looksLone && isSteady(given);
  const worth = step.from === 0 ? worthOf(step, set, given.demand) : memory.worth;
  const isDear = gained < LEAST_STEP && costsMore(given, worth);
  const isLost = (isPressed && kept < LEAST_STEP) || isOneCallers || isDear;
  const isGood = !isLost && kept >= LEAST_STEP && memory.behindSince === null;
  if (from !== step.to || !isLost || figures.isHeavy || step.from < min) {
    const known = isGood && from === step.to ? keepStep(memory, step, time) : memory;
    return { verdict: null, memory: { ...known, worth, step: null, failures: isGood ? 0 : memory.failures } };
  }
  const told = { ...figures, kept, gained, relief, rateBefore: step.rate, ...(isDear ? { homeMs: step.homeMs } : {}) };
  const verdict = undo(given, memory, { count: step.from, reason: 'no-gain', figures: told });
  return { verdict, memory: verdict.memory };
}

/**
 * @param {AwayCase} given
 * @param {Memory} memory
 * @param {{count: number, reason: string, figures: Record<string, any>}} back count: to how many replicas
 * @returns {Verdict}
 */
function undo({ time, limits }, memory, { count, reason, figures }) {
  const meanMs = count === 0 ? 0 : figures.meanMs;
  return {
    to: count,
    reason,
    figures,
    memory: afterFailedStep(memory, { count, time, delayMs: CEILING_DELAYS * limits.reclaimMs, meanMs }),
  };
}

exports.decideAway = decideAway;
