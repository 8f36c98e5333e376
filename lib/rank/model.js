'use strict';

// What a simulation starts from: the record, its check, and how much of each resource it asks for. In: a Model. Out: an error that names
// the wrong field, or loads. Pure.
//
//   arrivals -> [ home: the event loop, 1 lane ] -> answer             a module at home
//   arrivals -> [ loop ] -> [ pool, n lanes ]    -> [ loop ] -> answer    at home, its calls run in libuv's pool
//   arrivals -> [ loop ] -> [ replica, 1 lane ]  -> [ loop ] -> answer    with replicas, the least pending one
//   arrivals -> [ loop ] ~> [ replica, 1 lane ]  ~> [ loop ] -> answer    on another host: a journey each way, and cores of its own
//
// Every lane that has work is a runnable thread; if a machine has more of these than cores, they share the cores (place.js).

const { IgnisError } = require('../errors');
const { nearest, show } = require('../option-table');
const { hereOf } = require('./places');
const { meanOf } = require('./service-time');
const { Map, Math, Object, Set, arrayFrom, isArray, isFinite, isInteger, isSafeInteger } = require('../engine');

/**
 * @typedef {import('./service-time').ServiceTimes} ServiceTimes
 *
 * @typedef {{perSecond: number, burst?: number}} Open calls that come at random (Poisson), whatever becomes of the others; with `burst`,
 *   this many at once, for the same number a second
 * @typedef {{clients: number, thinkMs?: number}} Closed callers of this module alone; each waits for its answer, thinks (default 0 ms), and
 *   calls again
 * @typedef {{share: number}} Shared this part of the crowd's calls (only the ratio to the other shares counts)
 *
 * @typedef {object} Background home's own tasks, which never leave the loop
 * @property {{perSecond: number} | Shared} arrivals
 * @property {ServiceTimes} serviceMs
 *
 * @typedef {object} ModuleModel
 * @property {string} module
 * @property {Open | Closed | Shared} arrivals
 * @property {ServiceTimes} serviceMs CPU of a call, in the module's own code
 * @property {boolean} [isLater] true: at home its calls run in libuv's pool, and in a replica in the pool there
 * @property {number} [besideMs] home's own work on the loop that comes with each call, wherever the module is; 0 by default, like the next
 *   ones
 * @property {number} [loopMs] while it is at home: the loop's part of a call whose serviceMs runs in the pool
 * @property {number} [callMs] home's CPU for a remote call, half when it is sent, half when it is answered
 * @property {number} [replicaMs] the replica's CPU for a call in addition to serviceMs
 * @property {number} [replicas] 0 by default: it runs at home
 * @property {number} [startMs] CPU that a replica needs before it takes calls; until then these run at home
 * @property {readonly number[]} [hosts] where its replicas are: places in the model's `hosts`; absent: on home's machine
 * @property {import('./places').Near} [near] with `hosts`: some of them are on home's machine, as many as `hereOf` says
 *
 * @typedef {object} HostModel another machine
 * @property {string} name
 * @property {number} cores that replicas of this program can have there
 * @property {number} [speed] how fast it is: 2 takes half of the time that home takes; 1 by default
 * @property {number} [roundTripMs] of a call's journey there and back; 0 by default
 * @property {number} [weight] as placement uses it: a host of 2 gets twice the replicas; 1 by default
 *
 * @typedef {object} Model
 * @property {number} cores
 * @property {number} [poolThreads] 4 by default
 * @property {{background?: Background[]}} [home]
 * @property {{clients: number, thinkMs?: number}} [crowd] callers whose calls go to the modules and the background by their shares
 * @property {readonly HostModel[]} [hosts]
 * @property {ModuleModel[]} modules
 *
 * @typedef {object} Load busy cores, by where they are busy
 * @property {number} loop 1: full
 * @property {number} pool 1: full
 * @property {number} cores 1: full
 * @property {number[]} replicas of each module; 1: full
 */

/** Threads of libuv's pool if nothing is said. */
const POOL_THREADS = 4;

/** No program has more lanes than this. */
const MOST_REPLICAS = 1024;

/** @type {Record<string, readonly string[]>} by record: the fields it may have */
const FIELDS = {
  model: ['cores', 'poolThreads', 'home', 'crowd', 'hosts', 'modules'],
  host: ['name', 'cores', 'speed', 'roundTripMs', 'weight'],
  module: [
    'module',
    'arrivals',
    'serviceMs',
    'isLater',
    'besideMs',
    'loopMs',
    'callMs',
    'replicaMs',
    'replicas',
    'startMs',
    'hosts',
    'near',
  ],
  background: ['arrivals', 'serviceMs'],
};

/**
 * @param {Model} model
 * @throws {IgnisError} IGNIS_BAD_OPTION when a field is missing, wrong, or unknown
 */
function checkModel(model) {
  if (typeof model !== 'object' || model === null) throw wrong('the model', model, 'a record');
  checkNames('the model', model, FIELDS.model);
  checkNumber('cores', model.cores, { above: 0 });
  checkWhole('poolThreads', model.poolThreads ?? POOL_THREADS, 1);
  if (model.crowd !== undefined) {
    checkWhole('crowd.clients', model.crowd?.clients, 0);
    checkNumber('crowd.thinkMs', model.crowd.thinkMs ?? 0);
  }
  if (!isArray(model.modules) || model.modules.length === 0) throw wrong('modules', model.modules, 'a list with at least one module');
  const hasCrowd = model.crowd !== undefined;
  (model.home?.background ?? []).forEach((task, index) => {
    checkNames(`home.background[${index}]`, task, FIELDS.background);
    checkTimes(`home.background[${index}].serviceMs`, task.serviceMs);
    checkArrivals(`home.background[${index}].arrivals`, task.arrivals, hasCrowd);
  });
  const hosts = model.hosts ?? [];
  hosts.forEach((one, index) => checkHost(`hosts[${index}]`, one));
  model.modules.forEach((one, index) => checkModule(`modules[${index}]`, one, hasCrowd, hosts.length));
}

/** @param {string} at @param {HostModel} one */
function checkHost(at, one) {
  if (typeof one !== 'object' || one === null) throw wrong(at, one, 'a record');
  checkNames(at, one, FIELDS.host);
  for (const field of /** @type {const} */ (['cores', 'speed', 'weight'])) checkNumber(`${at}.${field}`, one[field] ?? 1, { above: 0 });
  checkNumber(`${at}.roundTripMs`, one.roundTripMs ?? 0);
}

/** @param {{seed: number, calls: number, warmUp: number}} settings of a simulation @throws {IgnisError} IGNIS_BAD_OPTION */
function checkSettings({ seed, calls, warmUp }) {
  const refuse = (/** @type {string} */ name, /** @type {unknown} */ value, /** @type {string} */ right) =>
    new IgnisError('IGNIS_BAD_OPTION', `of a simulation, ${name} is ${show(value)}; it must be ${right}`, { field: name, value });
  if (!isSafeInteger(seed)) throw refuse('seed', seed, 'a whole number');
  if (!isInteger(calls) || calls < 1 || calls > 1e7) throw refuse('calls', calls, 'a whole number from 1 to 10000000');
  if (!(warmUp >= 0 && warmUp <= 0.9)) throw refuse('warmUp', warmUp, 'a number from 0 to 0.9');
}

/** @param {string} at @param {ModuleModel} one @param {boolean} hasCrowd @param {number} hosts in the model */
function checkModule(at, one, hasCrowd, hosts) {
  if (typeof one !== 'object' || one === null) throw wrong(at, one, 'a record');
  checkNames(at, one, FIELDS.module);
  if (typeof one.module !== 'string' || one.module === '') throw wrong(`${at}.module`, one.module, 'a name');
  checkArrivals(`${at}.arrivals`, one.arrivals, hasCrowd);
  checkTimes(`${at}.serviceMs`, one.serviceMs);
  for (const field of /** @type {const} */ (['besideMs', 'loopMs', 'callMs', 'replicaMs', 'startMs']))
    checkNumber(`${at}.${field}`, one[field] ?? 0);
  checkWhole(`${at}.replicas`, one.replicas ?? 0, 0, MOST_REPLICAS);
  if (one.hosts === undefined) return;
  if (!isArray(one.hosts) || one.hosts.length === 0) throw wrong(`${at}.hosts`, one.hosts, 'a list of places in hosts');
  one.hosts.forEach((place, index) => checkWhole(`${at}.hosts[${index}]`, place, 0, hosts - 1));
  for (const field of /** @type {const} */ (['has', 'far', 'most', 'room']))
    if (one.near !== undefined) checkWhole(`${at}.near.${field}`, one.near[field], 0);
}

/** @param {string} at @param {any} arrivals @param {boolean} hasCrowd */
function checkArrivals(at, arrivals, hasCrowd) {
  const { perSecond, burst, clients, thinkMs, share } = arrivals ?? {};
  if ([perSecond, clients, share].filter((value) => value !== undefined).length !== 1)
    throw wrong(at, arrivals, 'one of {perSecond}, {clients} and {share}');
  if (perSecond !== undefined) checkNumber(`${at}.perSecond`, perSecond);
  if (burst !== undefined) checkWhole(`${at}.burst`, burst, 1);
  if (clients !== undefined) checkWhole(`${at}.clients`, clients, 0);
  if (thinkMs !== undefined) checkNumber(`${at}.thinkMs`, thinkMs);
  if (share === undefined) return;
  checkNumber(`${at}.share`, share);
  if (!hasCrowd) throw wrong(at, arrivals, '{perSecond} or {clients}, as there is no crowd to have a share of');
}

/** @param {string} at @param {any} times */
function checkTimes(at, times) {
  if (typeof times === 'number') return checkNumber(at, times);
  const ms = isArray(times) ? times : times?.ms;
  if (!isArray(ms) || ms.length === 0) throw wrong(at, times, 'a time, a list of times, or {fractions, ms}');
  ms.forEach((one, index) => checkNumber(`${at}[${index}]`, one));
  if (times === ms) return;
  const { fractions, meanMs } = times;
  if (meanMs !== undefined) checkNumber(`${at}.meanMs`, meanMs);
  const rises = (/** @type {any} */ list, /** @type {boolean} */ isStrict) =>
    list.every(
      (/** @type {any} */ value, /** @type {number} */ index) =>
        index === 0 || (isStrict ? value > list[index - 1] : value >= list[index - 1]),
    );
  const isWhole = isArray(fractions) && fractions.length === ms.length && ms.length > 1 && fractions[0] === 0 && fractions.at(-1) === 1;
  if (!isWhole || !rises(fractions, true) || !rises(ms, false))
    throw wrong(at, times, 'quantiles that do not fall, with as many fractions that rise from 0 to 1');
}

/** @param {string} at @param {any} record @param {readonly string[]} names */
function checkNames(at, record, names) {
  for (const name of Object.keys(record ?? {})) {
    if (names.includes(name)) continue;
    const hint = nearest(name, names);
    throw new IgnisError('IGNIS_BAD_OPTION', `${at} has no field '${name}'; did you mean '${hint}'?`, { field: name, nearest: hint });
  }
}

/** @param {string} at @param {unknown} value @param {{above?: number}} [bounds] */
function checkNumber(at, value, { above } = {}) {
  if (typeof value !== 'number' || !isFinite(value) || value < 0 || (above !== undefined && value <= above))
    throw wrong(at, value, above === undefined ? 'a number of at least 0' : `a number above ${above}`);
}

/** @param {string} at @param {unknown} value @param {number} least @param {number} [most] */
function checkWhole(at, value, least, most = 1e6) {
  if (!isInteger(value) || Number(value) < least || Number(value) > most) throw wrong(at, value, `a whole number from ${least} to ${most}`);
}

/** @param {string} field @param {unknown} value @param {string} right @returns {IgnisError} */
function wrong(field, value, right) {
  return new IgnisError('IGNIS_BAD_OPTION', `in a model, ${field} is ${show(value)}; it must be ${right}`, { field, value });
}

/**
 * What open arrivals ask for, available or not. Callers who wait count nothing: they never ask for more than there is.
 * @param {Model} model
 * @returns {Load}
 */
function loadOf(model) {
  const poolThreads = model.poolThreads ?? POOL_THREADS;
  let loop = 0;
  let pool = 0;
  let away = 0;
  for (const { arrivals, serviceMs } of model.home?.background ?? []) loop += (rateOf(arrivals) / 1000) * meanOf(serviceMs);
  const replicas = model.modules.map((one) => {
    const rate = rateOf(one.arrivals) / 1000;
    const mean = meanOf(one.serviceMs);
    const count = one.replicas ?? 0;
    if (count > 0) {
      const busy = rate * (mean + (one.replicaMs ?? 0));
      const lanes = count * (one.isLater === true ? poolThreads : 1);
      loop += rate * ((one.besideMs ?? 0) + (one.callMs ?? 0));
      const places = one.hosts === undefined ? [] : placesOf(model, one);
      const here = one.hosts === undefined ? count : places.filter((place) => place === HERE).length;
      away += (busy * here) / count;
      return busy / ((here * lanes) / count + powerOf(model, places, lanes / count));
    }
    loop += rate * ((one.besideMs ?? 0) + (one.loopMs ?? 0));
    if (one.isLater === true) pool += rate * mean;
    else loop += rate * mean;
    return 0;
  });
  return { loop, pool: pool / poolThreads, cores: (loop + pool + away) / model.cores, replicas };
}

/** A place of replicas: home's machine. */
const HERE = -1;

/**
 * Where the replicas of a module are: those at home first, then each where there are fewest for the weight.
 * @param {Pick<Model, 'hosts'>} model @param {Pick<ModuleModel, 'hosts' | 'replicas' | 'near'>} one
 * @returns {number[]} by replica: its place in the model's hosts, or HERE
 */
function placesOf({ hosts = [] }, { hosts: own = [], replicas = 0, near }) {
  const counts = new Map(own.map((place) => [place, 0]));
  const here = near === undefined ? 0 : hereOf(near, replicas);
  return arrayFrom({ length: own.length === 0 ? 0 : replicas }, (_, index) => {
    if (index < here) return HERE;
    const shareOf = (/** @type {number} */ place) => (Number(counts.get(place)) + 1) / (hosts[place].weight ?? 1);
    const best = own.reduce((least, place) => (shareOf(place) < shareOf(least) ? place : least));
    counts.set(best, Number(counts.get(best)) + 1);
    return best;
  });
}

/**
 * @param {Model} model
 * @param {number[]} places of replicas
 * @param {number} lanes of each
 * @returns {number} how many ms of home's time they do in a ms
 */
function powerOf({ hosts = [] }, places, lanes) {
  return [...new Set(places)].reduce((sum, place) => {
    if (place === HERE) return sum;
    const { cores, speed = 1 } = hosts[place];
    return sum + speed * Math.min(cores, lanes * places.filter((one) => one === place).length);
  }, 0);
}

/** @param {Open | Closed | Shared} arrivals @returns {number} a second; 0 if callers wait for their answers */
function rateOf(arrivals) {
  return 'perSecond' in arrivals ? arrivals.perSecond : 0;
}

exports.HERE = HERE;
exports.POOL_THREADS = POOL_THREADS;
exports.checkModel = checkModel;
exports.checkSettings = checkSettings;
exports.loadOf = loadOf;
exports.placesOf = placesOf;
