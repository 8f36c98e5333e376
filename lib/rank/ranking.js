'use strict';

// The arithmetic of scaling: the paper's equations (1) and (2), and how many replicas a load needs. In: measured numbers. Out: a direction,
// or a number of replicas. Pure; it knows no module and no recipe.

const { LONG_CALL_MS } = require('../spawn/gauge');
const { Math } = require('../engine');

/** In a replica busier than this, calls wait too long for each other (single server, random arrivals: 1/(1-0.7) = 3.3 times). */
const BUSY_AT_MOST = 0.7;

/** Replicas are given back only if the rest would stay below this. The gap to BUSY_AT_MOST keeps a steady load from oscillating. */
const BUSY_AFTER_SCALE_IN = 0.5;

/** The tail counts as heavy if the longest call takes this many times the mean. */
const HEAVY_TAIL = 10;

/** The most extra replicas for a heavy tail: with two long calls at once, short ones still have a way past. */
const MOST_SPARES = 2;

/** Part of the short calls that find long ones everywhere: above this, they dominate the 99th percentile. */
const LEAST_BLOCKED = 0.01;

/** With fewer calls than this a weighted average means little, and eq. (1) decides. */
const FEW_SAMPLES = 8;

/** The paper's `a`: the part of the start cost that a module must still earn to keep its replicas. */
const RECLAIM_FACTOR = 0.1;

/**
 * Eq. (1), section 4.1: more calls pending than replicas, and cores left.
 * @param {object} state
 * @param {number} state.pending calls pending (for a blocking interface, which has no queue: 1 while it presses)
 * @param {number} state.replicas
 * @param {number} state.cpus
 * @returns {1 | 0 | -1}
 */
function equationOne({ pending, replicas, cpus }) {
  if (pending > replicas && replicas < cpus) return 1;
  return pending < replicas ? -1 : 0;
}

/**
 * Eq. (2), section 4.1: how long calls wait, against what crossing and starting cost.
 * @param {object} state
 * @param {number} state.waitMs pending calls times their weighted latency; for a blocking interface, which has no queue at the boundary,
 *   the time that its calls took from the loop
 * @param {number} state.overheadMs delta: measured cost of the same calls as remote ones
 * @param {number} state.startMs delta0: measured cost of one more replica
 * @returns {1 | 0 | -1} 0 in the band between both branches
 */
function equationTwo({ waitMs, overheadMs, startMs }) {
  if (waitMs > overheadMs + startMs) return 1;
  return waitMs < overheadMs + RECLAIM_FACTOR * startMs ? -1 : 0;
}

/**
 * @param {number} meanMs of a call
 * @param {number} maxMs longest call seen
 * @param {number} samples calls behind these two; a few show no tail
 * @returns {boolean} whether some calls are so much longer than most that they need a lane of their own
 */
function hasHeavyTail(meanMs, maxMs, samples) {
  return samples >= FEW_SAMPLES && maxMs >= LONG_CALL_MS && maxMs >= HEAVY_TAIL * meanMs;
}

/**
 * The smallest number of replicas that keeps each one below `busyAtMost`.
 * @param {number} load arrivals a second times seconds of service, that is how many replicas would be busy all the time
 * @param {number} [busyAtMost] 0 to 1
 * @returns {number} 0 for no load
 */
function replicasForLoad(load, busyAtMost = BUSY_AT_MOST) {
  // A load of exactly n * busyAtMost must give n, whatever the last bit of the division is.
  return Math.max(0, Math.ceil(load / busyAtMost - 1e-9));
}

/**
 * How many more lanes let short calls pass long ones: one, and more if long ones often run at the same time. Of calls that come by chance
 * and wait for nobody, `longLoad` run at a time on average, by Poisson's distribution; whether others come together must be seen.
 * @param {object} state
 * @param {number} state.base replicas without spares
 * @param {number} state.longLoad long calls a second times their seconds
 * @param {number} state.tooFew this many replicas were all seen in long calls at once; 0: none were
 * @returns {number} 1 to MOST_SPARES
 */
function sparesFor({ base, longLoad, tooFew }) {
  let chance = Math.exp(-longLoad);
  let blocked = 1 - chance;
  let lanes = 1;
  while (blocked > LEAST_BLOCKED && lanes < base + MOST_SPARES) {
    chance *= longLoad / lanes++;
    blocked -= chance;
  }
  return Math.min(MOST_SPARES, Math.max(1, lanes - base, tooFew + 1 - base));
}

/**
 * @param {object} state
 * @param {number} state.load see replicasForLoad
 * @param {boolean} state.isHeavy see hasHeavyTail
 * @param {number} state.cores how many cores this module gets
 * @param {number} [state.longLoad] see sparesFor; 0: unknown, so one spare must do
 * @param {number} [state.tooFew] see sparesFor; 0: not seen
 * @returns {{base: number, spares: number}} base never more than the cores; spares cost memory, and a core only while long calls run
 */
function sizeFor({ load, isHeavy, cores, longLoad = 0, tooFew = 0 }) {
  const base = Math.max(1, Math.min(replicasForLoad(load), cores));
  return { base, spares: isHeavy ? sparesFor({ base, longLoad, tooFew }) : 0 };
}

exports.BUSY_AT_MOST = BUSY_AT_MOST;
exports.BUSY_AFTER_SCALE_IN = BUSY_AFTER_SCALE_IN;
exports.FEW_SAMPLES = FEW_SAMPLES;
exports.LONG_CALL_MS = LONG_CALL_MS;
exports.RECLAIM_FACTOR = RECLAIM_FACTOR;
exports.equationOne = equationOne;
exports.equationTwo = equationTwo;
exports.hasHeavyTail = hasHeavyTail;
exports.replicasForLoad = replicasForLoad;
exports.sizeFor = sizeFor;
exports.sparesFor = sparesFor;
