'use strict';
/*
 * One replica's life at home: an agent that was launched, its peer, and the module it serves. In: a launched agent (fresh or a warm spare).
 * Out: calls sent, answers, and one end with its reason. It never decides: its set does.
 *
 *      starting --hello--> warm --load()--> loading --> ready --drain()--> draining --> ended
 *          \-----------------\----------------\-----------\--- failure, kill ----------/
 */
const assert = require('node:assert');
const { performance } = require('node:perf_hooks');
const { Peer } = require('../session/peer');
const { IgnisError } = require('../errors');
const { limit } = require('./deadline');

/** @typedef {'starting' | 'warm' | 'loading' | 'ready' | 'draining' | 'ended'} ReplicaState */

/** @type {Record<ReplicaState, ReplicaState[]>} */
const NEXT = {
  starting: ['warm', 'ended'],
  warm: ['loading', 'ended'],
  loading: ['ready', 'ended'],
  ready: ['draining', 'ended'],
  draining: ['ended'],
  ended: [],
};

/** How much work may be on its way to one replica (ms of service), and how much of it in one batch. */
const WINDOW_MS = 4;
const BATCH_MS = 1;
const MAX_WINDOW = 1024;
/** A call that keeps a replica so long, and so many times longer than its others, is a long one. */
const LONG_CALL_MS = 20;
const LONG_CALL_TIMES = 20;
/** For so long after a long call nothing is sent behind what a replica works on, ms. */
const WARY_MS = 3000;

/** How long the end of a link waits for the exit that explains it, ms. */
const EXIT_MS = 200;

let nextId = 1;

/**
 * @typedef {object} ReplicaHooks
 * @property {(replica: Replica) => void} onBroken its link has ended: it must get no more calls; `onEnded` follows
 * @property {(replica: Replica, pending: import('../session/call').Call[], why: string) => void} onEnded
 * @property {(replica: Replica) => void} onIdle calls were answered
 * @property {(name: string) => Function | undefined} errorClass
 */

class Replica {
  /** @type {ReplicaState} */
  #state = 'starting';
  #launched;
  #peer;
  /** @type {ReplicaHooks | null} */
  #hooks = null;
  #hello;
  /** calls that may pend; one until the first answers have told how long a call takes */
  #window = 1;
  #batch = 1;
  #waryUntil = 0;
  #why = '';
  /** what home found wrong with the link */
  #fault = '';
  #longestMs = 0;
  /** signs of life that are waited for, since calls in it took too long */
  #pings = 0;
  /** @type {(() => void) | null} */
  #drained = null;
  #gone = () => {};

  id = nextId++;
  /** calls sent in all */
  calls = 0;
  /** time its module code ran, as reported, ms */
  busyMs = 0;
  /** when it began to work on what is pending, ms; meaningless while nothing is */
  busySince = 0;
  /** number of the last change of the module that it was told to make */
  mark = 0;
  /** launch to ready, ms; a spare's own start does not count */
  startedMs = 0;
  /** @type {number | null} resident memory at the last look, bytes */
  rssBytes = null;

  /** @param {import('./launch-process').Launched} launched */
  constructor(launched) {
    this.#launched = launched;
    /** @type {(why: string | null) => void} null: the agent is up */
    let met = () => {};
    this.#hello = new Promise((resolve) => {
      met = resolve;
    });
    /** @type {Promise<void>} settles when the agent is gone */
    this.ended = new Promise((resolve) => {
      this.#gone = resolve;
    });
    this.#peer = new Peer(launched.channel, {
      onHello: () => {
        if (this.#state === 'starting') this.#to('warm');
        met(null);
      },
      onUsage: (calls, busyMs, longestMs) => this.#measure(calls, busyMs, longestMs),
      onIdle: () => this.#answered(),
      onRoom: () => this.#hooks?.onIdle(this),
      errorClass: (name) => this.#hooks?.errorClass(name),
      onLost: (error, pending) => {
        // The exit tells more than the end of the link; it follows at once, or never when only the link broke.
        const timer = setTimeout(() => this.#end(pending, error?.message ?? 'its link ended'), EXIT_MS);
        // Calls that are to be settled keep the program alive as long as that takes; nothing else does.
        if (pending.length === 0) timer.unref();
        if (error instanceof IgnisError) this.#fault = error.message;
        launched.kill();
        this.#hooks?.onBroken(this);
        launched.onExit((why) => {
          clearTimeout(timer);
          this.#end(pending, this.#explain(why));
        });
      },
    });
    launched.onExit((why) => {
      met(this.#why || this.#explain(why));
      this.#peer.destroy(null);
    });
  }

  get state() {
    return this.#state;
  }
  get where() {
    return this.#launched.where;
  }
  get pid() {
    return this.#launched.pid;
  }
  get pending() {
    return this.#peer.pending;
  }
  get endedWhy() {
    return this.#why;
  }
  /** Home's own CPU for this link, ms. */
  get overheadMs() {
    return this.#launched.channel.busyMs;
  }

  /**
   * @param {number} now ms
   * @returns {boolean} whether a call may be sent now
   */
  hasRoom(now) {
    const { channel } = this.#launched;
    if (this.#state !== 'ready' || this.#pings > 0 || channel.isFull || channel.state !== 'open') return false;
    return this.#peer.pending < (now < this.#waryUntil ? 1 : this.#window);
  }

  /** @returns {boolean} whether a call may join those that leave at the end of this tick: its company costs next to nothing */
  get hasOpenBatch() {
    const { queued } = this.#launched.channel;
    return this.#state === 'ready' && queued > 0 && queued < this.#batch;
  }

  /** @returns {number} the longest call it has reported since this was last asked, ms */
  takeLongestMs() {
    const longest = this.#longestMs;
    this.#longestMs = 0;
    return longest;
  }

  /**
   * @param {number} now ms
   * @returns {number} for how long it has worked on one thing without an answer
   */
  stuckMs(now) {
    return this.#peer.pending === 0 && this.#pings === 0 ? 0 : now - this.busySince;
  }

  /** @returns {Promise<void>} the agent is up; rejects with IGNIS_START_FAILED */
  async warm() {
    const why = await this.#hello;
    if (why === null) return;
    this.#why ||= why;
    throw new IgnisError('IGNIS_START_FAILED', why);
  }

  /**
   * @param {import('./agent').Target} target
   * @param {ReplicaHooks} hooks from now on
   * @param {number} limitMs for start and load together
   * @throws {IgnisError} IGNIS_START_FAILED with the module's own error as cause
   */
  async load(target, hooks, limitMs) {
    const begun = performance.now();
    this.#hooks = hooks;
    const timer = setTimeout(() => this.kill(`did not start within ${limitMs} ms`), limitMs).unref();
    try {
      await this.warm();
      this.#to('loading');
      await new Promise((resolve, reject) => {
        this.#peer.load(target, { id: -1, sequence: 0, finish: () => resolve(null), fail: reject });
      });
    } catch (cause) {
      const why = this.#why || String(/** @type {any} */ (cause)?.message ?? cause);
      this.kill(why);
      const isOurs = cause instanceof IgnisError && cause.code === 'IGNIS_START_FAILED';
      throw new IgnisError('IGNIS_START_FAILED', `${target.name}: ${why}`, isOurs ? {} : { cause });
    } finally {
      clearTimeout(timer);
    }
    if (this.#state !== 'loading') throw new IgnisError('IGNIS_START_FAILED', `${target.name}: ${this.#why}`);
    this.startedMs = performance.now() - begun;
    this.#to('ready');
  }

  /**
   * @param {import('../session/call').Call} call
   * @param {number} now ms
   */
  send(call, now) {
    if (this.#peer.pending === 0) this.busySince = now;
    this.calls += 1;
    if (call.plan.timeoutMs) limit(call, this);
    this.#peer.send(call);
  }

  /**
   * Waits for the answer to a call no more. Nothing is sent behind that call until the replica shows that it does not compute any more.
   *
   * @param {import('../session/call').Call} call
   */
  abandon(call) {
    this.#peer.abandon(call);
    this.#pings += 1;
    this.#peer.ping(() => {
      this.#pings -= 1;
      this.#hooks?.onIdle(this);
    });
    if (this.#peer.pending === 0) this.#drained?.();
    this.#hooks?.onIdle(this);
  }

  /** @returns {import('../session/call').Call[]} sent and not answered, in order */
  outstanding() {
    return this.#peer.outstanding().filter((call) => 'plan' in call);
  }

  /**
   * Makes changes that home has made, before all calls sent from now on. A replica that cannot must not serve: it is killed.
   *
   * @param {import('../session/change').Change[]} changes in their order
   * @returns {Promise<void>} when they are made; never rejects, since the end of the replica tells
   */
  async repeat(changes) {
    if (this.#peer.pending === 0) this.busySince = performance.now();
    const made = changes.map((change) => {
      this.mark = change.at;
      return new Promise((resolve) => {
        const fail = (/** @type {any} */ error) => resolve(this.#notRepeated(change, error));
        this.#peer.repeat(change, { id: -1, sequence: 0, finish: () => resolve(null), fail });
      });
    });
    await Promise.all(made);
  }

  /** Takes no more calls, ends when those it has are answered or after `closeMs`. @param {number} closeMs @param {string} why @returns {Promise<void>} */
  async drain(closeMs, why) {
    if (this.#state !== 'ready') return this.kill(why);
    this.#to('draining');
    if (this.#peer.pending > 0) {
      await new Promise((resolve) => {
        const timer = setTimeout(resolve, closeMs, null).unref();
        this.#drained = () => {
          clearTimeout(timer);
          resolve(null);
        };
      });
    }
    this.kill(why);
  }

  /** @param {string} why */
  kill(why) {
    if (this.#state === 'ended') return;
    this.#why ||= why;
    this.#launched.kill();
    this.#peer.destroy(null);
  }

  /** @param {number} calls @param {number} busyMs @param {number} longestMs */
  #measure(calls, busyMs, longestMs) {
    this.busyMs += busyMs;
    this.#longestMs = Math.max(this.#longestMs, longestMs);
    if (calls === 0) return;
    // Without the longest one, so that a rare long call does not hide how short the others are.
    const typicalMs = Math.max(0.001, calls === 1 ? busyMs : (busyMs - longestMs) / (calls - 1));
    if (calls > 1 && longestMs >= LONG_CALL_MS && longestMs >= LONG_CALL_TIMES * typicalMs) this.#waryUntil = performance.now() + WARY_MS;
    // One call alone may have been the long one: it says how long calls can be, not how short.
    if (calls === 1 && this.#window > 1) return;
    this.#window = fit(WINDOW_MS / typicalMs);
    this.#batch = fit(BATCH_MS / typicalMs);
  }

  /** What failed at home must fail here too. @param {import('../session/change').Change} change @param {any} error */
  async #notRepeated({ path, hasFailed }, error) {
    if (this.#state !== 'ended' && !(await hasFailed)) this.kill(`it could not repeat '${path.join('.')}': ${error?.message ?? error}`);
  }

  #answered() {
    this.busySince = performance.now();
    if (this.#peer.pending === 0) this.#drained?.();
    this.#hooks?.onIdle(this);
  }

  /** @param {string} why the agent exited @returns {string} and what led to that, if it was the link */
  #explain(why) {
    return this.#fault === '' ? why : `${this.#fault} (${why})`;
  }

  /** @param {any[]} pending @param {string} why */
  #end(pending, why) {
    if (this.#state === 'ended') return;
    this.#why ||= why;
    const hooks = this.#hooks;
    this.#to('ended');
    const calls = pending.filter((call) => 'plan' in call);
    for (const call of calls) call.deadline?.leave(this);
    for (const other of pending) if (!('plan' in other)) other.fail(new IgnisError('IGNIS_START_FAILED', this.#why));
    this.#drained?.();
    hooks?.onEnded(this, calls, this.#why);
    this.#gone();
  }

  /** @param {ReplicaState} next */
  #to(next) {
    assert(NEXT[this.#state].includes(next), `a replica cannot go from ${this.#state} to ${next}`);
    this.#state = next;
  }
}

/** @param {number} calls @returns {number} a whole number of calls, at least one */
function fit(calls) {
  return Math.min(MAX_WINDOW, Math.max(1, Math.floor(calls)));
}

exports.Replica = Replica;
