'use strict';

// Chooses the span of time to look at before a step. It begins when replicas last began or ended, when a sudden load came, or with the
// first call of the modules in question. For new modules whose calls have become shorter it is only the last tick: until the engine has
// compiled what is called often, a call takes several times as long (measured: 17 to 41 ms, then 5). If that tick is unlike the time
// before, only the lengths of calls are taken from it; if calls have become only a little shorter, their lengths are taken from all but the
// first tick. In: a round, and a way to look at less than its window. Out: loop, demands and sets of one and the same time. Pure.

const { demandsOf } = require('./demand');
const { byModule } = require('./placement');
const { FULL, isHidden } = require('./full');
const { LONG_CALL_MS } = require('./ranking');
const { FRACTIONS } = require('./service-time');
const { Map, Math } = require('../engine');

/** The first calls of a module say something about it after this many ticks. */
const NEW_TICKS = 2;
/** This few calls may all be from before the engine has compiled what they run. */
const FEW_CALLS = 24;
/** A tick with fewer calls says nothing about their length. */
const LEAST_CALLS = 8;
/** Calls have become shorter if those of the last tick take less than this part of the overall mean. */
const SHORTER = 0.8;
/** If the engine compiles it within a tick, half of the calls take much less than the mean, which is this many times as long. */
const MIXED = 1.3;
const HALF = FRACTIONS.indexOf(0.5);
/** A module that takes less of the loop's time says nothing about what a tick is like. */
const NOTABLE = 0.05;
/** A tick is like the time before it if no module was called this many times more or less often for each call of another one. */
const OTHERWISE = 2;

/**
 * @typedef {import('./demand').Demand} Demand
 * @typedef {import('./decision').SetState} SetState
 * @typedef {import('../profile/event-loop').LoopReading} LoopReading
 * @typedef {import('../profile/window').Reading} Reading
 *
 * @typedef {object} Moment
 * @property {LoopReading} loop
 * @property {Map<string, Demand>} demands
 * @property {Map<string, SetState>} sets
 *
 * @typedef {(spanMs: number, isFromFirst: boolean) => {readings: Reading[], loop: LoopReading, sets: SetState[]}} Lately see the
 *   coordinator's Sources
 */

/**
 * @template {Moment} M
 * @param {object} given
 * @param {M} given.round
 * @param {string[]} given.wanting modules in question
 * @param {{tickMs: number, windowMs: number, poolThreads: number}} given.limits
 * @param {number} given.knownMs since replicas began or ended, or a sudden load came
 * @param {Lately} [given.lately] absent: only the window is available
 * @param {(readings: Reading[]) => Reading[]} given.join adds what modules carry along
 * @returns {M}
 */
function momentOf({ round, wanting, limits, knownMs, lately, join }) {
  const firstMs = Math.max(limits.tickMs, ...wanting.map((module) => sinceMs(round.demands, module)));
  const spanMs = Math.min(knownMs, firstMs);
  if (lately === undefined || spanMs >= limits.windowMs) return round;
  /** @param {number} ms @param {boolean} isFromFirst */
  const over = (ms, isFromFirst) => {
    const { readings, loop, sets } = lately(ms, isFromFirst);
    return { ...round, loop, demands: demandsOf(join(readings), loop, limits.poolThreads), sets: byModule(sets) };
  };
  const since = over(spanMs, firstMs < knownMs);
  if (firstMs >= limits.windowMs) return since;
  const areShorter = (/** @type {M} */ part, /** @type {number} */ than) =>
    wanting.every((module) => isShorter(part.demands.get(module), since.demands.get(module), than));
  const last = over(limits.tickMs, false);
  if (areShorter(last, SHORTER)) {
    // In a tick with an idle loop, loop and calls are not of the same time; and many callers may all be at the same point.
    return last.loop.utilisation === 1 && isLike(last.demands, since.demands) ? last : withLengthsOf(last, since, wanting);
  }
  // A few long calls hardly show in a mean, yet they dominate the latencies that few calls have.
  const later = over(Math.max(limits.tickMs, spanMs - limits.tickMs), false);
  return areShorter(later, 1) ? withLengthsOf(later, since, wanting) : since;
}

/**
 * @param {Map<string, Demand>} last
 * @param {Map<string, Demand>} all
 * @returns {boolean} whether calls go to modules in similar proportions
 */
function isLike(last, all) {
  const parts = [...all.values()]
    .filter(({ share }) => share >= NOTABLE)
    .map(({ module, calls }) => Number(last.get(module)?.calls) / calls);
  return Math.max(...parts) < OTHERWISE * Math.min(...parts);
}

/** @param {Demand | undefined} part @param {Demand | undefined} all @param {number} than shorter than this part of the overall mean */
function isShorter(part, all, than) {
  return (
    part !== undefined && all !== undefined && part.calls >= LEAST_CALLS && part.meanMs < than * all.meanMs && all.maxMs < LONG_CALL_MS
  );
}

/**
 * The time that shorter calls leave to the loop is idle, or filled with more calls if the loop is full.
 * @template {Moment} M
 * @param {M} last
 * @param {M} since
 * @param {string[]} modules of both
 * @returns {M} `since`, with calls as long as those of `last`
 */
function withLengthsOf(last, since, modules) {
  const { utilisation, ownShare } = since.loop;
  const changes = modules.map((module) => {
    const { meanMs, maxMs, quantiles } = /** @type {Demand} */ (last.demands.get(module));
    const all = /** @type {Demand} */ (since.demands.get(module));
    return { all, part: meanMs / all.meanMs, lengths: { meanMs, maxMs, quantiles } };
  });
  const saved = changes.reduce((sum, { all, part }) => sum + (1 - part) * all.share, 0);
  const isFull = utilisation > FULL && utilisation - ownShare > saved;
  const factor = isFull ? (utilisation - ownShare) / (utilisation - ownShare - saved) : 1;
  const demands = new Map(since.demands);
  for (const { all, part, lengths } of changes) {
    const { exclusiveMs, share, callsPerSecond } = all;
    const time = { exclusiveMs: part * exclusiveMs, share: factor * part * share };
    demands.set(all.module, { ...all, ...lengths, ...time, callsPerSecond: factor * callsPerSecond });
  }
  return isFull ? { ...since, demands } : { ...since, demands, loop: { ...since.loop, utilisation: Math.max(0, utilisation - saved) } };
}

/** Modules whose first call was so recent that their calls may soon take less. */
class Newcomers {
  /** @type {Map<string, number>} by module: rounds in which it was asked about while it was new */
  #rounds = new Map();

  /**
   * All calls of one turn of the loop, however long it was, are first calls. So two rounds must see some, and a third one if the last of
   * them saw the engine compile the module. A load that has moved there from modules in replicas leaves time for one more round of each:
   * few calls may all be from before the engine has compiled them.
   * @param {Map<string, Demand>} demands
   * @param {string[]} modules
   * @param {{tickMs: number, windowMs: number}} limits
   * @param {() => import('./measured').Measured} measure what is known about them
   * @returns {boolean} whether one of them is new, or hidden by what Ignis itself does when a program starts
   */
  areAmong(demands, modules, { tickMs, windowMs }, measure) {
    /** @type {{module: string, ticks: number, areFew: boolean}[]} */
    const young = [];
    for (const module of modules) {
      const ms = sinceMs(demands, module);
      const rounds = (this.#rounds.get(module) ?? 0) + 1;
      if (ms >= windowMs) this.#rounds.delete(module);
      else this.#rounds.set(module, rounds);
      const demand = demands.get(module);
      if (ms >= windowMs || demand === undefined || demand.maxMs >= LONG_CALL_MS) continue;
      // There may be looks between two ticks.
      young.push({ module, ticks: Math.min(rounds, Math.floor(ms / tickMs)), areFew: demand.calls < FEW_CALLS });
    }
    if (young.length === 0) return false;
    if (young.some(({ ticks }) => ticks < NEW_TICKS)) return true;
    const measured = measure();
    const hasMoved = measured.modules.some(({ module, ready }) => ready > 0 && !modules.includes(module));
    const most = hasMoved ? NEW_TICKS + 1 : NEW_TICKS;
    const early = young.filter(({ ticks }) => ticks <= most).map(({ module }) => module);
    return young.some(({ ticks, areFew }) => areFew && ticks < most) || isHidden(measured, modules) || areMixed(measured, early);
  }
}

/**
 * @param {import('./measured').Measured} measured
 * @param {string[]} modules
 * @returns {boolean} whether some calls of one of them take so much longer than others that the engine may have compiled it in between
 */
function areMixed({ modules: all }, modules) {
  return all.some(
    ({ module, share, callsPerSecond, quantiles }) =>
      modules.includes(module) && quantiles.length > HALF && share * 1000 > MIXED * callsPerSecond * quantiles[HALF],
  );
}

/** @param {Map<string, Demand>} demands @param {string} module @returns {number} since its very first call; Infinity: unknown */
function sinceMs(demands, module) {
  return demands.get(module)?.sinceMs ?? Infinity;
}

exports.Newcomers = Newcomers;
exports.momentOf = momentOf;
