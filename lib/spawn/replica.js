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
const { Pace } = require('./pace');

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
  #pace = new Pace();
  #why = '';
  /** what home found wrong with the link */
  #fault = '';
  /** @type {Map<string, Promise<void>>} modules that it has loaded or was told to load, by name */
  #added = new Map();
  /** signs of life that are waited for, since calls in it took too long */
  #pings = 0;
  /** @type {(() => void) | null} */
  #drained = null;
  #gone = () => {};

  id = nextId++;
  /** calls sent in all */
  calls = 0;
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
      onUsage: (usage) => this.#pace.note(usage, performance.now()),
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
  /** Time its module code ran, as reported, ms. */
  get busyMs() {
    return this.#pace.busyMs;
  }
  /** How long a call has kept its event loop of late, ms; null: not known yet. */
  get meanMs() {
    return this.#pace.meanMs;
  }
  /** How busy its event loop was when it reported last, 0 to 1; null: not known yet. */
  get utilisation() {
    return this.#pace.utilisation;
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
    return this.#peer.pending < this.#pace.window(now);
  }

  /** @returns {boolean} whether a call may join those that leave at the end of this tick: its company costs next to nothing */
  get hasOpenBatch() {
    const { queued } = this.#launched.channel;
    return this.#state === 'ready' && queued > 0 && queued < this.#pace.batch;
  }

  /** @returns {number} the longest call it has reported since this was last asked, ms */
  takeLongestMs() {
    return this.#pace.takeLongestMs();
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
      this.#added.set(target.name, Promise.resolve());
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
   * Loads another module beside those it has, once, before all calls sent from now on. If it cannot, it ends.
   *
   * @param {import('./agent').Target} target
   * @param {number} limitMs
   * @returns {Promise<void>} when that is done or it has ended; never rejects
   */
  add(target, limitMs) {
    const known = this.#added.get(target.name);
    if (known !== undefined) return known;
    /** @type {Promise<void>} */
    const added = new Promise((resolve) => {
      const timer = setTimeout(() => this.kill(`did not load ${target.name} within ${limitMs} ms`), limitMs).unref();
      const done = () => resolve(clearTimeout(timer));
      const fail = (/** @type {any} */ error) => {
        this.kill(`${target.name}: ${error?.message ?? error}`);
        void this.ended.then(done);
      };
      if (this.#peer.pending === 0) this.busySince = performance.now();
      this.#peer.load(target, { id: -1, sequence: 0, finish: done, fail });
    });
    this.#added.set(target.name, added);
    return added;
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

exports.Replica = Replica;
