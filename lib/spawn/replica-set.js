'use strict';
/*
 * The replicas of one module: how many there are, which of them takes a call, what waits, and what becomes of the calls of one that was
 * lost. In: calls, a wanted number. Out: settled calls, and readings for the coordinator. A call is never lost or run twice silently:
 * it runs again only if its plan allows it, else its caller gets IGNIS_REPLICA_LOST with what is known.
 */
const { performance } = require('node:perf_hooks');
const { IgnisError } = require('../errors');
const { publish } = require('../diagnostics');
const { streamPool } = require('../wire/byte-pool');
const { makeChoose } = require('./balance');
const { Burst } = require('./burst');
const { CallQueue } = require('./call-queue');
const { Gauge } = require('./gauge');
const { callsBehind } = require('./hedge');
const { Starter } = require('./starter');

/** @typedef {import('./replica').Replica} Replica */
/** @typedef {import('../session/call').Call} Call */

/** How often it is looked whether calls are stuck, ms. */
const WATCH_MS = 10;
const MOST_RECORDS = 1000;
/** A call is not sent again after it was the oldest in this many replicas that were lost. */
const MOST_LOSSES = 3;

/**
 * @typedef {object} SetSettings
 * @property {import('./agent').Target} target
 * @property {import('./spare-pool').LaunchSettings} launch
 * @property {string | Function} sched
 * @property {number} qDepth calls that may pend, in replicas and at home; Infinity
 * @property {number} startMs limit for start and load
 * @property {number} closeMs limit for the last calls of a replica that ends
 * @property {(name: string) => Function | undefined} errorClass
 */

class ReplicaSet {
  #settings;
  #starter;
  #choose;
  #canHedge;
  /** @type {Replica[]} */
  #ready = [];
  /** @type {Set<Replica>} draining: no more calls */
  #leaving = new Set();
  /** @type {Set<Replica>} wanted, but their links have ended: no more calls */
  #broken = new Set();
  #queue = new CallQueue();
  #turn = 0;
  #sequence = 0;
  #submitted = 0;
  #submitMs = 0;
  /** @type {NodeJS.Timeout | null} */
  #watch = null;
  #isClosed = false;
  #burst = new Burst();
  #gauge = new Gauge();

  /** how many are wanted */
  wanted = 0;
  /** @type {object[]} what became of replicas that ended, newest last */
  ended = [];
  /** replicas that ended while they were wanted */
  lost = 0;
  /** @type {() => void} called when the number of ready replicas has changed */
  onChange = () => {};
  /** @type {(error: Error) => void} called when a replica cannot be started, or is lost */
  onFail = () => {};

  /**
   * @param {SetSettings} settings
   * @param {import('./spare-pool').SparePool} spares
   */
  constructor(settings, spares) {
    this.#settings = settings;
    this.#starter = new Starter(settings, spares, {
      onReady: (replica) => this.#enter(replica),
      onFailed: (error) => this.#failed(error),
      replica: {
        onBroken: (broken) => this.#break(broken),
        onEnded: (ended, pending, why) => this.#lose(ended, pending, why),
        onIdle: () => this.#drainQueue(),
        errorClass: settings.errorClass,
      },
    });
    this.#choose = makeChoose(/** @type {any} */ (settings.sched));
    // Where the recipe says which replica takes a call, another would be the wrong one.
    this.#canHedge = settings.sched === 'least' || settings.sched === 'rr';
  }

  get module() {
    return this.#settings.target.name;
  }
  /** Where large copies for the replicas are made; null for threads, which get the memory itself. */
  get pool() {
    return this.#settings.launch.where === 'process' ? streamPool : null;
  }
  get ready() {
    return this.#ready.length;
  }
  get starting() {
    return this.#starter.count;
  }
  get queued() {
    return this.#queue.size;
  }
  /** Wish to ready of the last replica, ms. */
  get startMs() {
    return this.#starter.startMs;
  }
  /** Why the last start failed; '' while all is well. */
  get failure() {
    return this.#starter.failure;
  }
  /** Whether the last start has failed and it is too early for another. */
  get isFailing() {
    return this.#starter.isFailing;
  }
  /** Calls in replicas and waiting here. */
  get pending() {
    let pending = this.queued;
    for (const replica of this.#ready) pending += replica.pending;
    return pending;
  }

  /** Whether calls pend as deep as the recipe's qDepth allows. */
  get isFull() {
    return this.#settings.qDepth !== Infinity && this.pending >= this.#settings.qDepth;
  }

  /** @returns {Replica[]} all that live */
  get replicas() {
    return [...this.#ready, ...this.#leaving, ...this.#broken];
  }

  /**
   * @param {number} count replicas wanted from now on
   * @param {string} [why] said of those that end
   * @returns {Promise<void>} when the count is reached or starts have failed; never rejects
   */
  async resize(count, why = 'scaled in') {
    this.wanted = this.#isClosed ? 0 : count;
    const starts = [];
    while (this.#ready.length + this.starting < this.wanted && !this.isFailing) starts.push(this.#starter.begin());
    while (this.#ready.length > this.wanted) this.#leave(/** @type {Replica} */ (this.#ready.pop()), why);
    if (this.#ready.length === 0 && this.starting === 0) this.#flushHome();
    await Promise.all(starts);
  }

  /** Loads the module into one replica that serves nothing yet. @returns {Promise<void>} never rejects */
  async preload() {
    if (this.#ready.length === 0) await this.#starter.preload();
  }

  /**
   * @param {Call} call
   * @param {number} now ms
   * @returns {boolean} false when the call is not taken (no replica, or too many pend): its caller runs it at home
   */
  submit(call, now) {
    if (this.#ready.length === 0 || this.isFull) return false;
    const isTimed = (++this.#submitted & 63) === 0;
    call.burst = this.#burst.current();
    const replica = this.queued > 0 ? null : this.#pick(call, now);
    if (replica !== null) this.#dispatch(replica, call, now);
    else this.#queue.push(call);
    if (isTimed) this.#submitMs += (performance.now() - now) * 64;
    return true;
  }

  /** @returns {object[]} a record for each replica that lives or has ended */
  records() {
    const alive = this.replicas.map((replica) => ({ ...describe(replica), module: this.module, state: replica.state, endedWhy: null }));
    return [...this.ended, ...alive];
  }

  /** What the coordinator sees. @param {number} now ms @param {[number, number]} copies */
  read(now, copies) {
    const { pending, overheadMs } = this.#gauge.note(now, this.replicas);
    const { callsPerSecond, busyMsPerSecond } = this.#gauge.read(now);
    return {
      module: this.module,
      ready: this.#ready.length,
      starting: this.starting,
      wanted: this.wanted,
      pending,
      queued: this.queued,
      callsPerSecond,
      busyMsPerSecond,
      callOverheadMs: this.#submitted < 64 ? null : (overheadMs + this.#submitMs) / this.#submitted,
      startMs: this.startMs,
      copies,
      lost: this.lost,
      longestMs: this.#gauge.longestMs(now),
    };
  }

  /** @returns {Promise<void>} when all have ended; calls that wait run at home, calls in replicas get `closeMs` to end */
  async close() {
    this.#isClosed = true;
    await this.resize(0, 'Ignis closed');
    await this.#starter.close();
    await Promise.all(this.replicas.map((replica) => replica.ended));
  }

  /** @param {Call} call @param {number} now ms @returns {Replica | null} null: it waits here */
  #pick(call, now) {
    const companion = this.#settings.sched === 'least' ? this.#burst.companion(call.burst) : null;
    return companion ?? this.#choose(this.#ready, call, now, this.#turn++);
  }

  /** @param {Replica} replica @param {Call} call @param {number} now */
  #dispatch(replica, call, now) {
    this.#burst.note(replica, call.burst);
    call.sequence = ++this.#sequence;
    call.wasSent = true;
    replica.send(call, now);
  }

  /** @param {Error | null} error null: it was not wanted any more */
  #failed(error) {
    if (this.#ready.length === 0) this.#flushHome();
    if (error === null) return;
    publish('ignis:replica', { module: this.module, event: 'failed', why: error.message, error });
    this.onChange();
    this.onFail(error);
  }

  /** @param {Replica} replica */
  #enter(replica) {
    if (this.#ready.length >= this.wanted) {
      this.#leave(replica, 'no longer wanted when it was ready');
      if (this.#ready.length === 0 && this.starting === 0) this.#flushHome();
      return;
    }
    this.#ready.push(replica);
    this.#watch ??= setInterval(() => this.#look(), WATCH_MS).unref();
    publish('ignis:replica', {
      module: this.module,
      event: 'ready',
      id: replica.id,
      pid: replica.pid,
      where: replica.where,
      startedMs: replica.startedMs,
    });
    this.onChange();
    this.#drainQueue();
  }

  /** @param {Replica} replica @param {string} why */
  #leave(replica, why) {
    this.#leaving.add(replica);
    void replica.drain(this.#settings.closeMs, why);
    this.onChange();
  }

  /** @param {Replica} replica whose link has ended while it was wanted, or leaving */
  #break(replica) {
    if (!this.#ready.includes(replica)) return;
    this.#ready = this.#ready.filter((other) => other !== replica);
    this.#broken.add(replica);
    this.onChange();
  }

  /** @param {Replica} replica @param {Call[]} pending @param {string} why */
  #lose(replica, pending, why) {
    this.#break(replica);
    const wasWanted = this.#broken.delete(replica);
    this.#leaving.delete(replica);
    this.#gauge.leave(replica);
    if (wasWanted) this.lost += 1;
    if (wasWanted) this.onFail(new IgnisError('IGNIS_REPLICA_LOST', `${this.module}, replica ${replica.id}: ${why}`));
    this.ended.push({ ...describe(replica), module: this.module, state: 'ended', endedWhy: why });
    if (this.ended.length > MOST_RECORDS) this.ended.shift();
    publish('ignis:replica', { module: this.module, event: 'ended', id: replica.id, pid: replica.pid, why });
    // First another replica, so that what may run again waits for it instead of running at home at once.
    if (wasWanted && !this.#isClosed && !this.#starter.isWornOut(this.wanted, why)) void this.resize(this.wanted);
    // Those that may run again go ahead of the queue, in their old order.
    this.#rerun(pending, `${this.module}, replica ${replica.id}: ${why}`);
    this.#rest();
    this.onChange();
  }

  /** The watch lasts while there are replicas, and keeps the program alive while calls wait here. */
  #rest() {
    if (this.queued > 0) {
      this.#watch ??= setInterval(() => this.#look(), WATCH_MS);
      this.#watch.ref();
    } else if (this.#watch !== null && this.replicas.length + this.starting === 0) {
      clearInterval(this.#watch);
      this.#watch = null;
    } else this.#watch?.unref();
  }

  /** @param {Call[]} calls @param {string} detail */
  #rerun(calls, detail) {
    const again = [];
    // The oldest is what the replica was working on, and may be what ended it; it is not tried without end.
    const suspect = calls.find((call) => !call.isSettled);
    if (suspect !== undefined) suspect.losses += 1;
    for (const call of calls) {
      if (call.isSettled) continue;
      if (call.losses < MOST_LOSSES && call.plan.canRerun && call.canReplay) again.push(call);
      else call.lose(detail);
    }
    this.#requeue(again);
  }

  /** @param {Call[]} calls go to the front of the queue */
  #requeue(calls) {
    this.#queue.pushFront(calls);
    if (this.#ready.length === 0 && this.starting === 0) this.#flushHome();
    else this.#drainQueue();
    this.#rest();
  }

  #drainQueue() {
    if (this.queued === 0) return;
    const now = performance.now();
    for (let call = this.#queue.first; call !== undefined; call = this.#queue.first) {
      const replica = call.isSettled ? null : this.#pick(call, now);
      if (replica === null && !call.isSettled) break;
      this.#queue.shift();
      if (replica !== null) this.#dispatch(replica, call, now);
    }
    if (this.queued === 0) this.#rest();
  }

  /** Nobody is left to wait for: what waits runs here. */
  #flushHome() {
    const waiting = this.#queue.takeAll();
    this.#rest();
    for (const call of waiting) call.runAtHome();
  }

  /** Looks for replicas stuck in a long call: what waits behind it, and may run twice, is sent elsewhere too; the first answer counts. */
  #look() {
    const behind = this.#canHedge ? callsBehind(this.#ready, performance.now()) : [];
    if (behind.length > 0) this.#requeue(behind);
    else this.#drainQueue();
  }
}

/** @param {Replica} replica */
function describe({ id, where, pid, startedMs, calls, rssBytes }) {
  return { id, where, pid, startedMs, calls, rssBytes };
}

exports.ReplicaSet = ReplicaSet;
