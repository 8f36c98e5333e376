'use strict';

// Keeps the busiest window seen. When a program ends its last window is idle, and a prediction needs one under load. In: at each tick, what
// the coordinator has anyway. Out: a plain record of the best window; and for each module, how long its calls were when it was last at
// home: for replicas, only their sum and the longest are known. It keeps one record, and computes quantiles only for a better window, or
// now and then for a module that takes time.

const { pendingBuiltins } = require('./demand');
const { machinesOf } = require('./hosts');
const { Map, Math, Set, isFinite } = require('../engine');

/**
 * @typedef {import('../profile/window').Reading} Reading
 * @typedef {import('./decision').SetState} SetState
 * @typedef {import('../types').Busiest} BusiestWindow
 *
 * @typedef {object} Tick
 * @property {number} time ms since the epoch
 * @property {Reading[]} readings
 * @property {(module: string) => import('./carried').Reading[] | null} [supposing] the readings as they would be if the recipe of a module
 *   let it leave; null if it does
 * @property {import('../profile/event-loop').LoopReading} loop
 * @property {Iterable<SetState>} sets
 * @property {number} poolThreads
 * @property {Map<string, import('./places').Near | undefined>} [nears] by module: those whose replicas are first here and then on hosts
 */

/** With fewer calls than this a window counts half: one long call at the start is no load. */
const FEW_CALLS = 8;

/** A window must be better by this factor, or a growing load would be recorded anew at each tick. */
const BETTER_BY = 1.02;

/** Of equally busy windows, one with this many times the calls is better: a full loop cannot be fuller, only less disturbed. */
const MORE_CALLS = 1.1;

/** How many boundaries the record has: those that took the most time. */
const MOST_BOUNDARIES = 50;

/** Modules are also considered together with modules inside, if their calls take this much of the window then; at most this many. */
const LEAST_INSIDE = 0.05;
const MOST_WITH_INSIDE = 8;

/** Lengths of calls are kept for modules that take this part of a window, and updated after this long. */
const LEAST_SHARE = 0.02;
const LENGTHS_EVERY_MS = 500;
/** How long the number of calls pending at once is remembered. */
const PENDING_MS = 1000;

class Busiest {
  /** @type {BusiestWindow | null} */
  #best = null;
  #score = 0;
  #calls = 0;
  /** @type {Map<string, {at: number, quantiles: number[]}>} */
  #lengths = new Map();
  /** @type {Set<string>} modules whose calls waited for libuv's pool when they were last seen at home */
  #pooled = new Set();
  /** @type {Map<string, {at: number, pending: number}[]>} by module: recently, while it was at home */
  #pending = new Map();

  /** @returns {BusiestWindow | null} null: no call was seen */
  get best() {
    return this.#best;
  }

  /**
   * @param {string} module
   * @returns {number[]} ms at the FRACTIONS of service-time.js; empty if it never took time at home
   */
  lengthsOf(module) {
    return this.#lengths.get(module)?.quantiles ?? [];
  }

  /**
   * @param {string} module
   * @returns {boolean} whether its calls were seen to wait for libuv's pool of threads when it was last at home; then they also do in
   *   replicas
   */
  wasInPool(module) {
    return this.#pooled.has(module);
  }

  /**
   * @param {string} module
   * @returns {number} the most calls of it that were recently pending at once while it was at home; one look is not enough, since behind a
   *   full loop callers with answers call again in turns
   */
  mostPendingOf(module) {
    return (this.#pending.get(module) ?? []).reduce((most, { pending }) => Math.max(most, pending), 0);
  }

  /** @param {Tick} tick */
  note(tick) {
    const away = new Set([...tick.sets].filter(({ ready }) => ready > 0).map(({ module }) => module));
    // While its calls leave, what a module does at home is only a part of what it does.
    const atHome = tick.readings.filter(({ module }) => !away.has(module));
    this.#notePooled(atHome, inPoolOf(tick.readings));
    for (const reading of atHome) this.#noteLengths(reading, tick.time);
    this.#notePending(atHome, tick.time);
    const { score, calls } = scoreOf(tick);
    const isBetter = score > this.#score * BETTER_BY;
    const isAsBusy = score > 0 && score * BETTER_BY > this.#score;
    if (!isBetter && !(isAsBusy && calls > this.#calls * MORE_CALLS)) return;
    this.#score = Math.max(score, this.#score);
    this.#calls = calls;
    this.#best = recordOf(tick, this);
  }

  /** @param {Reading[]} atHome @param {(reading: Reading) => boolean} isInPool */
  #notePooled(atHome, isInPool) {
    for (const reading of atHome) {
      if (!(reading.pending > 0 || reading.completions > 0)) continue;
      if (isInPool(reading)) this.#pooled.add(reading.module);
      else this.#pooled.delete(reading.module);
    }
  }

  /** @param {Reading[]} atHome @param {number} time */
  #notePending(atHome, time) {
    /** @type {Map<string, number>} */
    const now = new Map();
    for (const { module, isInner, pending } of atHome) if (!isInner && pending > 0) now.set(module, (now.get(module) ?? 0) + pending);
    for (const module of new Set([...now.keys(), ...this.#pending.keys()])) {
      const late = (this.#pending.get(module) ?? []).filter(({ at }) => at > time - PENDING_MS);
      const pending = now.get(module);
      if (pending !== undefined) late.push({ at: time, pending });
      if (late.length > 0) this.#pending.set(module, late);
      else this.#pending.delete(module);
    }
  }

  /** @param {Reading} reading @param {number} time */
  #noteLengths(reading, time) {
    if (!(reading.share > LEAST_SHARE)) return;
    const known = this.#lengths.get(reading.module);
    if (known !== undefined && time - known.at < LENGTHS_EVERY_MS) return;
    this.#lengths.set(reading.module, { at: time, quantiles: reading.quantiles });
  }
}

/**
 * How busy the modules kept loop, pool and replicas, in cores. The utilisation of the loop itself counts for little: loading a program
 * fills the loop too, and says nothing about its load.
 * @param {Tick} tick
 * @returns {{score: number, calls: number}}
 */
function scoreOf({ readings, loop, sets, poolThreads }) {
  let calls = 0;
  let busy = 0;
  const isInPool = inPoolOf(readings);
  for (const reading of readings) {
    calls += reading.calls;
    busy += reading.share;
    if (isInPool(reading)) busy += Math.min(1, (reading.callsPerSecond * reading.latencyMs) / 1000 / poolThreads);
  }
  for (const { busyMsPerSecond } of sets) busy += busyMsPerSecond / 1000;
  return { score: (busy + loop.utilisation / 10) * (calls / (calls + FEW_CALLS)), calls };
}

/** @param {Tick} tick @param {Busiest} atHome what is known about modules when they were at home @returns {BusiestWindow} */
function recordOf({ time, readings, supposing, loop, sets, poolThreads, nears }, atHome) {
  const hosted = [...sets].flatMap((set) => {
    const near = nears?.get(set.module);
    const hosts = machinesOf(set, near);
    return hosts === null ? [] : [{ module: set.module, hosts, ...(near !== undefined && { near }) }];
  });
  const known = [...sets].filter(({ ready, callsPerSecond }) => ready > 0 || callsPerSecond > 0);
  const away = new Set(known.map(({ module }) => module));
  const isInPool = inPoolOf(readings);
  const used = readings.filter(({ calls, pending }) => calls > 0 || pending > 0).sort((a, b) => b.exclusiveMs - a.exclusiveMs);
  const setOf = new Map(readings.map(({ child, module }) => [child.name, module]));
  const withInside = withInsideOf(readings, supposing);
  return {
    at: new Date(time).toISOString(),
    windowMs: loop.windowMs,
    poolThreads,
    loop: { utilisation: loop.utilisation, ownShare: loop.ownShare, runDelay: loop.runDelay, delayMs: loop.delayMs },
    boundaries: used.slice(0, MOST_BOUNDARIES).map((reading) => ({
      id: reading.boundary,
      parent: setOf.get(reading.parent.name) ?? reading.parent.name,
      child: reading.module,
      callsPerSecond: reading.callsPerSecond,
      inTurn: reading.inTurn,
      share: reading.share,
      meanMs: reading.calls === 0 ? 0 : reading.exclusiveMs / reading.calls,
      pending: reading.pending,
      bytes: reading.bytes,
      values: reading.values,
      latencyMs: reading.completions > 0 ? reading.latencyMs : null,
      isLater: away.has(reading.module) ? atHome.wasInPool(reading.module) : isInPool(reading),
      quantiles: away.has(reading.module) ? atHome.lengthsOf(reading.module) : reading.quantiles,
      ...withInside.get(reading.boundary),
    })),
    replicas: known.map((set) => ({
      module: set.module,
      ready: set.ready,
      callsPerSecond: set.callsPerSecond,
      busyMsPerSecond: set.busyMsPerSecond,
      runDelay: set.runDelay ?? 0,
      waiting: set.pending + set.queued,
      leastWaiting: set.leastWaiting ?? 0,
      callMs: isFinite(set.callOverheadMs) && Number(set.callOverheadMs) > 0 ? set.callOverheadMs : null,
      startMs: set.startMs > 0 ? set.startMs : null,
    })),
    ...(hosted.length === 0 ? {} : { hosted: /** @type {any} */ (hosted) }),
  };
}

/**
 * If no recipe lets a module go, what it calls is shown with it: what it would take along if one did.
 * @param {Reading[]} readings
 * @param {Tick['supposing']} supposing
 * @returns {Map<string, {withInside: {share: number, quantiles: number[]}}>} by boundary
 */
function withInsideOf(readings, supposing) {
  /** @type {Map<string, number>} */
  const inside = new Map();
  for (const { module, isInner, inclusiveMs, exclusiveMs, windowMs } of readings)
    if (!isInner) inside.set(module, (inside.get(module) ?? 0) + Math.max(0, inclusiveMs - exclusiveMs) / windowMs);
  const most = [...inside].filter(([, part]) => part >= LEAST_INSIDE).sort(([, a], [, b]) => b - a);
  const found = new Map();
  for (const [module] of most.slice(0, MOST_WITH_INSIDE))
    for (const one of supposing?.(module) ?? [])
      if (one.module === module && Number(one.carriedMs) > 0)
        found.set(one.boundary, { withInside: { share: one.share, quantiles: one.quantiles } });
  return found;
}

/** @param {Reading[]} readings @returns {(reading: Reading) => boolean} whether its calls wait for libuv's pool of threads */
function inPoolOf(readings) {
  const builtins = pendingBuiltins(readings);
  return ({ module, child, pending, completions, blockingMs, exclusiveMs }) => {
    const isLater = (pending > 0 || completions > 0) && blockingMs <= exclusiveMs / 2;
    return isLater && (child.kind === 'builtin' || (builtins.get(module) ?? 0) > 0);
  };
}

exports.Busiest = Busiest;
