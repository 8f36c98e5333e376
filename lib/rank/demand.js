'use strict';

// Sums up what one module asks of the event loop, over all boundaries that lead to it. In: readings, one a boundary. Out: one Demand a
// module, since replicas serve a module rather than an edge. Pure.

const { pressureOf } = require('./pressure');
const { Map, Math, Object } = require('../engine');

/**
 * @typedef {import('./carried').Reading} Reading
 * @typedef {import('../profile/event-loop').LoopReading} LoopReading
 *
 * @typedef {object} Demand
 * @property {string} module or group: the name of its replica set
 * @property {string} boundary the most pressed boundary of this module
 * @property {boolean} isLater true: it spends most of its time in functions whose result comes later
 * @property {number} calls in the window
 * @property {number} callsPerSecond
 * @property {number} inTurn calls per turn of the event loop, as a call sees it
 * @property {number} exclusiveMs
 * @property {number} carriedMs the part of it in modules inside that replicas take along
 * @property {number} takenMs what is not part of it, since others would take it along
 * @property {number} share of the window in which this module's own code, and what it takes along, occupied the loop, 0 to 1
 * @property {number} meanMs
 * @property {number} maxMs
 * @property {number} pending
 * @property {number} completions in the window, of calls whose result comes later
 * @property {number} inPool calls that wait for libuv's pool: its own if it is a built-in, else those that it made to built-ins
 * @property {number} latencyMs mean
 * @property {number} pressure 0 to 1
 * @property {string} hottest function
 * @property {number} windowMs
 * @property {number} sinceMs since the very first call; Infinity: unknown; computed on demand
 * @property {number} samples
 * @property {number} bytes of arguments and results, rough mean per call
 * @property {number} values in them
 * @property {number[]} quantiles of exclusive ms a call, for the boundary that took the most time (service-time.js: FRACTIONS); computed on
 *   demand; ask before the next tick
 */

/** Of a module whose boundaries have no readings. @type {Readonly<Demand>} */
const NO_DEMAND = Object.freeze({
  ...{ module: '', boundary: '', hottest: '', isLater: false },
  ...{ calls: 0, callsPerSecond: 0, inTurn: 0, exclusiveMs: 0, carriedMs: 0, takenMs: 0, share: 0, meanMs: 0, maxMs: 0 },
  ...{ pending: 0, completions: 0, inPool: 0, latencyMs: 0, pressure: 0, windowMs: 0, sinceMs: Infinity, samples: 0, bytes: 0, values: 0 },
  quantiles: [],
});

/**
 * @param {Reading[]} readings
 * @param {Pick<LoopReading, 'utilisation'>} loop
 * @param {number} [poolThreads]
 * @returns {Map<string, Demand>} by module
 */
function demandsOf(readings, loop, poolThreads) {
  /** @type {Map<string, Reading[]>} */
  const byModule = new Map();
  for (const reading of readings) {
    const same = byModule.get(reading.module);
    if (same === undefined) byModule.set(reading.module, [reading]);
    else same.push(reading);
  }
  const demands = new Map();
  const inPool = pendingBuiltins(readings);
  for (const [module, group] of byModule) demands.set(module, joinReadings(module, group, inPool.get(module) ?? 0, loop, poolThreads));
  return demands;
}

/** @param {Reading[]} readings @returns {Map<string, number>} by module: the calls that it made to built-ins and that are pending */
function pendingBuiltins(readings) {
  const pending = new Map();
  // Calls that a group makes to built-ins count for the group.
  const setOf = new Map(readings.map(({ child, module }) => [child.name, module]));
  for (const reading of readings) {
    if (reading.child.kind !== 'builtin') continue;
    const module = setOf.get(reading.parent.name) ?? reading.parent.name;
    pending.set(module, (pending.get(module) ?? 0) + reading.pending);
  }
  return pending;
}

/**
 * @param {string} module
 * @param {Reading[]} group at least one
 * @param {number} builtins pending calls that it made to built-ins
 * @param {Pick<LoopReading, 'utilisation'>} loop
 * @param {number} [poolThreads]
 * @returns {Demand}
 */
function joinReadings(module, group, builtins, loop, poolThreads) {
  const pressures = group.map((reading) => pressureOf(reading, loop, poolThreads));
  const top = group[pressures.indexOf(Math.max(...pressures))];
  // Calls within a group take time like others, but would not cross.
  const outer = group.filter((reading) => !reading.isInner);
  const calls = sum(outer, (reading) => reading.calls);
  const completions = sum(outer, (reading) => reading.completions);
  const exclusiveMs = sum(group, (reading) => reading.exclusiveMs);
  const blockingMs = sum(group, (reading) => reading.blockingMs);
  const pending = sum(outer, (reading) => reading.pending);
  const share = Math.min(
    1,
    sum(group, (reading) => reading.share),
  );
  return {
    module,
    boundary: top.boundary,
    isLater: (pending > 0 || completions > 0) && blockingMs <= exclusiveMs / 2,
    calls,
    callsPerSecond: sum(outer, (reading) => reading.callsPerSecond),
    inTurn: sum(outer, (reading) => reading.inTurn),
    exclusiveMs,
    carriedMs: sum(group, ({ carriedMs = 0 }) => carriedMs),
    takenMs: sum(group, ({ takenMs = 0 }) => takenMs),
    share,
    meanMs: calls === 0 ? 0 : sum(group, (reading) => reading.meanMs * reading.calls) / calls,
    maxMs: Math.max(...group.map((reading) => reading.maxMs)),
    pending,
    completions,
    inPool: top.child.kind === 'builtin' ? pending : builtins,
    latencyMs: completions === 0 ? 0 : sum(outer, (reading) => reading.latencyMs * reading.completions) / completions,
    pressure: pressureOfAll(group, pressures),
    hottest: top.hottest,
    windowMs: Math.max(...group.map((reading) => reading.windowMs)),
    samples: sum(group, (reading) => reading.samples),
    bytes: meanOf(outer, calls, (reading) => reading.bytes),
    values: meanOf(outer, calls, (reading) => reading.values),
    get sinceMs() {
      return Math.max(...group.map(({ sinceMs = Infinity }) => sinceMs));
    },
    get quantiles() {
      return group.reduce((most, reading) => (reading.exclusiveMs > most.exclusiveMs ? reading : most)).quantiles;
    },
  };
}

/**
 * @param {Reading[]} group
 * @param {number[]} pressures of each
 * @returns {number} of its modules together, each by its most pressed boundary; 0 to 1
 */
function pressureOfAll(group, pressures) {
  /** @type {Map<string, number>} */
  const most = new Map();
  group.forEach(({ child }, i) => most.set(child.name, Math.max(most.get(child.name) ?? 0, pressures[i])));
  let all = 0;
  for (const pressure of most.values()) all += pressure;
  return Math.min(1, all);
}

/** @param {Reading[]} group @param {(reading: Reading) => number} of @returns {number} */
function sum(group, of) {
  let total = 0;
  for (const reading of group) total += of(reading);
  return total;
}

/** @param {Reading[]} group @param {number} calls of all @param {(reading: Reading) => number} of @returns {number} weighted by calls */
const meanOf = (group, calls, of) => (calls === 0 ? 0 : sum(group, (reading) => reading.calls * of(reading)) / calls);

/** @param {Map<string, Demand>} demands @returns {number} ms of a turn of the event loop that belong to them */
function turnMsOf(demands) {
  let ms = 0;
  for (const { inTurn, meanMs } of demands.values()) ms += inTurn * meanMs;
  return ms;
}

exports.NO_DEMAND = NO_DEMAND;
exports.pendingBuiltins = pendingBuiltins;
exports.demandsOf = demandsOf;
exports.turnMsOf = turnMsOf;
