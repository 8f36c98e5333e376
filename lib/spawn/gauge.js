'use strict';
/*
 * Turns running totals into rates: calls and busy time of a replica set over the last second. In: its replicas, looked at each tick. Out:
 * figures per second.
 */
const { STUCK_MS } = require('./free');
const { Math, setImmediate } = require('../engine');

/** @typedef {import('./replica').Replica} Replica */
/**
 * @typedef {{at: number, ready: number, waiting: number, calls: number, served: number, servedMs: number, busyMs: number, nearMs: number,
 *   activeMs: number, waitedMs: number, longestMs: number, longMs: number}} Note ready: replicas; waiting: calls in them, and for one;
 *   served: calls reported, which took servedMs; nearMs: part of busyMs on this machine; waitedMs: part of activeMs spent waiting for a
 *   core; longMs: part of busyMs in long calls
 */

/** A call this long delays those behind it noticeably, on the event loop as in a replica, ms. */
const LONG_CALL_MS = 50;

const SPAN_MS = 1000;
/** A span this long shows what a set does; a shorter one shows only that it does less, ms. */
const SURE_MS = 300;

/** If calls wait for replicas at this many looks in a row, some have waited all the time. */
const FEW_LOOKS = 4;
/** If replicas are busy for a smaller part of the time, calls in them wait for something else. */
const MOSTLY_BUSY = 0.7;

/** If a submission takes home this long, the next is timed too, ms. */
const HEAVY_MS = 0.5;

/** The time of a call is known after this many in a span. */
const FEW_SERVED = 8;

/** The overhead of a call is known after this many, or once so much was spent that the start alone cannot explain it. */
const FEW_CALLS = 64;
const MUCH_MS = 50;

const NO_RATES = {
  callsPerSecond: 0,
  meanMs: 0,
  busyMsPerSecond: 0,
  activeMsPerSecond: 0,
  longMsPerSecond: 0,
  nearMsPerSecond: 0,
  runDelay: 0,
};

class Gauge {
  #afterRead;
  /** @type {Note[]} oldest first */
  #notes = [];
  /** the last look before home read what replicas had answered, ms */
  #heardAt = -Infinity;
  #isToRead = false;

  /** totals of ended replicas */
  #past = { calls: 0, served: 0, busyMs: 0, nearMs: 0, activeMs: 0, waitedMs: 0, overheadMs: 0 };

  /** time of long calls that have ended; at most one for each replica and note */
  #longMs = 0;
  #submitted = 0;
  #submitMs = 0;
  #isHeavy = false;
  /**
   * @type {{calls: number, spentMs: number} | null} the first calls, made while the engine compiled their code: they say little about later
   *   ones
   */
  #cold = null;

  /** @param {(run: () => void) => unknown} [afterRead] runs something as soon as the event loop has read what came */
  constructor(afterRead = (run) => setImmediate(run).unref()) {
    this.#afterRead = afterRead;
  }

  /**
   * @returns {boolean} whether to report the time of this submission: each 64th stands for all; one after a heavy one, for itself
   */
  isTimed() {
    return (++this.#submitted & 63) === 0 || this.#submitted === 1 || this.#isHeavy;
  }

  /** @param {number} ms that a timed submission took */
  noteSubmission(ms) {
    const isAlone = this.#isHeavy || this.#submitted === 1;
    this.#isHeavy = ms > HEAVY_MS;
    this.#submitMs += isAlone ? ms : 64 * ms;
  }

  /**
   * @param {number} overheadMs home's CPU for all links so far
   * @returns {number | null} delta; null: too little was seen to tell it from the cost of a cold start
   */
  #callOverheadMs(overheadMs) {
    const spentMs = overheadMs + this.#submitMs;
    // A link costs something before there is any call: its load, its changes.
    if (this.#submitted === 0) return null;
    if (this.#submitted < FEW_CALLS && spentMs < MUCH_MS) return null;
    if (this.#submitted >= FEW_CALLS) this.#cold ??= { calls: this.#submitted, spentMs };
    const calls = this.#cold === null ? 0 : this.#submitted - this.#cold.calls;
    return this.#cold === null || calls < FEW_CALLS ? spentMs / this.#submitted : (spentMs - this.#cold.spentMs) / calls;
  }

  /**
   * What the coordinator sees.
   *
   * @param {import('./replica-set').ReplicaSet} set
   * @param {number} now ms
   * @param {[number, number]} copies
   * @param {number} [spanMs] only the last part of the second counts; a short one is enough for a set that has less to do since then
   */
  describe(set, now, copies, spanMs) {
    const { pending, overheadMs, inLong } = this.note(now, set.replicas, set);
    const { module, ready, starting, wanted, queued, startMs, lost, failure, hosts, near } = set;
    const callOverheadMs = this.#callOverheadMs(overheadMs);
    const longestMs = this.longestMs(now);
    const { meanMs, activeMsPerSecond, longMsPerSecond, nearMsPerSecond } = this.#rates(now, spanMs);
    const figures = {
      module,
      ready,
      starting,
      wanted,
      pending,
      queued,
      leastWaiting: this.#leastWaiting(now),
      ...this.read(now, spanMs),
      meanMs,
      activeMsPerSecond,
      longMsPerSecond,
      callOverheadMs,
      startMs,
      copies,
      lost,
      failure,
      longestMs,
      isBlocked: ready > 0 && inLong >= ready,
    };
    if (hosts === undefined) return figures;
    return { ...figures, hosts, ...(near !== undefined && { near: { ...near, busyMsPerSecond: nearMsPerSecond } }) };
  }

  /** @param {Replica} replica about to end */
  leave({ calls, usage, overheadMs, isFar }) {
    const { served, busyMs, activeMs, waitedMs } = usage;
    this.#past.calls += calls;
    this.#past.served += served;
    this.#past.busyMs += busyMs;
    if (!isFar) this.#past.nearMs += busyMs;
    this.#past.activeMs += activeMs;
    this.#past.waitedMs += waitedMs;
    this.#past.overheadMs += overheadMs;
  }

  /**
   * @param {number} now ms
   * @param {Replica[]} replicas
   * @param {{ready: number, queued: number}} [set] its replicas
   * @returns {{pending: number, overheadMs: number, inLong: number}} calls in the replicas now, home's CPU for all links so far, and
   *   replicas in a long call
   */
  note(now, replicas, { ready, queued } = { ready: replicas.length, queued: 0 }) {
    let { calls, served, busyMs, nearMs, activeMs, waitedMs, overheadMs } = this.#past;
    let servedMs = busyMs;
    let longestMs = 0;
    let pending = 0;
    let inLong = 0;
    const heardMs = now - this.#heard(now);
    for (const replica of replicas) {
      const stuckMs = Math.max(0, replica.stuckMs(now) - heardMs);
      calls += replica.calls;
      served += replica.usage.served;
      servedMs += replica.usage.busyMs;
      activeMs += replica.usage.activeMs;
      waitedMs += replica.usage.waitedMs;
      overheadMs += replica.overheadMs;
      pending += replica.pending;
      // A running call is reported only when it ends; until then its time so far counts.
      const ownMs = replica.usage.busyMs + Math.max(0, stuckMs - STUCK_MS);
      busyMs += ownMs;
      if (!replica.isFar) nearMs += ownMs;
      const endedMs = replica.takeLongestMs();
      if (stuckMs >= LONG_CALL_MS) inLong++;
      if (endedMs >= LONG_CALL_MS) this.#longMs += endedMs;
      longestMs = Math.max(longestMs, endedMs, stuckMs);
    }
    const waiting = pending + queued;
    this.#notes.push({
      at: now,
      ready,
      waiting,
      calls,
      served,
      servedMs,
      busyMs,
      nearMs,
      activeMs,
      waitedMs,
      longestMs,
      longMs: this.#longMs,
    });
    while (this.#notes.length > 2 && this.#notes[1].at <= now - SPAN_MS) this.#notes.shift();
    return { pending, overheadMs, inLong };
  }

  /**
   * What looks like a long call may have been answered long ago, in a turn of the event loop that has read nothing yet. What is unanswered
   * after that was open at the look before.
   *
   * @param {number} now ms @returns {number} ms, until when we know what replicas worked on
   */
  #heard(now) {
    const heardAt = this.#heardAt;
    if (!this.#isToRead) {
      this.#isToRead = true;
      this.#afterRead(() => {
        this.#isToRead = false;
        this.#heardAt = now;
      });
    }
    return heardAt;
  }

  /** @param {number} now ms @returns {number} the longest call of the last second, ms */
  longestMs(now) {
    return this.#notes.reduce((longest, note) => (note.at > now - SPAN_MS ? Math.max(longest, note.longestMs) : longest), 0);
  }

  /**
   * @param {number} now ms
   * @returns {number} the least number of calls in replicas or waiting for one, over all looks of the last second that found replicas; 0:
   *   too few looks, or they were not busy since the first
   */
  #leastWaiting(now) {
    // Before the very first call, nobody could wait.
    const looks = this.#notes.filter(({ at, ready, calls }) => at > now - SPAN_MS && ready > 0 && calls > 0);
    if (looks.length < FEW_LOOKS) return 0;
    const [first, last] = [looks[0], looks[looks.length - 1]];
    const busy = (last.busyMs - first.busyMs) / ((last.at - first.at) * last.ready);
    return busy < MOSTLY_BUSY ? 0 : Math.min(...looks.map(({ waiting }) => waiting));
  }

  /**
   * @param {number} now ms
   * @param {number} [spanMs]
   * @returns {{callsPerSecond: number, busyMsPerSecond: number, runDelay: number}} runDelay: how much of the time in which replicas were
   *   busy they waited for a core
   */
  read(now, spanMs) {
    const { callsPerSecond, busyMsPerSecond, runDelay } = this.#rates(now, spanMs);
    return { callsPerSecond, busyMsPerSecond, runDelay };
  }

  /**
   * If load has moved to another module, or replicas have begun or ended, the whole second would mix both.
   *
   * @param {number} now ms
   * @param {number} [spanMs]
   */
  #rates(now, spanMs = SPAN_MS) {
    const whole = this.#ratesSince(this.#notes[0], now);
    if (spanMs >= SPAN_MS) return whole;
    const late = this.#ratesSince(
      this.#notes.findLast(({ at }) => at <= now - spanMs),
      now,
    );
    return spanMs >= SURE_MS || late.busyMsPerSecond < whole.busyMsPerSecond ? late : whole;
  }

  /** @param {Note | undefined} first @param {number} now ms */
  #ratesSince(first, now) {
    const last = this.#notes[this.#notes.length - 1];
    if (first === undefined || last.at === first.at) return NO_RATES;
    const seconds = secondsOf(first, now);
    const activeMs = last.activeMs - first.activeMs;
    return {
      callsPerSecond: (last.calls - first.calls) / seconds,
      // Calls are reported later than they are sent: the calls reported in a span are not those sent in it.
      meanMs: last.served - first.served < FEW_SERVED ? 0 : (last.servedMs - first.servedMs) / (last.served - first.served),
      busyMsPerSecond: Math.max(0, last.busyMs - first.busyMs) / seconds,
      activeMsPerSecond: activeMs / seconds,
      longMsPerSecond: (last.longMs - first.longMs) / seconds,
      nearMsPerSecond: Math.max(0, last.nearMs - first.nearMs) / seconds,
      // The two come from two clocks, and the system moves one of them in steps.
      runDelay: activeMs <= 0 ? 0 : Math.min(1, (last.waitedMs - first.waitedMs) / activeMs),
    };
  }
}

/** @param {{at: number}} first @param {number} now ms */
const secondsOf = (first, now) => Math.max(now - first.at, SPAN_MS / 4) / 1000;

exports.LONG_CALL_MS = LONG_CALL_MS;
exports.Gauge = Gauge;
