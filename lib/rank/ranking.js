'use strict';

// The arithmetic of scaling: the paper's equations (1) and (2), and how many replicas a load needs.
// In: numbers that were measured. Out: a direction, or a number of replicas. Pure; knows no module and no recipe.

const { LONG_CALL_MS } = require('../spawn/gauge');
const { Math } = require('../engine');

/** A replica busier than this makes calls wait too long for each other (single server, random arrivals: 1/(1-0.7) = 3.3 times). */
const BUSY_AT_MOST = 0.7;

/** Replicas go only when the rest would stay below this. The gap to BUSY_AT_MOST keeps a steady load from oscillating. */
const BUSY_AFTER_SCALE_IN = 0.5;

/** How many times the mean the longest call must be before the tail counts as heavy. */
const HEAVY_TAIL = 10;

/** Extra replicas for a heavy tail at most: two long calls at once still leave the short ones a way past. */
const MOST_SPARES = 2;

/** Short calls that find long ones everywhere, of all: above this they are what the 99th percentile shows. */
const LEAST_BLOCKED = 0.01;

/** Below this many calls a weighted average means little, and eq. (1) decides. */
const FEW_SAMPLES = 8;

/** The paper's `a`: part of the start cost that a module must still earn to keep its replicas. */
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
 * Eq. (2), section 4.1: what calls wait for, against what crossing and starting cost.
 * @param {object} state
 * @param {number} state.waitMs pending calls times their weighted latency; for a blocking interface, which has no queue at
 *   the boundary, the time that its calls took from the loop
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
 * @param {number} samples calls behind these two; few of them show no tail
 * @returns {boolean} whether some calls are so much longer than most that they need a lane of their own
 */
function hasHeavyTail(meanMs, maxMs, samples) {
  return samples >= FEW_SAMPLES && maxMs >= LONG_CALL_MS && maxMs >= HEAVY_TAIL * meanMs;
}

/**
 * The smallest number of replicas that keeps each below `busyAtMost`.
 * @param {number} load arrivals a second times seconds of service: how many replicas would be busy all the time
 * @param {number} [busyAtMost] 0 to 1
 * @returns {number} 0 for no load
 */
function replicasForLoad(load, busyAtMost = BUSY_AT_MOST) {
  // A load of exactly n * busyAtMost must give n, whatever the last bit of the division says.
  return Math.max(0, Math.ceil(load / busyAtMost - 1e-9));
}

/**
 * How many lanes more let short calls pass the long ones: one, and more where long ones often run at the same time. Calls that come by
 * chance and wait for nobody are `longLoad` at a time on average, by Poisson's distribution; that others come together is only seen.
 * @param {object} state
 * @param {number} state.base replicas without spares
 * @param {number} state.longLoad long calls a second times their seconds
 * @param {number} state.tooFew replicas that were seen to be in long calls, all of them; 0: none were
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
 * @param {number} state.cores how many cores fall to this module
 * @param {number} [state.longLoad] see sparesFor; 0: not known, so one spare must do
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
