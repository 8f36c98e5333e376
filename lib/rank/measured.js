'use strict';

// Gathers what is measured of a program at this moment in one record; a report gives the same record (measured-report.js). In: the
// coordinator's records. Out: a Measured. Pure.

const { NO_DEMAND } = require('./demand');
const { machinesOf } = require('./hosts');
const { ofLongest } = require('./service-time');
const { Math, Set } = require('../engine');

/**
 * @typedef {object} MeasuredModule
 * @property {string} module
 * @property {number} callsPerSecond at home and in replicas, except short ones that stay while others leave
 * @property {number} answered which part of its calls at home have their answers, if these come later: whoever waits has not called
 *   anything else yet
 * @property {number} inTurn calls of it per turn of the loop, as a call sees it; 0: unknown
 * @property {number} share of the loop, 0 to 1, without those short calls: they count as home's own work
 * @property {number} busyMsPerSecond in its replicas
 * @property {number} [awayMs] the same for calls that were sent in the window, as long as those that have run; absent: unknown
 * @property {number} runDelay part of that time in which they waited for a core, 0 to 1
 * @property {number} ready replicas
 * @property {number} waiting calls in replicas, or waiting for one
 * @property {number} leastWaiting the least of these in the window; 0: unknown
 * @property {number} pending calls at home whose result comes later
 * @property {number} mostPending the most of these at once lately, as far as known
 * @property {number} latencyMs mean of those; 0: none ended
 * @property {boolean} isLater its calls wait for libuv's pool of threads
 * @property {number | null} callMs null: not measured
 * @property {{bytes: number, values: number}} payload of an average call, as far as known
 * @property {readonly number[]} quantiles lengths at the FRACTIONS of service-time.js; empty: unknown
 * @property {{share: number, quantiles: readonly number[]} | null} along the same for all that its replicas would run, including modules
 *   inside that no recipe lets go; null: nothing more
 * @property {number} pressure only to choose which one to look at
 * @property {import('./hosts').MeasuredHost[] | null} hosts where its replicas run; null: on home's machine; empty: on others, about which
 *   nothing is known
 * @property {import('./places').Near | null} near given if they are first on home's machine and then on hosts; null: all are where `hosts`
 *   says
 *
 * @typedef {object} Measured
 * @property {string} from in words: 'this program', 'the report r.json'
 * @property {string} at ISO date
 * @property {number} windowMs
 * @property {number} utilisation of the loop, 0 to 1
 * @property {number} ownShare part of it that was Ignis itself, and belongs to no call
 * @property {number} runDelay part of the loop's busy time that it waited for a core, 0 to 1
 * @property {number} deaf part at the end of the window in which the loop was in one call: what came meanwhile is not counted yet; 0 to 1
 * @property {number} cores of home
 * @property {number} poolThreads
 * @property {MeasuredModule[]} modules most pressed first
 */

/** At most this part of a window counts as unseen: less than the other half would say too little about it. */
const MOST_DEAF = 0.5;

/** Calls that stay while others leave are of another kind if they take less than this part of the time. */
const SHORT = 0.1;

/**
 * Makes the record from the coordinator's records of this moment.
 * @param {object} given
 * @param {number} given.time ms since the epoch
 * @param {Map<string, import('./demand').Demand>} given.demands
 * @param {Map<string, import('./decision').SetState>} given.sets
 * @param {{utilisation: number, ownShare?: number, runDelay?: number, windowMs?: number}} given.loop
 * @param {{cpus: number, poolThreads: number, windowMs: number}} given.limits
 * @param {Map<string, import('./places').Near | undefined>} [given.nears] by module
 * @param {number} [given.deafMs] how long the loop has been in one call, until just now
 * @param {Pick<import('./busiest').Busiest, 'lengthsOf' | 'wasInPool' | 'mostPendingOf'>} given.atHome what calls of a module were like
 *   when it was last at home
 * @returns {Measured} use it before the next tick
 */
function measuredNow({ time, demands, sets, loop, limits, nears, deafMs = 0, atHome }) {
  const names = new Set([...demands.keys(), ...sets.keys()]);
  const modules = [...names].map((module) => {
    const demand = demands.get(module) ?? NO_DEMAND;
    const set = sets.get(module);
    const isAway = set !== undefined && set.ready > 0;
    const served = set?.isLeft === true ? undefined : set;
    const near = nears?.get(module);
    const hosts = set === undefined ? null : machinesOf(set, near);
    const { callsPerSecond, share, part } = thoseThatLeave(demand, isAway ? served : undefined);
    return {
      module,
      callsPerSecond: set?.isLeft === true ? 0 : Math.max(callsPerSecond, set?.callsPerSecond ?? 0),
      answered: isAway ? 1 : answeredOf(demand),
      inTurn: demand.inTurn,
      share,
      busyMsPerSecond: served?.busyMsPerSecond ?? 0,
      ...(served !== undefined && Number(served.meanMs) > 0 ? { awayMs: Number(served.meanMs) * served.callsPerSecond } : {}),
      runDelay: set?.runDelay ?? 0,
      ready: set?.ready ?? 0,
      waiting: (served?.pending ?? 0) + (served?.queued ?? 0),
      leastWaiting: served?.leastWaiting ?? 0,
      pending: demand.pending,
      mostPending: atHome.mostPendingOf(module),
      latencyMs: demand.latencyMs,
      // In replicas, every call is answered later, even that of a synchronous function.
      isLater: isAway ? atHome.wasInPool(module) : demand.isLater && demand.inPool > 0,
      callMs: measuredOrNull(set?.callOverheadMs),
      payload: { bytes: demand.bytes, values: demand.values },
      // Only for modules that are asked about; for all others, a tick would pay for nothing.
      get quantiles() {
        return isAway ? ofLongest(atHome.lengthsOf(module), part) : demand.quantiles;
      },
      // What its recipe lets it take along is already in its figures.
      along: null,
      pressure: demand.pressure,
      hosts,
      near: hosts === null ? null : (near ?? null),
    };
  });
  const { cpus: cores, poolThreads, windowMs } = limits;
  const at = new Date(time).toISOString();
  const { utilisation, ownShare = 0, runDelay = 0 } = loop;
  const deaf = Math.min(MOST_DEAF, deafMs / (loop.windowMs ?? windowMs));
  return { from: 'this program', at, windowMs, utilisation, ownShare, runDelay, deaf, cores, poolThreads, modules: byPressure(modules) };
}

/**
 * If small calls stay, or functions that may not leave, only the others are asked of a replica. In a window in which a module has left,
 * both are alike.
 * @param {{callsPerSecond: number, share: number}} all its calls, and what those at home took of the loop
 * @param {{callsPerSecond: number, busyMsPerSecond: number} | undefined} served in replicas
 * @returns {{callsPerSecond: number, share: number, part: number}} part: which part of all its calls these are, taken to be the longest
 */
function thoseThatLeave({ callsPerSecond, share }, served) {
  const leave = served?.callsPerSecond ?? 0;
  const stay = callsPerSecond - leave;
  const isSplit = leave > 0 && stay > 0 && (1000 * share) / stay < (SHORT * Number(served?.busyMsPerSecond)) / leave;
  return isSplit ? { callsPerSecond: leave, share: 0, part: leave / callsPerSecond } : { callsPerSecond, share, part: 1 };
}

/** @param {import('./demand').Demand} demand @returns {number} 0 to 1; 1 if none has, since nothing is known about those yet */
function answeredOf({ isLater, calls, completions }) {
  return isLater && completions > 0 ? Math.min(1, completions / calls) : 1;
}

/** @param {string} module @param {Partial<MeasuredModule>} [known] @returns {MeasuredModule} one about which nothing else was seen */
function measuredModule(module, known = {}) {
  return {
    module,
    callsPerSecond: 0,
    answered: 1,
    inTurn: 0,
    share: 0,
    busyMsPerSecond: 0,
    runDelay: 0,
    ready: 0,
    waiting: 0,
    leastWaiting: 0,
    pending: 0,
    mostPending: 0,
    latencyMs: 0,
    isLater: false,
    callMs: null,
    payload: { bytes: 0, values: 0 },
    quantiles: [],
    along: null,
    pressure: 0,
    hosts: null,
    near: null,
    ...known,
  };
}

/** @param {MeasuredModule[]} modules */
function byPressure(modules) {
  return modules.sort((a, b) => b.pressure - a.pressure || b.callsPerSecond - a.callsPerSecond || (a.module < b.module ? -1 : 1));
}

/** @param {number | null | undefined} ms */
function measuredOrNull(ms) {
  return typeof ms === 'number' && ms > 0 ? ms : null;
}

exports.byPressure = byPressure;
exports.measuredModule = measuredModule;
exports.measuredNow = measuredNow;
exports.measuredOrNull = measuredOrNull;
exports.thoseThatLeave = thoseThatLeave;
