'use strict';
/*
 * Which replica of a set takes a call, and which leaves first. In: calls and the replicas that are ready. Out: one of them, or null when the call must wait.
 * It knows what the recipe says of it: `sched`, and `state: 'keyed'`, where a call goes to the state of its key and nowhere else.
 */
const { makeChoose } = require('./balance');
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
  /** calls behind a long one may be sent elsewhere too */
  canHedge;

  /**
   * @param {string | Function} sched
   * @param {string} state
   */
  constructor(sched, state) {
    this.#sched = sched;
    this.#choose = makeChoose(/** @type {any} */ (sched));
    this.#keys = state === 'keyed' ? new Keys() : null;
    // Where the recipe says which replica takes a call, another would be the wrong one.
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

  /** @param {Replica[]} ready @param {Call} call @param {number} now ms @returns {Replica | null} null: it waits */
  pick(ready, call, now) {
    if (this.#keys !== null) return this.#keys.pick(call.key, ready);
    const companion = this.#sched === 'least' ? this.#burst.companion(call.burst) : null;
    return companion ?? this.#choose(ready, call, now, this.#turn++);
  }

  /** @param {Replica} replica @param {Call} call that goes there */
  note(replica, call) {
    this.#burst.note(replica, call.burst);
  }

  /**
   * @param {Replica[]} ready one of them is taken out: the newest, of those without the state of a key where there is one
   * @returns {Replica}
   */
  takeLast(ready) {
    const at = this.#keys === null ? -1 : ready.findLastIndex((replica) => !this.#keys?.has(replica));
    return ready.splice(at, 1)[0];
  }

  /** @param {Replica} replica that has ended */
  forget(replica) {
    this.#keys?.forget(replica);
  }
}

exports.Placing = Placing;
