'use strict';
/*
 * Whether it is worth while to start a replica of a module now: a circuit breaker (Nygard, Release It!). In: starts that failed, replicas
 * that were lost, and that one has lasted. Out: whether another may be started, and for how long none. While it is open the module runs at
 * home.
 *
 *      closed --a start fails, or many are lost--> open (0.5 s, 1 s, 2 s ... 60 s) --> half-open: one more, on trial
 *         ^------------- that one lasts (or starts, where starts had failed) --------------/        \--it is lost--> open, for twice as long
 */
const { Math, clearTimeout, performance, setTimeout } = require('../engine');

/** After a failure: this long, doubled each time, up to a minute. */
const BACK_OFF_MS = 500;
const MAX_BACK_OFF_MS = 60000;
/** More losses than twice the wanted replicas and this, in so long beside the time that their starts took: they do not last. */
const SPARE_LOSSES = 3;
const LOSS_SPAN_MS = 10000;
/** A replica on trial that has lasted so long is taken for sound. */
const TRIAL_MS = 2000;

class Breaker {
  #failures = 0;
  #retryAt = 0;
  /** @type {number[]} when replicas were lost of late, ms */
  #losses = [];
  #hasLost = false;
  /** @type {NodeJS.Timeout | null} */
  #trial = null;

  /** how far the last look at losses went back, ms */
  spanMs = LOSS_SPAN_MS;

  /** @returns {'closed' | 'open' | 'half-open'} */
  get state() {
    if (this.#failures === 0) return 'closed';
    return performance.now() < this.#retryAt ? 'open' : 'half-open';
  }

  /** Whether one more may be started now; while half-open only one that nobody has on trial. */
  get mayTry() {
    const { state } = this;
    return state === 'closed' || (state === 'half-open' && this.#trial === null);
  }

  /**
   * Several starts that fail together count once.
   *
   * @param {number} [mostMs] at most so long, whatever went before
   * @returns {number} for how long nothing is started now, ms
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
   * A replica was lost that was wanted.
   *
   * @param {number} wanted that many start at the same time
   * @param {number} [startMs] how long a start takes: of a module that loads for seconds few can be lost in ten
   * @returns {number} how many were lost of late, when that is too many: then it is to fail; else 0
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
   * Where no replicas had been lost, one start proves it, and there is no trial.
   *
   * @param {() => void} proven called when a trial is over and well
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
