'use strict';
/*
 * Whether it is worth starting a replica of a module now: a circuit breaker (Nygard, Release It!). In: starts that failed, replicas that
 * were lost or have lasted. Out: whether another may be started, and how long none may. While the breaker is open, the module runs at home.
 *
 *      closed --a start fails, or many are lost--> open (0.5 s, 1 s, 2 s ... 60 s) --> half-open: one more, on trial
 *         ^------------- that one lasts (or starts, where starts had failed) --------------/        \--it is lost--> open, for twice as long
 */
const { Math, clearTimeout, performance, setTimeout } = require('../engine');

/** Pause after a failure, ms; doubled each time, up to a minute. */
const BACK_OFF_MS = 500;
const MAX_BACK_OFF_MS = 60000;
/** Replicas do not last if more are lost than twice the wanted number plus this, within this time plus the time their starts took. */
const SPARE_LOSSES = 3;
const LOSS_SPAN_MS = 10000;
/** A replica on trial that lasts this long is taken for sound, ms. */
const TRIAL_MS = 2000;

class Breaker {
  #failures = 0;
  #retryAt = 0;
  /** @type {number[]} when replicas were lost lately, ms */
  #losses = [];
  #hasLost = false;
  /** @type {NodeJS.Timeout | null} */
  #trial = null;

  /** how far back the last look at losses went, ms */
  spanMs = LOSS_SPAN_MS;

  /** @returns {'closed' | 'open' | 'half-open'} */
  get state() {
    if (this.#failures === 0) return 'closed';
    return performance.now() < this.#retryAt ? 'open' : 'half-open';
  }

  /** Whether one more may be started now; while half-open, only if none is on trial. */
  get mayTry() {
    const { state } = this;
    return state === 'closed' || (state === 'half-open' && this.#trial === null);
  }

  /**
   * Several starts that fail together count as one.
   *
   * @param {number} [mostMs] upper limit of the pause, whatever happened before
   * @returns {number} how long nothing is started now, ms
   */
  fail(mostMs = MAX_BACK_OFF_MS) {
    if (this.state === 'open') return Math.ceil(this.#retryAt - performance.now());
    this.#endTrial();
    const ms = Math.min(mostMs, BACK_OFF_MS * 2 ** this.#failures);
    this.#failures += 1;
    this.#losses = [];
    this.#retryAt = performance.now() + ms;
    return ms;
  }

  /**
   * A wanted replica was lost.
   *
   * @param {number} wanted this many may start at the same time
   * @param {number} [startMs] how long a start takes: if a module loads for seconds, few of its replicas can be lost in ten seconds
   * @returns {number} how many were lost lately, if too many: then call fail(); else 0
   */
  lose(wanted, startMs = 0) {
    const now = performance.now();
    const most = 2 * wanted + SPARE_LOSSES;
    this.spanMs = LOSS_SPAN_MS + (most / Math.max(1, wanted)) * startMs;
    this.#losses = [...this.#losses.filter((at) => at > now - this.spanMs), now];
    const isTooMany = this.state === 'half-open' || this.#losses.length > most;
    this.#hasLost ||= isTooMany;
    return isTooMany ? this.#losses.length : 0;
  }

  /**
   * If no replicas had been lost, one start is proof enough, and there is no trial.
   *
   * @param {() => void} proven called when a trial has ended well
   */
  start(proven) {
    if (this.#failures === 0) return;
    if (!this.#hasLost) return this.#prove();
    this.#trial ??= setTimeout(() => {
      this.#prove();
      proven();
    }, TRIAL_MS).unref();
  }

  close() {
    this.#endTrial();
  }

  #prove() {
    this.#endTrial();
    this.#failures = 0;
    this.#hasLost = false;
  }

  #endTrial() {
    if (this.#trial !== null) clearTimeout(this.#trial);
    this.#trial = null;
  }
}

exports.Breaker = Breaker;
