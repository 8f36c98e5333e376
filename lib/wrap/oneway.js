'use strict';
/*
 * Makes calls whose callers do not want to know what becomes of them (`oneway` of a recipe). In: a call, as its point met it; the replica
 * set of its module, or none. Out: undefined, at once. The function runs later, never within the call: in a replica, or at home in its turn
 * (home-turns.js), in both cases with a copy of the arguments as they were. Nobody gets what it throws: errors are counted, published, and
 * warned of once a function.
 */
const { types } = require('node:util');
const { publish } = require('../diagnostics');
const { IgnisError } = require('../errors');
const { SLOT } = require('../profile/meter');
const { Call } = require('../session/call');
const { callAtHome } = require('./at-home');
const { isEnding, takeTurn } = require('./home-turns');
const { ENDING, stayWithState, submit } = require('./leaving');
const { NOT_DIVERTED } = require('./not-diverted');
const { keyOf, pathOf } = require('./state');

const { JSON, Promise, inWords, performance } = require('../engine');

/** @typedef {import('./point').FunctionPoint} FunctionPoint */
/** @typedef {import('../session/call').CallPlan} CallPlan */
/** @typedef {import('../spawn/replica-set').ReplicaSet} ReplicaSet */

class Oneway {
  #point;
  #set;
  #needsState;
  /** a function behind a symbol has no name on the wire */
  #hasName;
  /** deletions on the exports are checked before each call */
  #isWary;
  /** @type {CallPlan | null} */
  #plan = null;

  /**
   * @param {FunctionPoint} point
   * @param {ReplicaSet | null} set null: all calls run at home
   */
  constructor(point, set) {
    this.#point = point;
    this.#set = set;
    const { recipe, boundary } = point;
    this.#hasName = pathOf(point.path) !== null;
    this.#needsState = set !== null && set.isStateful && recipe.pure !== true;
    this.#isWary = set !== null && recipe.pure !== true && (set.isStateful || boundary.recipe.setup?.length > 0);
    this.divert = this.divert.bind(this);
  }

  /**
   * @param {any} self
   * @param {any[]} args
   * @param {Function | undefined} newTarget
   * @returns {any} undefined, or NOT_DIVERTED if it makes an object
   * @throws {IgnisError} IGNIS_UNMARSHALABLE, IGNIS_REFUSED, IGNIS_QUEUE_FULL when the call can neither leave nor run at home
   */
  divert(self, args, newTarget) {
    if (newTarget !== undefined) return this.#stay('it makes objects, which stay where they were made');
    if (this.#isWary) this.#point.boundary.reconcileForCall();
    const isHome = this.#isHome(self);
    const call = this.#make(self, args, isHome);
    const begun = performance.now();
    if (call !== null) this.#follow(call, begun);
    if (call !== null && !isHome && submit(this.#point, /** @type {ReplicaSet} */ (this.#set), call, begun)) return undefined;
    if (!isHome) this.#stay(call === null ? 'it was given a function' : '');
    this.#point.meter.slots[SLOT.pending]++;
    if (call !== null) takeTurn(() => call.runAtHome());
    else takeTurn(() => this.#settle(this.#runAtHome(self, args), begun));
    return undefined;
  }

  /** Whether only home can run it. @param {any} self @throws {IgnisError} IGNIS_REFUSED when it must not run at home */
  #isHome(self) {
    if (this.#set === null) return true;
    if (!this.#point.isItself(self)) return this.#stay('it was called on another object') === NOT_DIVERTED;
    if (!this.#hasName) return this.#stay('it has no name') === NOT_DIVERTED;
    if (isEnding() && !this.#set.isAway) return this.#stay(ENDING) === NOT_DIVERTED;
    return this.#needsState && !this.#set.isOpen && this.#stay('the replica that had its state is gone') === NOT_DIVERTED;
  }

  /** @param {string} why */
  #stay(why) {
    return this.#needsState && this.#set !== null ? stayWithState(this.#point, this.#set, why) : NOT_DIVERTED;
  }

  /**
   * @param {any} self
   * @param {any[]} args
   * @param {boolean} isHome whether it will run at home
   * @returns {Call | null} null: it cannot be copied, and runs at home with its arguments as they are
   */
  #make(self, args, isHome) {
    try {
      const call = new Call((this.#plan ??= this.#makePlan()), self, args);
      // A function is passed to be called for its result, or later: a replica gets neither from home.
      if (call.lends) return null;
      if (this.#set !== null) {
        call.mark = this.#set.journal.length;
        if (this.#set.state === 'keyed' && !isHome) call.key = keyOf(call.plan, args, this.#set.module);
      }
      return call;
    } catch (error) {
      if (isHome || !this.#needsState) return null;
      throw error;
    }
  }

  /** @param {Call} call @param {number} begun ms */
  #follow(call, begun) {
    call.resolve = (running) => this.#settle(running, begun);
    call.reject = (error) => {
      if (this.#mayStay(error)) {
        return takeTurn(() => call.comeHome());
      }
      this.#point.meter.slots[SLOT.failures]++;
      this.#failed(error);
      this.#settle(undefined, begun);
    };
  }

  /** @param {Promise<void> | undefined} running what has yet to end; never rejects @param {number} begun ms */
  #settle(running, begun) {
    const end = () => this.#point.meter.complete(performance.now() - begun);
    if (types.isPromise(running)) void running.then(end);
    else end();
  }

  /** Whether the call is too large to leave, and may run anywhere. @param {any} error */
  #mayStay(error) {
    const { pure, idempotent } = this.#point.recipe;
    return (
      error instanceof IgnisError && error.code === 'IGNIS_FRAME_TOO_LARGE' && !this.#needsState && (pure === true || idempotent === true)
    );
  }

  /** @param {any} self @param {any[]} args @returns {Promise<void> | undefined} what has yet to end; never throws or rejects */
  #runAtHome(self, args) {
    try {
      const result = callAtHome(this.#point, self, args);
      if (typeof result?.then !== 'function') return undefined;
      return Promise.resolve(result).then(
        () => {},
        (error) => {
          this.#point.meter.slots[SLOT.failures]++;
          this.#failed(error);
        },
      );
    } catch (error) {
      // As a failure it was already counted where it ran.
      this.#failed(error);
      return undefined;
    }
  }

  /** @param {any} error of a call */
  #failed(error) {
    const { meter, name, boundary } = this.#point;
    const isLost = error instanceof IgnisError && (error.code === 'IGNIS_REPLICA_LOST' || error.code === 'IGNIS_DATAGRAM_LOST');
    const known = /** @type {import('../profile/meter').OnewayCalls} */ (meter.oneway);
    if (isLost) known.lost += 1;
    const module = boundary.child.name;
    publish('ignis:oneway', { module, function: name, isLost, error });
    if (known.isTold) return;
    known.isTold = true;
    const told = `a oneway call of '${name}' of ${module} failed, and nobody waits for it; further failures are only counted`;
    process.emitWarning(told, { type: 'IgnisWarning', code: 'IGNIS_ONEWAY', detail: inWords(error) });
  }

  /** @returns {CallPlan} */
  #makePlan() {
    const { recipe, boundary, path } = this.#point;
    const names = path.map(String);
    const canRerun = recipe.pure === true || recipe.idempotent === true;
    const wirePath = this.#set === null ? names : this.#set.targets.pathIn(boundary.child.name, names);
    return {
      key: `${JSON.stringify(wirePath)} oneway`,
      path: names,
      wirePath,
      mode: 'oneway',
      isPure: recipe.pure === true,
      canRerun,
      retry: recipe.retry,
      hedgeMs: Infinity,
      priority: recipe.priority,
      affinity: recipe.key ?? null,
      module: boundary.child.name,
      timeoutMs: recipe.timeout,
      killMs: recipe.killMs,
      pool: this.#set === null ? null : this.#set.pool,
      runAtHome: (self, args) => this.#runAtHome(self, args),
    };
  }
}

exports.Oneway = Oneway;
