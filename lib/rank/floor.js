'use strict';

// Knows how many replicas a load needs: as many as a prediction found best, once that came true; or as many as had to be started again
// after some were given back, though the load was no greater: a steady load that by chance needs one more now and then is not two loads.
// In: the memory of a module, and a change about to be made, or found good. Out: how many it keeps while the load stays as it is. Pure.
// (step.js has the opposite, a ceiling.)

const { Math } = require('../engine');

/**
 * @typedef {object} Floor
 * @property {number} count replicas; fewer did not do
 * @property {number} load under this load, in replicas that would be busy all the time
 * @property {number} until ms; Infinity: as long as the load stays
 * @property {number} [since] ms, when the step behind it was found good
 *
 * @typedef {object} Lowered the last scale-in that left some replicas
 * @property {number} from
 * @property {number} load
 * @property {number} at ms
 */

/** The mean of the last seconds means a different load if it is this many times as much. */
const MORE = 1.5;
const LESS = 0.6;

/** How long fewer replicas are not tried again, in reclamation delays; doubled each time they again do not suffice. */
const FLOOR_DELAYS = 60;
const MOST_DOUBLINGS = 4;

/** @param {import('./memory').Memory} memory @returns {number} how many replicas were busy on average in the last ten seconds or so */
const loadLately = ({ busyMsLately, countedMs }) => (countedMs === 0 ? 0 : busyMsLately / countedMs);

/** @param {import('./memory').Memory} memory @param {{from: number, to: number, time: number}} change @returns {Lowered | null} */
function loweredBy(memory, { from, to, time }) {
  return to === 0 ? null : { from, load: loadLately(memory), at: time };
}

/**
 * @param {import('./memory').Memory} memory @param {{to: number, time: number, reclaimMs: number}} change to more
 * @returns {import('./memory').Memory}
 */
function raise(memory, { to, time, reclaimMs }) {
  const { lowered, floors } = memory;
  if (lowered === null) return memory;
  const ms = FLOOR_DELAYS * reclaimMs * 2 ** Math.min(MOST_DOUBLINGS, floors);
  const isSame = time - lowered.at < ms && loadLately(memory) < MORE * lowered.load;
  if (!isSame) return { ...memory, lowered: null, floors: 0 };
  const floor = { count: Math.min(to, lowered.from), load: lowered.load, until: time + ms };
  return { ...memory, lowered: null, floor, floors: floors + 1 };
}

/**
 * By how busy they are, fewer would do, too; but calls would wait for each other more, and that is what the step was taken for.
 * @param {import('./memory').Memory} memory @param {import('./step').Step} step that was good @param {number} time
 * @returns {import('./memory').Memory}
 */
function keepStep(memory, { to, isBest }, time) {
  const load = loadLately(memory);
  // A load that has just come to need one more is above its mean; what was known about it before is a better measure.
  const isKnown = memory.floor !== null && memory.floor.count >= to;
  return isBest && load > 0 && !isKnown ? { ...memory, floor: { count: to, load, until: Infinity, since: time } } : memory;
}

/**
 * @param {import('./memory').Memory} memory
 * @param {{time: number, reclaimMs: number}} now
 * @returns {import('./memory').Memory} without a floor whose time is over, of a greater load, or whose calls were never seen two at a time
 */
function forgetFloor(memory, { time, reclaimMs }) {
  const { floor, togetherAt } = memory;
  if (floor === null) return memory;
  if (loadLately(memory) < LESS * floor.load) return { ...memory, floor: null, floors: 0 };
  const { since = -Infinity } = floor;
  const isOneCallers = togetherAt < since && time - since > reclaimMs;
  return time < floor.until && !isOneCallers ? memory : { ...memory, floor: null };
}

exports.forgetFloor = forgetFloor;
exports.keepStep = keepStep;
exports.loweredBy = loweredBy;
exports.raise = raise;
