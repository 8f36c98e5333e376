'use strict';

// Reads from a report what was measured in the program's busiest window. In: a report that may come from anywhere. Out: a Measured, like
// that of this moment (measured.js), or what is wrong with the report. Pure.

const { IgnisError } = require('../errors');
const { byPressure, measuredModule, measuredOrNull, thoseThatLeave } = require('./measured');
const { POOL_THREADS } = require('./model');
const { FRACTIONS, ofLongest } = require('./service-time');
const { Map, Math, isArray, isFinite } = require('../engine');

/**
 * @typedef {import('./measured').Measured} Measured
 * @typedef {import('./measured').MeasuredModule} MeasuredModule
 * @typedef {Map<string, MeasuredModule>} Modules
 * @typedef {ReturnType<typeof readerOf>} Reader
 */

const PAYLOAD = /** @type {const} */ (['bytes', 'values']);

/**
 * @param {any} report
 * @param {string} from its name in messages
 * @returns {Measured}
 * @throws {IgnisError} IGNIS_BAD_OPTION when it has no busiest window, or that has impossible values
 */
function measuredFromReport(report, from) {
  const { boundaries, replicas, hosted = [], ...busiest } = busiestOf(report, from);
  const read = readerOf(from);
  const lists = [boundaries, replicas, hosted];
  if (!lists.every(isArray)) throw wrong(`the busiest window of ${from} was not written by Ignis`);
  /** @type {Modules} */
  const modules = new Map();
  /** By module: the share of its edge that takes the most time, which says what kind of module it is. @type {Map<string, number>} */
  const most = new Map();
  boundaries.forEach((/** @type {any} */ one, /** @type {number} */ at) => readBoundary(one, `boundaries[${at}]`, { read, modules, most }));
  replicas.forEach((/** @type {any} */ one, /** @type {number} */ at) => readReplicas(one, `replicas[${at}]`, { read, modules }));
  hosted.forEach((/** @type {any} */ one, /** @type {number} */ at) => readHosted(one, `hosted[${at}]`, { read, modules }));
  for (const known of modules.values())
    known.pressure = known.share + known.busyMsPerSecond / 1000 + (known.isLater ? known.pending / 1000 : 0);
  if (modules.size === 0) throw wrong(`there is no call in the busiest window of ${from}; measure again with the program under load`);
  return {
    from,
    at: read.name(busiest.at, 'at'),
    windowMs: read.amount(busiest.windowMs, 'windowMs'),
    utilisation: read.part(busiest.loop?.utilisation, 'loop.utilisation'),
    ownShare: read.part(busiest.loop.ownShare ?? 0, 'loop.ownShare'),
    runDelay: read.part(busiest.loop.runDelay ?? 0, 'loop.runDelay'),
    deaf: 0,
    cores: Math.max(1, Math.round(read.amount(report.cpus, 'cpus'))),
    poolThreads: Math.max(1, Math.round(read.amount(busiest.poolThreads ?? POOL_THREADS, 'poolThreads'))),
    modules: byPressure([...modules.values()]),
  };
}

/** @param {any} report @param {string} from @returns {any} its busiest window, unchecked */
function busiestOf({ busiest, boundaries }, from) {
  if (busiest === undefined)
    throw wrong(`${from} has no busiest window, because an older version of Ignis wrote it; write it again with --report`);
  if (busiest !== null) return Object(busiest);
  // A program may end before the first tick.
  const wasCalled = isArray(boundaries) && boundaries.some((/** @type {any} */ one) => one?.calls > 0);
  const why = wasCalled ? 'because the program ended before its calls were measured' : 'because no call was seen';
  throw wrong(`${from} has no busiest window, ${why}; measure again with the program under load`);
}

/**
 * @param {any} one one of several edges to a module
 * @param {string} at
 * @param {{read: Reader, modules: Modules, most: Map<string, number>}} known
 */
function readBoundary(one, at, { read, modules, most }) {
  const known = moduleIn(modules, read.name(one?.child, `${at}.child`));
  const share = read.part(one.share, `${at}.share`);
  const rate = read.amount(one.callsPerSecond, `${at}.callsPerSecond`);
  const latencyMs = one.latencyMs === null ? 0 : read.amount(one.latencyMs, `${at}.latencyMs`);
  const calls = known.callsPerSecond + rate;
  const meanOf = (/** @type {number} */ before, /** @type {number} */ here) => (before * known.callsPerSecond + here * rate) / calls;
  for (const of of PAYLOAD) {
    const amount = read.amount(one[of] ?? 0, `${at}.${of}`);
    if (calls > 0) known.payload[of] = meanOf(known.payload[of], amount);
  }
  known.latencyMs = calls === 0 ? 0 : meanOf(known.latencyMs, latencyMs);
  known.callsPerSecond = calls;
  known.inTurn += read.amount(one.inTurn ?? 0, `${at}.inTurn`);
  takeAlong(known, share, one.withInside === undefined ? null : read.along(one.withInside, `${at}.withInside`));
  known.share = Math.min(1, known.share + share);
  known.pending += read.amount(one.pending, `${at}.pending`);
  const quantiles = read.quantiles(one.quantiles, `${at}.quantiles`);
  if (share < (most.get(known.module) ?? 0)) return;
  most.set(known.module, share);
  known.isLater = one.isLater === true;
  known.quantiles = quantiles;
}

/**
 * @param {MeasuredModule} known as it was without this edge
 * @param {number} share of the edge
 * @param {MeasuredModule['along']} along the same including what its calls do inside; null: nothing more
 */
function takeAlong(known, share, along) {
  const { along: before } = known;
  if (along === null && before === null) return;
  const beforeShare = before?.share ?? 0;
  known.along = {
    share: Math.min(1, (before?.share ?? known.share) + (along?.share ?? share)),
    quantiles: along !== null && along.share >= beforeShare ? along.quantiles : (before?.quantiles ?? []),
  };
}

/** @param {any} one of the modules that have replicas @param {string} at @param {{read: Reader, modules: Modules}} known */
function readReplicas(one, at, { read, modules }) {
  const known = moduleIn(modules, read.name(one?.module, `${at}.module`));
  known.ready = read.amount(one.ready, `${at}.ready`);
  const served = read.amount(one.callsPerSecond, `${at}.callsPerSecond`);
  known.busyMsPerSecond = read.amount(one.busyMsPerSecond, `${at}.busyMsPerSecond`);
  const { callsPerSecond, share, part } = thoseThatLeave(known, { callsPerSecond: served, busyMsPerSecond: known.busyMsPerSecond });
  Object.assign(known, { callsPerSecond: Math.max(callsPerSecond, served), share, quantiles: ofLongest(known.quantiles, part) });
  known.runDelay = read.part(one.runDelay ?? 0, `${at}.runDelay`);
  known.waiting = read.amount(one.waiting, `${at}.waiting`);
  known.leastWaiting = read.amount(one.leastWaiting ?? 0, `${at}.leastWaiting`);
  known.callMs = one.callMs === null ? null : measuredOrNull(read.amount(one.callMs, `${at}.callMs`));
}

/**
 * @param {any} one of the modules whose replicas run on hosts, or may
 * @param {string} at
 * @param {{read: Reader, modules: Modules}} known
 */
function readHosted(one, at, { read, modules }) {
  const name = read.name(one?.module, `${at}.module`);
  if (!isArray(one.hosts)) throw read.refuse(`${at}.hosts`, 'a list');
  const hosts = one.hosts.map((/** @type {any} */ host, /** @type {number} */ place) => read.host(host, `${at}.hosts[${place}]`));
  // A module that was not used in that window does not count.
  const known = modules.get(name);
  if (known === undefined) return;
  known.hosts = hosts;
  known.near = one.near === undefined ? null : read.near(one.near, `${at}.near`);
}

/** @param {Map<string, MeasuredModule>} modules @param {string} module @returns {MeasuredModule} */
function moduleIn(modules, module) {
  let known = modules.get(module);
  if (known === undefined) {
    known = measuredModule(module);
    modules.set(module, known);
  }
  return known;
}

/** @param {string} from */
function readerOf(from) {
  const refuse = (/** @type {string} */ field, /** @type {string} */ right) =>
    wrong(`in the busiest window of ${from}, ${field} is not ${right}`);
  const amount = (/** @type {unknown} */ value, /** @type {string} */ field) => {
    if (typeof value === 'number' && isFinite(value) && value >= 0) return value;
    throw refuse(field, 'a number of at least 0');
  };
  const name = (/** @type {unknown} */ value, /** @type {string} */ field) => {
    if (typeof value === 'string' && value !== '') return value;
    throw refuse(field, 'a text');
  };
  const above = (/** @type {unknown} */ value, /** @type {string} */ field) => {
    if (amount(value, field) > 0) return Number(value);
    throw refuse(field, 'a number above 0');
  };
  const part = (/** @type {unknown} */ value, /** @type {string} */ field) => {
    if (amount(value, field) <= 1) return Number(value);
    throw refuse(field, 'a number from 0 to 1');
  };
  const quantiles = (/** @type {unknown} */ value, /** @type {string} */ field) => {
    const isEmpty = isArray(value) && value.length === 0;
    if (!isArray(value) || (!isEmpty && value.length !== FRACTIONS.length)) throw refuse(field, `a list of ${FRACTIONS.length} times`);
    value.forEach((ms, index) => {
      if (amount(ms, `${field}[${index}]`) < (value[index - 1] ?? 0)) throw refuse(field, 'a list of times that do not fall');
    });
    return value;
  };
  return {
    refuse,
    amount,
    name,
    part,
    quantiles,
    along: (/** @type {any} */ value, /** @type {string} */ field) => ({
      share: part(value?.share, `${field}.share`),
      quantiles: quantiles(value.quantiles, `${field}.quantiles`),
    }),
    host: (/** @type {any} */ value, /** @type {string} */ field) => ({
      name: name(value?.name, `${field}.name`),
      cores: above(value.cores, `${field}.cores`),
      speed: above(value.speed, `${field}.speed`),
      roundTripMs: amount(value.roundTripMs, `${field}.roundTripMs`),
      weight: above(value.weight, `${field}.weight`),
    }),
    near: (/** @type {any} */ value, /** @type {string} */ field) => ({
      has: amount(value?.has, `${field}.has`),
      far: amount(value.far, `${field}.far`),
      most: amount(value.most, `${field}.most`),
      room: amount(value.room, `${field}.room`),
    }),
  };
}

/** @param {string} detail */
function wrong(detail) {
  return new IgnisError('IGNIS_BAD_OPTION', detail);
}

exports.measuredFromReport = measuredFromReport;
