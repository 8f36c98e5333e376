'use strict';

// Decides how many of this machine's cores each module gets. In: the load of every module that has replicas or may get some; what is idle.
// Out: a number of cores for each. Pure.

const { Map, Math } = require('../engine');

/**
 * @typedef {import('./decision').Permission} Permission
 * @typedef {import('./decision').SetState} SetState
 * @typedef {import('./demand').Demand} Demand
 */

/**
 * Shares cores by load. Each module gets at least one, since a single replica already frees the event loop; a module that is alone with its
 * load gets them all.
 * @param {Map<string, number>} loads by module: how many cores it could keep busy
 * @param {number} cpus
 * @returns {Map<string, number>} whole cores by module, each at least 1
 */
function shareCores(loads, cpus) {
  let total = 0;
  for (const load of loads.values()) total += load;
  const shares = new Map();
  for (const [module, load] of loads) {
    const cores = total === 0 ? cpus : Math.round((cpus * load) / total);
    shares.set(module, Math.min(cpus, Math.max(1, cores)));
  }
  return shares;
}

/** Whether all its replicas run on other machines. @param {SetState | undefined} set */
const isElsewhere = (set) => set?.hosts !== undefined && set.near === undefined;

/** @param {SetState} set @returns {number} cores of this machine that its replicas keep busy */
const busyHere = (set) => (isElsewhere(set) ? 0 : (set.near ?? set).busyMsPerSecond / 1000);

/**
 * In addition to its own cores a module may use idle ones, whoever is entitled to them.
 * @param {SetState | undefined} set
 * @param {number | null} free
 */
const coresInReach = (set, free) => (free === null ? 0 : ((set?.near ?? set)?.ready ?? 0) + Math.ceil(free));

/**
 * What this program has of the machine now, plus what nobody else uses.
 * @param {number | null} free
 * @param {{utilisation: number}} loop
 * @param {Iterable<SetState>} sets
 * @param {number} [beside] cores that it kept busy beside its event loop, by the same count as the free ones; starting replicas included
 * @returns {number | null} null: unknown
 */
function coresFor(free, loop, sets, beside = 0) {
  if (free === null) return null;
  let busy = 0;
  for (const set of sets) busy += busyHere(set);
  return loop.utilisation + free + Math.max(busy, beside);
}

/**
 * How much the pressure of a module counts among others (paper, section 4.1: weighted summaries).
 *
 * @param {Permission | undefined} permission
 */
const weightOf = (permission) => permission?.weight ?? 1;

/**
 * @param {Map<string, Demand>} demands
 * @param {Map<string, SetState>} sets
 * @param {Map<string, Permission>} permissions
 * @returns {Map<string, number>} by module that may have replicas on this machine: cores that it could keep busy, by its weight
 */
function loadsOf(demands, sets, permissions) {
  const loads = new Map();
  for (const [module, permission] of permissions) {
    const set = sets.get(module);
    if (!permission.allowed || isElsewhere(set) || set?.isLeft === true) continue;
    const load = set !== undefined && set.ready > 0 ? set.busyMsPerSecond / 1000 : (demands.get(module)?.share ?? 0);
    if (load > 0) loads.set(module, load * weightOf(permission));
  }
  return loads;
}

/**
 * @param {string} module
 * @param {number} reach cores of this program, see coresFor
 * @param {{demands: Map<string, Demand>, sets: Map<string, SetState>, loop: {utilisation: number}}} now
 * @returns {number} of these, what this module keeps busy plus what is idle
 */
function roomFor(module, reach, { demands, sets, loop }) {
  let room = reach - Math.max(0, loop.utilisation - (demands.get(module)?.share ?? 0));
  for (const [other, set] of sets) if (other !== module) room -= busyHere(set);
  return Math.max(0, room);
}

/** @param {Iterable<SetState> | Map<string, SetState>} sets @returns {Map<string, SetState>} */
function byModule(sets) {
  if (sets instanceof Map) return sets;
  return new Map([...sets].map((set) => [set.module, set]));
}

exports.byModule = byModule;
exports.coresFor = coresFor;
exports.coresInReach = coresInReach;
exports.loadsOf = loadsOf;
exports.roomFor = roomFor;
exports.shareCores = shareCores;
exports.weightOf = weightOf;
