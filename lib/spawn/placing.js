'use strict';
/*
 * Which replica of a set takes a call, and which leaves first. In: calls, and the replicas that are ready. Out: one of them, or null if the
 * call must wait. It follows the recipe: `sched`, and `state: 'keyed'`, with which a call goes to the state of its key and nowhere else.
 */
const { makeChoose } = require('./balance');
const { soonest } = require('./by-measure');
const { Burst } = require('./burst');
const { Keys } = require('./keys');

/** @typedef {import('./replica').Replica} Replica */
/** @typedef {import('../session/call').Call} Call */

class Placing {
  #sched;
  #choose;
  #turn = 0;
  #burst = new Burst();
  /** @type {Keys | null} */
  #keys;
  /** calls behind a long one may be sent elsewhere, too */
  canHedge;

  /**
   * @param {string | Function} sched
   * @param {string} state
   * @param {boolean} [isBoth] some replicas may be on other hosts, others here: counting calls says little then
   */
  constructor(sched, state, isBoth = false) {
    this.#sched = sched;
    this.#choose = isBoth && sched === 'least' ? soonest : makeChoose(/** @type {any} */ (sched));
    this.#keys = state === 'keyed' ? new Keys() : null;
    // If the recipe says which replica takes a call, any other would be wrong.
    this.canHedge = sched !== 'hash' && typeof sched !== 'function' && state !== 'keyed' && state !== 'shared';
  }

  /** Replicas that have the state of some key. */
  get held() {
    return this.#keys === null ? 0 : this.#keys.replicas;
  }

  /** @param {Call} call that was just made */
  meet(call) {
    call.burst = this.#burst.current();
  }

  /**
   * @param {Replica[]} ready
   * @param {Call} call
   * @param {number} now ms
   * @param {number} queued calls that wait
   * @returns {Replica | null} null: it waits, or has failed because the recipe's own function threw
   */
  pick(ready, call, now, queued) {
    if (this.#keys !== null) return this.#keys.pick(call.key, ready);
    if (call.plan.hasTurns && ready.length > 1) {
      const before = holderOfTurns(ready);
      if (before !== undefined) return before.hasRoom(now) ? before : null;
    }
    const companion = this.#sched === 'least' ? this.#burst.companion(call.burst) : null;
    if (companion !== null) return companion;
    try {
      return this.#choose(ready, call, now, this.#turn++, queued);
    } catch (error) {
      // We may be in a turn that belongs to another call, or to a replica's frame: the error must not end up there.
      call.fail(error);
      return null;
    }
  }

  /**
   * A call that is sent a second time (`hedge`) goes to no replica that has it.
   *
   * @param {Replica} picked @param {Replica[]} ready @param {Call} call @param {number} now ms
   * @returns {Replica | null} null: only replicas that have it take calls now
   */
  without(picked, ready, call, now) {
    const has = (/** @type {Replica} */ replica) => replica.outstanding().includes(call);
    if (call.held === 0 || !has(picked)) return picked;
    return this.#choose(
      ready.filter((replica) => !has(replica)),
      call,
      now,
      this.#turn++,
      0,
    );
  }

  /** @param {Replica} replica @param {Call} call that goes there */
  note(replica, call) {
    this.#burst.note(replica, call.burst);
  }

  /**
   * @param {Replica[]} ready one is taken out of it: if there are any without keyed state, one of these; the newest on a host first, else
   *   the newest
   * @returns {Replica}
   */
  takeLast(ready) {
    const isLoose = (/** @type {Replica} */ replica) => !this.#keys?.has(replica);
    const far = ready.findLastIndex((replica) => replica.isFar && isLoose(replica));
    return ready.splice(far >= 0 ? far : ready.findLastIndex(isLoose), 1)[0];
  }

  /**
   * @param {Replica} replica that became ready and is one too many
   * @param {Replica[]} ready
   * @returns {Replica} the one that leaves: a host's replica rather than one of this machine, else the new one
   */
  leavesFor(replica, ready) {
    return (replica.isFar ? undefined : ready.findLast((one) => one.isFar && !this.#keys?.has(one))) ?? replica;
  }

  /** @param {Replica} replica that has ended */
  forget(replica) {
    this.#keys?.forget(replica);
    this.#burst.forget(replica);
  }
}

/**
 * Calls that begin one after another share one replica; those that run again come all at once.
 *
 * @param {Replica[]} ready
 * @returns {Replica | undefined} one that has some
 */
function holderOfTurns(ready) {
  return ready.find((replica) => replica.pending > 0 && replica.outstanding().some(({ plan }) => plan.hasTurns));
}

exports.Placing = Placing;
