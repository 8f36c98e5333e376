'use strict';
/*
 * How a replica tells home how busy it is. In: calls as they return, and Node's own account of the event loop. Out: reports, at most one in
 * 50 ms (in 2 ms while answers wait for something outside the event loop) while there are calls or other work, and a last one when it is
 * quiet, so that home does not keep an old figure. A call costs no more than three sums. No call is seen to do what a function does after
 * an `await`, or before it calls back: while such calls are open, it is what the event loop did besides the calls. At home, too, that
 * counts as the module's (profile/later.js).
 */
const { Math, performance, setImmediate, setTimeout } = require('../engine');
const { KIND } = require('../wire/frame');
const { ThreadTime, waitedBetween } = require('./thread-time');

const EVERY_MS = 50;
/** Calls that wait for something outside the event loop leave it free for others: home hears of them after this, ms. */
const SOON_MS = 2;
/** If the loop is busy for less than this part of the time, it does nothing but report. */
const QUIET = 0.05;
/** What the event loop does for a call or a report apart from the module's work: a generous estimate, ms. */
const OWN_CALL_MS = 0.1;
const OWN_REPORT_MS = 0.5;

/**
 * @typedef {object} Usage since the last report
 * @property {number} calls served
 * @property {number} busyMs in module code, also after a call has returned without its answer
 * @property {number} longestMs of one call
 * @property {number} activeMs in which the event loop worked: includes what calls left to be done later
 * @property {number} idleMs in which it did nothing
 * @property {number} waitedMs the part of activeMs in which it waited for a core
 */

class UsageReport {
  #calls = 0;
  #busyMs = 0;
  #longestMs = 0;
  #toldAt = 0;
  #loop = performance.eventLoopUtilization();
  #lingeredMs = 0;
  #thread = new ThreadTime();
  #times = this.#thread.read();
  /** @type {NodeJS.Timeout | null} */
  #timer = null;
  #isSoon = false;
  #mayCallBack = false;
  /** calls returned without answers, and some may not have them yet */
  #hasLater = false;
  /** ... with callbacks among them: nobody knows when they call back, so only a quiet loop tells */
  #hasCallbacks = false;
  /** promises of calls that are still to settle */
  open = 0;

  /** What came before, the start and the load of the module, is not reported. */
  begin() {
    this.#loop = performance.eventLoopUtilization();
    this.#times = this.#thread.read();
  }

  /** @param {import('./peer').Peer} peer @param {number} tookMs @param {number} now ms */
  count(peer, tookMs, now) {
    this.#calls += 1;
    this.#busyMs += tookMs;
    if (tookMs > this.#longestMs) this.#longestMs = tookMs;
    if (now - this.#toldAt >= EVERY_MS) this.#tell(peer, now);
    if (this.#timer === null) this.#timer = this.#later(peer);
  }

  /**
   * A call has returned without its answer. If it still waits a little later, home is told what was served so far: there is room for more.
   *
   * @param {import('./peer').Peer} peer
   * @param {boolean} isPromise it counts in `open` until it settles; for a callback, nobody knows when it is called
   */
  leaveOpen(peer, isPromise) {
    if (isPromise) this.open += 1;
    this.#mayCallBack ||= !isPromise;
    this.#hasLater = true;
    this.#hasCallbacks ||= !isPromise;
    if (this.#isSoon) return;
    this.#isSoon = true;
    const tell = () => this.#tellOpen(peer);
    if (performance.now() - this.#toldAt >= SOON_MS) setImmediate(tell);
    else setTimeout(tell, SOON_MS).unref();
  }

  /** @param {import('./peer').Peer} peer */
  #tellOpen(peer) {
    const isOpen = this.open > 0 || this.#mayCallBack;
    this.#isSoon = this.#mayCallBack = false;
    if (isOpen && this.#calls > 0 && peer.channel.state === 'open') this.#tell(peer, performance.now());
  }

  /** @param {import('./peer').Peer} peer @param {number} now ms @returns {number} how busy the loop was, 0 to 1 */
  #tell(peer, now) {
    const { active, idle } = performance.eventLoopUtilization();
    const { lingeredMs } = peer.channel;
    const lingered = lingeredMs - this.#lingeredMs;
    const activeMs = Math.max(0, active - this.#loop.active - lingered);
    const idleMs = Math.max(0, idle - this.#loop.idle + lingered);
    const times = this.#thread.read();
    const waitedMs = waitedBetween(this.#times, times, activeMs + lingered);
    const busyMs = this.#busyMs + this.#laterMs(activeMs, activeMs + idleMs);
    peer.usage({ calls: this.#calls, busyMs, longestMs: this.#longestMs, activeMs, idleMs, waitedMs });
    this.#calls = this.#busyMs = this.#longestMs = 0;
    this.#toldAt = now;
    this.#times = times;
    this.#lingeredMs = lingeredMs;
    this.#loop = { active, idle, utilization: 0 };
    return activeMs / Math.max(1, activeMs + idleMs);
  }

  /** @param {number} activeMs @param {number} spanMs @returns {number} how much of it calls did after they had returned, ms */
  #laterMs(activeMs, spanMs) {
    if (!this.#hasLater) return 0;
    this.#hasCallbacks &&= activeMs > QUIET * spanMs;
    this.#hasLater = this.open > 0 || this.#hasCallbacks;
    const laterMs = activeMs - this.#busyMs - OWN_CALL_MS * this.#calls - OWN_REPORT_MS;
    return laterMs > QUIET * spanMs ? laterMs : 0;
  }

  /** @param {import('./peer').Peer} peer */
  #later(peer) {
    return setTimeout(() => {
      const hasServed = this.#calls > 0;
      this.#timer = null;
      if (peer.channel.state !== 'open') return;
      const utilisation = this.#tell(peer, performance.now());
      if (hasServed || utilisation > QUIET) this.#timer = this.#later(peer);
    }, EVERY_MS).unref();
  }
}

/** @param {Usage} usage @returns {any[]} */
function frameOf({ calls, busyMs, longestMs, activeMs, idleMs, waitedMs }) {
  return [KIND.USAGE, calls, busyMs, longestMs, activeMs, idleMs, waitedMs];
}

/** @param {any[]} frame that was checked @returns {Usage} */
function usageOf([, calls, busyMs, longestMs, activeMs, idleMs, waitedMs]) {
  return { calls, busyMs, longestMs, activeMs, idleMs, waitedMs };
}

exports.frameOf = frameOf;
exports.usageOf = usageOf;
exports.UsageReport = UsageReport;
