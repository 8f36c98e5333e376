'use strict';
/*
 * The replicas of a set, by their standing. In: replicas as they come, leave and break. Out: those that are ready, in the order they came,
 * and the others. It changes nothing in a replica, except that all share their caution after long calls, and that those on a host that is
 * being stopped are told to end.
 *
 *      enter() --> ready --dismiss()--> leaving --remove()--> gone
 *                     \----break()-----> broken ---remove()----/
 */

const { Map, Set, performance } = require('../engine');

/** @typedef {import('./replica').Replica} Replica */

/** How many functions the replicas of a module may hold: each keeps alive all that it can reach at home. */
const MOST_LENT = 1_000_000;
/** The longest that a timer takes. */
const MOST_MS = 2 ** 31 - 1;
const STOPPED = 'its host is being stopped';
/** This many may wait for calls that take long. */
const MOST_LEAVING = 4;

class Members {
  #wary = { until: 0 };
  /** @type {Replica[]} */
  ready = [];
  /**
   * @type {Map<Replica, {why: string, restsFrom: number, isHurried: boolean}>} draining: no more calls; restsFrom: when it ends if nothing
   *   goes on in it, ms (timers that keep no process alive may be set); isHurried: its calls have at most `closeMs`
   */
  leaving = new Map();
  /** @type {Set<Replica>} wanted, but their links have ended: no more calls */
  broken = new Set();

  /** @returns {Replica[]} */
  get all() {
    return [...this.ready, ...this.leaving.keys(), ...this.broken];
  }

  /** Functions of home that the ready ones hold. */
  get lent() {
    return this.ready.reduce((sum, replica) => sum + replica.lent, 0);
  }

  /** Calls in the ready ones. */
  get pending() {
    let pending = 0;
    for (const replica of this.ready) pending += replica.pending;
    return pending;
  }

  /**
   * @param {number} now ms
   * @returns {number | null} the only replica, if it has room; null if there are more, or others still have calls
   */
  only(now) {
    if (this.ready.length !== 1 || this.others > 0) return null;
    return this.ready[0].hasRoom(now) ? this.ready[0].id : null;
  }

  /** How many are wanted, broken or not. */
  get serving() {
    return this.ready.length + this.broken.size;
  }

  /** How many take no more calls. */
  get others() {
    return this.leaving.size + this.broken.size;
  }

  /** @param {Replica} replica that is ready; a long call in the others makes it cautious, too */
  enter(replica) {
    replica.pace.wary = this.#wary;
    this.ready.push(replica);
  }

  /** @param {Replica} replica @param {string} why @param {number} closeMs see Replica.drain */
  #leave(replica, why, closeMs) {
    const at = this.ready.indexOf(replica);
    if (at >= 0) this.ready.splice(at, 1);
    this.leaving.set(replica, { why, restsFrom: performance.now() + closeMs, isHurried: false });
    void replica.drain(MOST_MS, why, closeMs);
  }

  /**
   * It is no longer wanted. That is no reason to fail its calls: they may take as long as they need.
   *
   * @param {Replica} replica @param {number} closeMs for replicas inside it; and, if too many leave, for the calls of those that left first
   * @param {string} why
   */
  dismiss(replica, closeMs, why) {
    this.#leave(replica, why, closeMs);
    let tooMany = this.leaving.size - MOST_LEAVING;
    for (const [one, its] of this.leaving) {
      if (tooMany-- <= 0) return;
      if (its.isHurried) continue;
      its.isHurried = true;
      void one.drain(closeMs, its.why);
    }
  }

  /** @param {number} now ms */
  askForRest(now) {
    for (const replica of this.ready) replica.askForRest(now, false);
    for (const [replica, { restsFrom }] of this.leaving) replica.askForRest(now, now >= restsFrom);
  }

  /** @param {Replica} replica whose link has ended @returns {boolean} whether it was ready */
  break(replica) {
    if (!this.ready.includes(replica)) return false;
    this.ready = this.ready.filter((other) => other !== replica);
    this.broken.add(replica);
    return true;
  }

  /**
   * It gets no more calls, since its host is being stopped; the host gives its calls as long as it was told to.
   *
   * @param {Replica} replica
   * @param {boolean} isLoss its module's state ends with it: it stays wanted until then
   * @returns {boolean} whether it was ready
   */
  giveBack(replica, isLoss) {
    if (!this.ready.includes(replica)) return false;
    if (!isLoss) this.#leave(replica, STOPPED, MOST_MS);
    else if (this.break(replica)) void replica.drain(MOST_MS, STOPPED);
    return true;
  }

  /** Limits the time for the last calls of those that leave. @param {number} ms @param {string} why */
  hurry(ms, why) {
    for (const replica of this.all) if (replica.state === 'draining') void replica.drain(ms, why);
    if (ms < MOST_MS) for (const one of this.leaving.values()) one.restsFrom = 0;
  }

  /** @param {Replica} replica that has ended @returns {boolean} whether it was wanted */
  remove(replica) {
    this.leaving.delete(replica);
    return this.broken.delete(replica);
  }
}

exports.MOST_LENT = MOST_LENT;
exports.MOST_MS = MOST_MS;
exports.STOPPED = STOPPED;
exports.Members = Members;
