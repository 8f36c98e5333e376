'use strict';

// Over which time is looked before a step: since replicas began or ended, since a load has come all at once, since the first call of the
// modules that it is about; and of modules that are new, only the last of that where their calls have become shorter: the engine compiles
// what is called often, and until it has, a call takes several times as long (measured: 17 to 41 ms, then 5). Where that last tick is not
// like the time before, only the lengths of their calls are taken from it; and where they have become shorter by little, those of all but
// the first tick. In: a round, and a way to look at less than its window. Out: loop, demands and sets of one and the same time. Pure.

const { demandsOf } = require('./demand');
const { byModule } = require('./placement');
const { FULL, isHidden } = require('./full');
const { LONG_CALL_MS } = require('./ranking');
const { FRACTIONS } = require('./service-time');
const { Map, Math } = require('../engine');

/** The first calls of a module say something of it after so many ticks. */
const NEW_TICKS = 2;
/** So few calls may all be from before the engine has compiled what they run. */
const FEW_CALLS = 24;
/** A tick with fewer calls says nothing of their length. */
const LEAST_CALLS = 8;
/** They have become shorter when those of the last tick take less than this part of what all of them take. */
const SHORTER = 0.8;
/** Where the engine has compiled it within a tick, half of its calls take much less than the mean: it is this many times as long. */
const MIXED = 1.3;
const HALF = FRACTIONS.indexOf(0.5);
/** A module that takes less of the loop's time says nothing of what a tick is like. */
const NOTABLE = 0.05;
/** A tick is like the time before it where no module was called so many times as often, or as seldom, for each call of another one. */
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
 * @typedef {(spanMs: number, isFromFirst: boolean) => {readings: Reading[], loop: LoopReading, sets: SetState[]}} Lately as the
 *   coordinator's sources have it
 */

/**
 * @template {Moment} M
 * @param {object} given
 * @param {M} given.round
 * @param {string[]} given.wanting modules that it is about
 * @param {{tickMs: number, windowMs: number, poolThreads: number}} given.limits
 * @param {number} given.knownMs since replicas began or ended, or a load has come all at once
 * @param {Lately} [given.lately] absent: there is only the window
 * @param {(readings: Reading[]) => Reading[]} given.join what they carry along is theirs
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
    // Of a tick in which the loop was idle, too, loop and calls are not of one time; and many callers may all be at the same point.
    return last.loop.utilisation === 1 && isLike(last.demands, since.demands) ? last : withLengthsOf(last, since, wanting);
  }
  // A few long calls are hardly felt in a mean, and all there is of latencies that few calls have.
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

/** @param {Demand | undefined} part @param {Demand | undefined} all @param {number} than this part of what all take, on average */
function isShorter(part, all, than) {
  return (
    part !== undefined && all !== undefined && part.calls >= LEAST_CALLS && part.meanMs < than * all.meanMs && all.maxMs < LONG_CALL_MS
  );
}

/**
 * The time that shorter calls leave to the loop is idle, or more calls where it is full.
 *
 * @template {Moment} M
 * @param {M} last
 * @param {M} since
 * @param {string[]} modules of both
 * @returns {M} the latter, with calls as long as those of the former
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

/** Modules that were first called so recently that their calls may take less in a moment. */
class Newcomers {
  /** @type {Map<string, number>} rounds in which each was asked about while it was new */
  #rounds = new Map();

  /**
   * The calls of one turn of the loop, however long that was, are all first ones: so two rounds have to see some, and a third where the
   * last of them saw the engine compile it. A load that has moved there from modules in replicas leaves time for one more of each: few
   * calls may all be from before the engine has compiled them.
   *
   * @param {Map<string, Demand>} demands
   * @param {string[]} modules
   * @param {{tickMs: number, windowMs: number}} limits
   * @param {() => import('./measured').Measured} measure what is known of them
   * @returns {boolean} whether one of them is such, or hidden by what Ignis itself does when a program starts
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
 * @returns {boolean} whether some calls of one of them take so much longer than others that the engine may have compiled it meanwhile
 */
function areMixed({ modules: all }, modules) {
  return all.some(
    ({ module, share, callsPerSecond, quantiles }) =>
      modules.includes(module) && quantiles.length > HALF && share * 1000 > MIXED * callsPerSecond * quantiles[HALF],
  );
}

/** @param {Map<string, Demand>} demands @param {string} module @returns {number} since its first call of all; Infinity: not known */
function sinceMs(demands, module) {
  return demands.get(module)?.sinceMs ?? Infinity;
}

exports.Newcomers = Newcomers;
exports.momentOf = momentOf;
