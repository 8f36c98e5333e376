'use strict';
/*
 * How fast a replica is, and so how much may be on its way to it. In: its reports about calls it has served. Out: how many calls may pend,
 * how many may travel together, how long a call keeps it, how busy its event loop was. It knows only reports, no calls.
 */

const { Math } = require('../engine');

/** How much work may be on its way to one replica (ms of service), and how much of it in one batch. */
const WINDOW_MS = 4;
const BATCH_MS = 1;
const MAX_WINDOW = 1024;
/** If home is too busy to send more in time, up to this many times more may be on its way. */
const MAX_STRETCH = 8;
/**
 * Home is too busy if the replica idles for more than this part of the time while calls wait for room in it. After this much idling, twice
 * as many calls are sent ahead; after this much time without it, half as many, ms.
 */
const IDLE_PART = 0.1;
const STRETCH_MS = 100;
const SHRINK_MS = 2000;
/** A call that keeps a replica this long, and this many times longer than its other calls, is a long one. */
const LONG_CALL_MS = 20;
const LONG_CALL_TIMES = 20;
/** For this long after a long call, nothing is queued behind the current work of any replica of the module, ms. */
const WARY_MS = 3000;
/** How much an old report still counts in the mean when a new one comes. */
const KEPT = 0.8;
/** A replica that waits for a core for a smaller part of its active time begins at once on what comes. */
const LITTLE_WAIT = 0.1;

class Pace {
  /** one until the first answers have told how long a call takes */
  #window = 1;
  /** calls that it serves in a ms; 0 until known */
  #perMs = 0;
  /** 1 to MAX_STRETCH */
  #stretch = 1;
  #calls = 0;
  #recentMs = 0;
  #recentWaitedMs = 0;
  #longestMs = 0;

  /** calls that have run, as reported, answered or not */
  served = 0;
  /** time its module code ran, as reported, ms */
  busyMs = 0;
  /** time in which its event loop was active, as reported, and the part of it in which it waited for a core, ms */
  activeMs = 0;
  waitedMs = 0;
  /** how many calls may leave together */
  batch = 1;
  /** until when nothing is queued behind a replica's current work, ms; shared by all replicas of a module, which are alike in this */
  wary = { until: 0 };
  /** @type {number | null} how busy its event loop was before its last report, 0 to 1; null: no report yet */
  utilisation = null;

  /** @returns {number | null} how long a call has kept its event loop lately, ms; null: not known yet */
  get meanMs() {
    return this.#calls === 0 ? null : this.#recentMs / this.#calls;
  }

  /** How long a call takes, without the longest one, ms; 0: not known yet. */
  get typicalMs() {
    return this.#perMs === 0 ? 0 : 1 / this.#perMs;
  }

  /** Whether it has had a core when it had work: then calls sent ahead of others also begin ahead of them. */
  get isPrompt() {
    return this.#recentWaitedMs <= LITTLE_WAIT * this.#recentMs;
  }

  /**
   * @param {number} now ms
   * @param {number} [travelMs] time of a call and its answer on the way: calls served meanwhile are on the way, too
   * @returns {number} calls that may pend
   */
  window(now, travelMs = 0) {
    return now < this.wary.until ? 1 : Math.min(MAX_WINDOW, Math.floor(this.#window * this.#stretch + travelMs * this.#perMs));
  }

  /** @returns {number} the longest call reported since the last time, ms */
  takeLongestMs() {
    const longest = this.#longestMs;
    this.#longestMs = 0;
    return longest;
  }

  /**
   * @param {import('../session/usage').Usage} usage
   * @param {number} now ms
   * @param {number} [wantedMs] for how long calls have always waited for room in a replica, until now
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
    // Leave out the longest, so that a rare long call does not hide how short the others are.
    const typicalMs = Math.max(0.001, calls === 1 ? busyMs : (busyMs - longestMs) / (calls - 1));
    const usualMs = calls > 1 ? typicalMs : 1 / this.#perMs;
    if (longestMs >= LONG_CALL_MS && longestMs >= LONG_CALL_TIMES * usualMs) this.wary.until = now + WARY_MS;
    // A single call may have been the long one: it shows how long calls can be, not how short.
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
