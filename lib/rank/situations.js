'use strict';
/*
 * Puts together what is known about each module at one tick, for decisions. In: what was measured, of all modules; what is remembered about
 * each. Out: one Situation a module, most pressed first. Pure.
 */
const { EMPTY_MEMORY } = require('./memory');
const { coresInReach, loadsOf, roomFor, shareCores, weightOf } = require('./placement');
const { placeFor } = require('./places');
const { Math } = require('../engine');

/**
 * @typedef {object} Seen
 * @property {number} time ms
 * @property {import('../profile/event-loop').LoopReading} loop
 * @property {Map<string, import('./demand').Demand>} demands
 * @property {Map<string, import('./decision').SetState>} sets
 * @property {Map<string, import('./decision').Permission>} permissions for all modules
 * @property {number | null} free cores of the machine; null: unknown
 * @property {number} reach cores that the program can have
 */

/**
 * @param {Seen} seen
 * @param {import('./decision').Limits} limits
 * @param {Map<string, import('./memory').Memory>} memories
 * @returns {import('./decision').Situation[]}
 */
function situationsIn({ time, loop, demands, sets, permissions, free, reach }, limits, memories) {
  const { cpus } = limits;
  const cores = shareCores(loadsOf(demands, sets, permissions), cpus);
  const pressureOf = (/** @type {string} */ module) => (demands.get(module)?.pressure ?? 0) * weightOf(permissions.get(module));
  const order = [...permissions].sort(([a], [b]) => pressureOf(b) - pressureOf(a));
  return order.map(([module, permission]) => {
    const set = sets.get(module);
    const here = {
      limits,
      cores: Math.min(cpus, Math.max(cores.get(module) ?? cpus, coresInReach(set, free))),
      free,
      room: roomFor(module, reach, { demands, sets, loop }),
    };
    const memory = memories.get(module) ?? EMPTY_MEMORY;
    return { time, module, demand: demands.get(module) ?? null, set: set ?? null, permission, loop, ...placeFor(set, here), memory };
  });
}

exports.situationsIn = situationsIn;
