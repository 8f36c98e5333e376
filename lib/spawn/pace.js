'use strict';
/*
 * How fast a replica is, and so how much may be on its way to it. In: what it reports of the calls that it has served. Out: how many calls
 * may pend, how many may travel together, how long one keeps it, how busy its event loop was. It knows only reports, no calls.
 */

const { Math } = require('../engine');

/** How much work may be on its way to one replica (ms of service), and how much of it in one batch. */
const WINDOW_MS = 4;
const BATCH_MS = 1;
const MAX_WINDOW = 1024;
/** So many times more may be on its way where home is too busy to come in time with more, at most. */
const MAX_STRETCH = 8;
/**
 * Idling for more than this part of the time while calls wait for room in it shows that; so much of it has twice as many sent ahead, and so
 * much time without it half as many, ms.
 */
const IDLE_PART = 0.1;
const STRETCH_MS = 100;
const SHRINK_MS = 2000;
/** A call that keeps a replica so long, and so many times longer than its others, is a long one. */
const LONG_CALL_MS = 20;
const LONG_CALL_TIMES = 20;
/** For so long after a long call nothing is sent behind what a replica of the module works on, ms. */
const WARY_MS = 3000;
/** What a report still counts in the mean when the next one has come. */
const KEPT = 0.8;
/** Of the time in which it has something to do, what it may wait for a core, and still begin at once on what comes. */
const LITTLE_WAIT = 0.1;

class Pace {
  /** one until the first answers have told how long a call takes */
  #window = 1;
  /** calls that it serves in a ms; 0 until that is known */
  #perMs = 0;
  /** 1 to MAX_STRETCH */
  #stretch = 1;
  #calls = 0;
  #recentMs = 0;
  #recentWaitedMs = 0;
  #longestMs = 0;

  /** calls that have run, as reported, whether they have been answered or not */
  served = 0;
  /** time its module code ran, as reported, ms */
  busyMs = 0;
  /** time its event loop did something, as reported, and of that, time it waited for a core, ms */
  activeMs = 0;
  waitedMs = 0;
  /** how many calls may leave together */
  batch = 1;
  /** until when nothing is sent behind what a replica works on, ms; of all replicas of a module: what takes long in one does in another */
  wary = { until: 0 };
  /** @type {number | null} part of the time in which its event loop was busy before it reported last, 0 to 1; null: it has not yet */
  utilisation = null;

  /** @returns {number | null} how long a call has kept its event loop of late, ms; null: not known yet */
  get meanMs() {
    return this.#calls === 0 ? null : this.#recentMs / this.#calls;
  }

  /** How long a call takes that is not the longest, ms; 0: not known yet. */
  get typicalMs() {
    return this.#perMs === 0 ? 0 : 1 / this.#perMs;
  }

  /** Whether it has had a core when it had something to do: then calls that come ahead of others are begun ahead of them. */
  get isPrompt() {
    return this.#recentWaitedMs <= LITTLE_WAIT * this.#recentMs;
  }

  /**
   * @param {number} now ms
   * @param {number} [travelMs] how long a call and its answer are on their way: what it serves meanwhile is on its way, too
   * @returns {number} calls that may pend
   */
  window(now, travelMs = 0) {
    return now < this.wary.until ? 1 : Math.min(MAX_WINDOW, Math.floor(this.#window * this.#stretch + travelMs * this.#perMs));
  }

  /** @returns {number} the longest call reported since this was last asked, ms */
  takeLongestMs() {
    const longest = this.#longestMs;
    this.#longestMs = 0;
    return longest;
  }

  /**
   * @param {import('../session/usage').Usage} usage
   * @param {number} now ms
   * @param {number} [wantedMs] for so long, until now, calls have always waited for room in a replica
   */
  note({ calls, busyMs, longestMs, activeMs, idleMs, waitedMs }, now, wantedMs = 0) {
    const spanMs = activeMs + idleMs;
    if (spanMs > 0) this.utilisation = activeMs / spanMs;
    const isStarved = wantedMs >= spanMs && now >= this.wary.until && idleMs > IDLE_PART * spanMs;
    this.#stretch = Math.min(MAX_STRETCH, Math.max(1, this.#stretch * 2 ** (isStarved ? idleMs / STRETCH_MS : -spanMs / SHRINK_MS)));
    this.busyMs += busyMs;
    this.activeMs += activeMs;
    this.waitedMs += waitedMs;
    this.#longestMs = Math.max(this.#longestMs, longestMs);
    this.served += calls;
    if (calls === 0) return;
    this.#calls = KEPT * this.#calls + calls;
    this.#recentMs = KEPT * this.#recentMs + activeMs;
    this.#recentWaitedMs = KEPT * this.#recentWaitedMs + waitedMs;
    // Without the longest one, so that a rare long call does not hide how short the others are.
    const typicalMs = Math.max(0.001, calls === 1 ? busyMs : (busyMs - longestMs) / (calls - 1));
    const usualMs = calls > 1 ? typicalMs : 1 / this.#perMs;
    if (longestMs >= LONG_CALL_MS && longestMs >= LONG_CALL_TIMES * usualMs) this.wary.until = now + WARY_MS;
    // One call alone may have been the long one: it says how long calls can be, not how short.
    if (calls === 1 && this.#window > 1) return;
    this.#window = fit(WINDOW_MS / typicalMs);
    this.#perMs = 1 / typicalMs;
    this.batch = fit(BATCH_MS / typicalMs);
  }
}

/** @param {number} calls @returns {number} a whole number of calls, at least one */
function fit(calls) {
  return Math.min(MAX_WINDOW, Math.max(1, Math.floor(calls)));
}

exports.Pace = Pace;
exports.WARY_MS = WARY_MS;
