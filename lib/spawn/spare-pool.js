'use strict';
/*
 * Warm spares: agents that are up and have no module yet, so that a scale-out takes milliseconds (measured: 3-8 ms; a cold process 60-200).
 * In: how many to keep. Out: a replica, warm if there is one. Like all replicas, spares end with home and never keep it alive.
 */
const { Replica } = require('./replica');
const { CLOSED } = require('./rerun');
const { launchProcess } = require('./launch-process');
const { launchThread } = require('./launch-thread');
const { checkMemory } = require('./memory-left');
const { StartGate } = require('./start-gate');
const { IgnisError } = require('../errors');
const { JSON, Map, Promise, Set, clearTimeout, setTimeout } = require('../engine');

/**
 * @typedef {object} LaunchSettings
 * @property {'process' | 'thread' | 'host'} where
 * @property {string} comm
 * @property {string} codec
 * @property {number} [maxBlockBytes]
 * @property {readonly import('../host/host').Node[]} [nodes] if `host`
 * @property {string} [cluster] if `host`: its hosts, instead of nodes
 * @property {Record<string, string>} [labels] if `host`: that a host must have
 * @property {import('../host/hosts').Hosts} [hosts] if `host`
 * @property {import('./load-target').Target} [target] if `host`: what it will load first
 * @property {readonly string[]} [env] names of environment variables that it sees; all by default
 * @property {import('./insides').Insides} [nested] Ignis is active in it, and reports to this
 * @property {number} [heapMb] limit of a thread's heap
 * @property {number} [heartbeatMs] after this long without a sign of life it is killed; 0: it is not asked
 */

/** How long a spare may take to be up, unless another time is given, ms. */
const START_MS = 30_000;

/**
 * @typedef {() => Promise<() => void>} Admit asks whether one more replica may run; gives a function to call when it has ended; rejects
 *   with the reason
 */

/**
 * @param {LaunchSettings} settings
 * @returns {Promise<import('./launch-process').Launched>}
 * @throws {IgnisError} IGNIS_START_FAILED when there is no memory for it
 */
async function launchThere(settings) {
  if (settings.where === 'host') return require('./launch-host').launchHost(/** @type {any} */ (settings));
  checkMemory(settings.where);
  return settings.where === 'thread' ? launchThread(settings) : launchProcess(settings);
}

/** @param {LaunchSettings} settings */
const keyOf = ({ where, comm, codec, heapMb, env, nested }) =>
  JSON.stringify([where, codec, env, nested !== undefined, where === 'thread' ? heapMb : comm === 'node-ipc']);

class SparePool {
  /** @type {Map<string, Promise<Replica>[]>} */
  #spares = new Map();
  /** @type {Set<Promise<unknown>>} spares not needed that are ending */
  #ending = new Set();
  /** @type {Set<Replica>} spares not up yet */
  #warming = new Set();
  #startMs;
  #gate;
  #isClosed = false;

  /**
   * @param {(settings: LaunchSettings) => Promise<import('./launch-process').Launched>} [launch]
   * @param {number} [startMs] how long a spare may take to be up
   * @param {StartGate} [gate] for starts on this machine, which take turns
   */
  constructor(launch = launchThere, startMs = START_MS, gate = new StartGate()) {
    this.launch = launch;
    this.#startMs = startMs;
    this.#gate = gate;
  }

  /** Number of spares, warm or warming. */
  get size() {
    let size = 0;
    for (const list of this.#spares.values()) size += list.length;
    return size;
  }

  /**
   * Starts spares until there are `count`, or ends those beyond it.
   *
   * @param {LaunchSettings} settings
   * @param {number} count
   * @returns {Promise<void>} when all are warm; a spare that fails to start is silently left out: the real start will report it
   */
  async keep(settings, count) {
    const key = keyOf(settings);
    const list = this.#spares.get(key) ?? [];
    this.#spares.set(key, list);
    while (list.length > count) this.#endLater(/** @type {Promise<Replica>} */ (list.pop()));
    while (list.length < count && !this.#isClosed) {
      const started = this.#start(settings);
      list.push(started);
      const leave = () => {
        const at = list.indexOf(started);
        if (at >= 0) list.splice(at, 1);
      };
      started.then((replica) => replica.ended).then(leave, leave);
    }
    await Promise.allSettled(list);
  }

  /**
   * @param {LaunchSettings} settings
   * @returns {Promise<Replica>} a spare, or a fresh start
   */
  async take(settings) {
    const list = this.#spares.get(keyOf(settings)) ?? [];
    while (list.length > 0) {
      const replica = await /** @type {Promise<Replica>} */ (list.shift()).catch(() => null);
      if (replica !== null && replica.state === 'warm') return replica;
    }
    return this.#fresh(settings);
  }

  /** @returns {Promise<void>} when all spares have ended */
  async close() {
    this.#isClosed = true;
    // Code preloaded into them may take long.
    for (const replica of this.#warming) replica.kill(CLOSED);
    const spares = [...this.#spares.values()].flat();
    this.#spares.clear();
    await Promise.allSettled([...this.#ending, ...spares.map((spare) => end(spare, CLOSED))]);
  }

  /** @param {Promise<Replica>} spare it may still be warming */
  #endLater(spare) {
    const ending = end(spare, 'a spare that was not needed')
      .catch(() => {})
      .finally(() => this.#ending.delete(ending));
    this.#ending.add(ending);
  }

  /** @param {LaunchSettings} settings */
  async #fresh(settings) {
    // A host has its own processors, and its own line.
    if (settings.where === 'host') return this.#launch(settings);
    const holdUntil = await this.#gate.enter();
    const launched = this.#launch(settings);
    holdUntil(launched.then((replica) => replica.warm()));
    return launched;
  }

  /** @param {LaunchSettings} settings @throws {IgnisError} IGNIS_START_FAILED when the pool was closed before its turn came */
  async #launch(settings) {
    if (this.#isClosed) throw new IgnisError('IGNIS_START_FAILED', CLOSED);
    return new Replica(await this.launch(settings));
  }

  /** @param {LaunchSettings} settings */
  async #start(settings) {
    const replica = await this.#fresh(settings);
    if (this.#isClosed) replica.kill(CLOSED);
    this.#warming.add(replica);
    // Whoever takes it waits until it is up.
    const timer = setTimeout(() => replica.kill(`did not start within ${this.#startMs} ms`), this.#startMs).unref();
    try {
      await replica.warm();
    } finally {
      clearTimeout(timer);
      this.#warming.delete(replica);
    }
    return replica;
  }
}

/** @param {Promise<Replica>} spare @param {string} why */
async function end(spare, why) {
  const replica = await spare;
  replica.kill(why);
  await replica.ended;
}

/** @param {Admit} admit @returns {(settings: LaunchSettings) => Promise<import('./launch-process').Launched>} */
function launchAdmitted(admit) {
  return async (settings) => {
    const leave = await admit();
    try {
      const launched = await launchThere(settings);
      launched.onExit(leave);
      return launched;
    } catch (error) {
      leave();
      throw error;
    }
  };
}

exports.SparePool = SparePool;
exports.launchAdmitted = launchAdmitted;
exports.launchThere = launchThere;
