'use strict';
/*
 * A lease: a name has at most one holder at a time, with an epoch that rises with each. In: the record `leases/NAME` of an engine, and our
 * own monotonic clock; no two clocks are compared. Out: when we hold it, and when no longer. The holder counts from the *beginning* of its
 * last good renewal and stops at three quarters of the time; another takes over only after it has seen the record unchanged for all of the
 * time. So two holders that check `isHeld` right before acting never act side by side. The epoch keeps out slow acts (lease-fence.js).
 */
const { randomUUID } = require('node:crypto');
const { IgnisError } = require('../errors.js');
const { OWN_CLOCK } = require('./engine-clock.js');
const { Math, Promise } = require('../engine');

/** @typedef {import('./engine-base.js').Engine} Engine */
/** @typedef {'idle' | 'waiting' | 'held' | 'lost' | 'released'} LeaseState */

const TTL_MS = 20_000;
/** The part of the time in which the holder acts. */
const SAFE = 0.75;
/** Renewals within the time of a lease. */
const RENEWALS = 6;

/** @type {Record<LeaseState, LeaseState[]>} */
const NEXT = { idle: ['waiting', 'released'], waiting: ['held', 'released'], held: ['lost', 'released'], lost: ['released'], released: [] };

class Lease {
  /** @type {LeaseState} */
  #state = 'idle';
  #engine;
  #key;
  #holder;
  #ttlMs;
  #clock;
  #onLost;
  /** Which of all attempts to hold it is ours. */
  #claim = randomUUID();
  #epoch = 0;
  #rev = 0;
  #renewals = 0;
  /** When the last good renewal began. */
  #goodAt = 0;
  /** @type {(() => void)[]} */
  #callOffs = [];
  /** @type {() => void} */
  #wake = () => {};
  /** @type {Promise<void>} never rejects */
  #renewing = Promise.resolve();

  /**
   * @param {Engine} engine
   * @param {object} settings
   * @param {string} settings.name of the lease, as a part of a key
   * @param {string} settings.holder who we are, for people who look
   * @param {number} [settings.ttlMs] 20000 by default; at least that with three NATS servers, which take up to 9 s to change their leader
   * @param {import('./engine-clock.js').Clock} [settings.clock]
   * @param {(error: IgnisError) => void} [settings.onLost] stop now: called at three quarters of the time at the latest; at once if another
   *   holds it
   */
  constructor(engine, { name, holder, ttlMs = TTL_MS, clock = OWN_CLOCK, onLost = () => {} }) {
    this.#engine = engine;
    this.name = name;
    this.#key = `leases/${name}`;
    this.#holder = holder;
    this.#ttlMs = ttlMs;
    this.#clock = clock;
    this.#onLost = onLost;
  }

  get state() {
    return this.#state;
  }

  /** @returns {number} of the last time that we held it; 0: never */
  get epoch() {
    return this.#epoch;
  }

  /** @returns {boolean} by the clock as it is now, not by a timer that may be late */
  get isHeld() {
    return this.#state === 'held' && this.#clock.now() - this.#goodAt < this.#ttlMs * SAFE;
  }

  /**
   * @returns {number} the epoch to act in
   * @throws {IgnisError} IGNIS_LEASE_LOST when we do not certainly hold it
   */
  check() {
    if (!this.isHeld) throw this.#lostError();
    return this.#epoch;
  }

  /**
   * Waits for it, however long another holds it, and however long the engine is away.
   *
   * @returns {Promise<number>} the epoch; higher than any before
   * @throws {IgnisError} IGNIS_CLOSED when it is released meanwhile; IGNIS_ENGINE_REFUSED
   */
  async acquire() {
    assertState(this.#state, 'idle');
    this.#to('waiting');
    /** @type {import('./engine-base.js').Found | null | undefined} */
    let seen;
    let since = 0;
    while (this.#state === 'waiting') {
      try {
        const found = await this.#engine.get(this.#key);
        if (seen === undefined || found?.rev !== seen?.rev) {
          seen = found;
          since = this.#clock.now();
        }
        const at = this.#clock.now();
        if (this.#isFree(found, at - since)) {
          const epoch = (found?.value?.epoch ?? 0) + 1;
          const rev = await this.#write(epoch, found?.rev ?? 0);
          if (/** @type {LeaseState} */ (this.#state) === 'released') return await this.#giveBack(epoch, rev);
          return this.#hold(epoch, rev, at);
        }
      } catch (error) {
        const { code } = /** @type {any} */ (error);
        if (code !== 'IGNIS_ENGINE_CONFLICT' && code !== 'IGNIS_ENGINE_DOWN') throw error;
        // It may have changed and changed back while we did not look.
        if (code === 'IGNIS_ENGINE_DOWN') seen = undefined;
      }
      await this.#pause();
    }
    throw new IgnisError('IGNIS_CLOSED', `the lease ${this.name} was released`);
  }

  /** Gives it up, so that the next can take it at once. Idempotent. @returns {Promise<void>} */
  async release() {
    const { isHeld } = this;
    if (!this.#to('released')) return;
    for (const callOff of this.#callOffs.splice(0)) callOff();
    this.#wake();
    if (!isHeld) return;
    // A renewal that is under way, or whose answer was lost, may have left another revision.
    await this.#renewing;
    if (!(await this.#empty())) {
      await this.#reconcile();
      await this.#empty();
    }
  }

  /** @returns {Promise<boolean>} whether the next may take it at once; false: it must run out */
  async #empty() {
    try {
      await this.#engine.put(this.#key, { holder: null, epoch: this.#epoch, ttlMs: this.#ttlMs }, { ifRev: this.#rev });
      return true;
    } catch {
      return false;
    }
  }

  /** @param {LeaseState} next */
  #to(next) {
    if (!NEXT[this.#state].includes(next)) return false;
    this.#state = next;
    return true;
  }

  /**
   * @param {import('./engine-base.js').Found | null} found
   * @param {number} stoodMs for how long we saw it unchanged
   */
  #isFree(found, stoodMs) {
    if (found === null || found.value?.holder === null) return true;
    // It is our own attempt, whose answer did not come.
    if (found.value?.claim === this.#claim) return true;
    // The time that the holder uses, if longer than ours.
    return stoodMs >= Math.max(this.#ttlMs, Number(found.value?.ttlMs) || 0);
  }

  /** @param {number} epoch @param {number} ifRev */
  #write(epoch, ifRev) {
    this.#renewals += 1;
    const record = { holder: this.#holder, claim: this.#claim, epoch, ttlMs: this.#ttlMs, renewal: this.#renewals };
    return this.#engine.put(this.#key, record, { ifRev });
  }

  /** @param {number} epoch @param {number} rev @returns {Promise<never>} */
  async #giveBack(epoch, rev) {
    await this.#engine.put(this.#key, { holder: null, epoch, ttlMs: this.#ttlMs }, { ifRev: rev }).catch(() => {});
    throw new IgnisError('IGNIS_CLOSED', `the lease ${this.name} was released`);
  }

  /** @param {number} epoch @param {number} rev @param {number} at */
  #hold(epoch, rev, at) {
    this.#epoch = epoch;
    this.#rev = rev;
    this.#goodAt = at;
    this.#to('held');
    this.#renewLater();
    this.#watchOver();
    return epoch;
  }

  #pause() {
    return new Promise((/** @type {(value?: any) => void} */ resolve) => {
      const callOff = this.#clock.after(this.#ttlMs / RENEWALS, resolve);
      this.#wake = () => {
        callOff();
        resolve();
      };
    });
  }

  #renewLater() {
    this.#callOffs[0]?.();
    this.#callOffs[0] = this.#clock.after(this.#ttlMs / RENEWALS, async () => {
      this.#renewing = this.#renew();
      await this.#renewing;
      if (this.#state === 'held') this.#renewLater();
    });
  }

  /** Ends it at three quarters, unless it was renewed meanwhile. */
  #watchOver() {
    const left = this.#goodAt + this.#ttlMs * SAFE - this.#clock.now();
    this.#callOffs[1] = this.#clock.after(Math.max(0, left), () => {
      if (this.#state !== 'held') return;
      if (this.isHeld) this.#watchOver();
      else this.#lose();
    });
  }

  async #renew() {
    const at = this.#clock.now();
    try {
      this.#rev = await this.#write(this.#epoch, this.#rev);
      this.#goodAt = at;
    } catch (error) {
      const { code } = /** @type {any} */ (error);
      if (code === 'IGNIS_ENGINE_CONFLICT') await this.#reconcile();
    }
  }

  /** The record does not have our revision: either a renewal of ours was made without an answer, or another holds it. */
  async #reconcile() {
    try {
      const found = await this.#engine.get(this.#key);
      if (found !== null && found.value?.claim === this.#claim && found.value?.epoch === this.#epoch) this.#rev = found.rev;
      else if (this.#state === 'held') this.#lose();
    } catch {
      // Time runs on; the next renewal asks again.
    }
  }

  #lostError() {
    return new IgnisError('IGNIS_LEASE_LOST', `${this.name}, epoch ${this.#epoch}`, { epoch: this.#epoch });
  }

  #lose() {
    if (!this.#to('lost')) return;
    for (const callOff of this.#callOffs.splice(0)) callOff();
    this.#onLost(this.#lostError());
  }
}

/** @param {string} state @param {string} wanted */
function assertState(state, wanted) {
  if (state !== wanted) throw new Error(`a lease is acquired once; this one is ${state}`);
}

exports.Lease = Lease;
