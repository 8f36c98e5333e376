'use strict';
/*
 * Starts the replicas of one module. In: what to load, where, and a wish for one more. Out: replicas that are ready, or failures; after
 * each failure it waits longer before it tries again. It holds replicas only until they are ready.
 *
 *      begin() --spare or fresh--> loading --> onReady(replica)
 *                                       \\--> onFailed(error): no start for 0.5 s, 1 s, 2 s ... 60 s
 */
const { IgnisError, detailOf } = require('../errors');
const { Breaker } = require('./breaker');
const { STOPPED } = require('./members');
const { CLOSED } = require('./rerun');
const { Math, Promise, Set, clearTimeout, performance, setTimeout, stackTextOf } = require('../engine');

/** @typedef {import('./replica').Replica} Replica */

/** A host may come back at any moment, and asking costs little: the longest pause, ms. */
const NO_HOST_MS = 2000;
/** A timer may fire this much before its time, by the clock that measures pauses, ms. */
const EARLY_MS = 2;

/**
 * @typedef {object} SetSettings
 * @property {import('./load-target').Target} target its first module
 * @property {string} [name] of the set: its module's
 * @property {boolean} [isGroup] more modules may join it
 * @property {import('./spare-pool').LaunchSettings} launch
 * @property {import('./spare-pool').LaunchSettings} [beyond] for hosts, once `launch` has had its share: see starters.js
 * @property {string | Function} sched
 * @property {number} qDepth how many calls may pend, in replicas and at home; Infinity
 * @property {number} startMs limit for start and load, and for what the replica repeats afterwards
 * @property {number} [memoryMb] how much a replica may take; Infinity
 * @property {number} closeMs limit for the last calls of a replica that ends
 * @property {'none' | 'private' | 'keyed' | 'shared'} [state] what the module keeps as state; 'none'
 * @property {(name: string) => Function | undefined} errorClass
 */

/**
 * @typedef {object} StarterHooks
 * @property {() => import('./load-target').Target} target what a replica loads first; throws if none may begin now
 * @property {(replica: Replica) => void} onReady
 * @property {(replica: Replica) => Promise<unknown>} prepare makes a loaded replica like home
 * @property {(error: Error | null) => void} onFailed null: it was no longer wanted
 * @property {() => void} onMore there may be more now: a replica on trial has lasted, or the pause after a failure is over
 * @property {import('./replica-states').ReplicaHooks} replica hooks for each replica
 */

class Starter {
  #settings;
  #spares;
  #hooks;
  /** @type {Set<Replica>} on their way to ready */
  #loading = new Set();
  /** @type {Set<Promise<void>>} starts under way */
  #starts = new Set();
  /** @type {Promise<Replica> | null} loaded, and kept for the first scale-out */
  #reserve = null;
  #breaker = new Breaker();
  #isClosed = false;
  /** @type {NodeJS.Timeout | undefined} */
  #pause;

  /** starts under way */
  count = 0;
  /** from wish to ready, for the replica that became ready last, ms; at first an assumption */
  startMs = 60;
  /** @type {string} why the last start failed; '' while all is well */
  failure = '';
  /** A wrong option, so that each is reported once. */
  #told = '';

  /**
   * @param {SetSettings} settings
   * @param {import('./spare-pool').SparePool} spares
   * @param {StarterHooks} hooks
   */
  constructor(settings, spares, hooks) {
    this.#settings = settings;
    this.#spares = spares;
    this.#hooks = hooks;
  }

  get #name() {
    return this.#settings.name ?? this.#settings.target.name;
  }

  /** Whether the last start has failed and it is too early for another. */
  get isFailing() {
    return this.#breaker.state === 'open';
  }

  /** @returns {Promise<void>} one start; never rejects */
  begin() {
    const start = this.#start().finally(() => this.#starts.delete(start));
    this.#starts.add(start);
    return start;
  }

  /** Loads the module into one replica that serves nothing yet. @returns {Promise<void>} never rejects */
  async preload() {
    if (this.#isClosed || this.#reserve !== null) return;
    const reserve = (this.#reserve = this.#load());
    void reserve.then((replica) => replica.stopping?.then(() => this.#reserve === reserve && replica.kill(STOPPED))).catch(() => {});
    await reserve.catch(() => {
      // Meanwhile a start may have taken it, and another one be in its place: that must not be forgotten.
      if (this.#reserve === reserve) this.#reserve = null;
    });
  }

  /** Whether one more may begin now: while starts fail or replicas do not last, none, or one at a time. */
  get mayBegin() {
    return this.#breaker.mayTry && (this.count === 0 || this.#breaker.state === 'closed');
  }

  /**
   * Notes the loss of a wanted replica.
   *
   * @param {number} wanted
   * @param {string} why
   * @returns {boolean} true if losses go on and on: then the starter has failed, and starts nothing for a while
   */
  noteLoss(wanted, why) {
    const lost = this.#breaker.lose(wanted, this.startMs);
    if (lost === 0) return false;
    const times = lost === 1 ? 'the one on trial was lost' : `${lost} were lost in ${Math.round(this.#breaker.spanMs / 1000)} s`;
    this.fail(new IgnisError('IGNIS_START_FAILED', `${this.#name}: its replicas do not last: ${times}, the last one: ${why}`));
    return true;
  }

  /** @param {Error} error perhaps not of a start: replicas that do not last */
  fail(error) {
    // An unread stack refers to what its functions worked on: whoever kept the error would keep the replica.
    stackTextOf(error);
    const ms = this.#breaker.fail(/** @type {any} */ (error).code === 'IGNIS_NO_HOST' ? NO_HOST_MS : undefined);
    // The sentence already says that replicas cannot be started.
    const what = /** @type {any} */ (error).code === 'IGNIS_START_FAILED' ? detailOf(error) : error.message;
    this.failure = `${what}; tried again after ${ms / 1000} s`;
    if (/** @type {any} */ (error).code === 'IGNIS_BAD_OPTION') this.#tell(detailOf(error));
    clearTimeout(this.#pause);
    this.#pause = setTimeout(() => this.#hooks.onMore(), ms + EARLY_MS).unref();
    this.#hooks.onFailed(error);
  }

  /** The program goes on as if nothing had been said, and waiting cures none of these. @param {string} why */
  #tell(why) {
    if (why === this.#told) return;
    this.#told = why;
    process.emitWarning(`no replica of ${this.#name} can be started: ${why}`, { type: 'IgnisWarning', code: 'IGNIS_BAD_OPTION' });
  }

  /** @returns {Promise<void>} when nothing is on its way any more */
  async close() {
    this.#isClosed = true;
    clearTimeout(this.#pause);
    this.#breaker.close();
    // Including the one to be kept: a module may take long to load.
    const loading = [...this.#loading];
    for (const replica of loading) replica.kill(CLOSED);
    const reserve = await this.#reserve?.catch(() => null);
    reserve?.kill(CLOSED);
    await reserve?.ended;
    await Promise.all(this.#starts);
    await Promise.all(loading.map((replica) => replica.ended));
  }

  async #start() {
    this.count += 1;
    const begun = performance.now();
    let isStarting = true;
    try {
      const replica = (await this.#takeReserve()) ?? (await this.#load());
      await this.#prepare(replica);
      this.startMs = replica.startedMs = performance.now() - begun;
      const { state } = this.#breaker;
      this.#breaker.start(() => {
        this.failure = '';
        this.#hooks.onMore();
      });
      if (this.#breaker.state === 'closed') this.failure = '';
      this.count -= 1;
      isStarting = false;
      this.#hooks.onReady(replica);
      // While starts failed, only this one could be begun.
      if (state !== 'closed' && this.#breaker.state === 'closed') this.#hooks.onMore();
    } catch (error) {
      if (isStarting) this.count -= 1;
      if (this.#isClosed) this.#hooks.onFailed(null);
      else this.fail(/** @type {any} */ (error));
    }
  }

  /** @param {Replica} replica */
  async #prepare(replica) {
    const { startMs } = this.#settings;
    const timer = setTimeout(() => replica.kill(`did not repeat what had changed its module within ${startMs} ms`), startMs).unref();
    this.#loading.add(replica);
    await this.#hooks.prepare(replica).finally(() => clearTimeout(timer));
    this.#loading.delete(replica);
    if (replica.isOpen) return;
    // When a link ends, the exit that follows explains it.
    await replica.ended;
    throw new IgnisError('IGNIS_START_FAILED', `${this.#name}: ${replica.endedWhy}`);
  }

  /** @returns {Promise<Replica | null>} */
  async #takeReserve() {
    const reserve = this.#reserve;
    this.#reserve = null;
    const replica = await reserve;
    return replica?.isOpen ? replica : null;
  }

  /** @returns {Promise<Replica>} ready */
  async #load() {
    const target = this.#hooks.target();
    const replica = await this.#spares.take(this.#settings.launch);
    this.#loading.add(replica);
    void replica.ended.then(() => this.#loading.delete(replica));
    if (this.#isClosed) replica.kill(CLOSED);
    await replica.load(target, this.#hooks.replica, this.#settings.startMs);
    this.#loading.delete(replica);
    return replica;
  }
}

exports.Starter = Starter;
