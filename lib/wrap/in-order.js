'use strict';
/*
 * Keeps calls of one function in order (`order` of a recipe). In: a call that may leave, made after others. Out: what its caller gets,
 * released in its turn, wherever each call runs: in a replica, at home, or again after a loss. With nothing before it, a call at home runs
 * as it would without Ignis.
 */
const { AsyncResource } = require('node:async_hooks');
const { types } = require('node:util');
const { standIn } = require('../session/stand-in');
const { jobOf } = require('../spawn/order');
const { sendHome } = require('../spawn/rerun');
const { SLOT } = require('../profile/meter');
const { callAtHome } = require('./at-home');
const { refused } = require('./mode');

const { Promise, nextTick, performance } = require('../engine');

/** @typedef {import('../session/call').Call} Call */
/** @typedef {import('../session/call').CallPlan} CallPlan */
/** @typedef {import('../spawn/order').Job} Job */

/**
 * @typedef {object} Hooks into the function's route
 * @property {(plan: CallPlan, self: any, args: any[]) => Call | null} make null: the call cannot be sent, and may run at home
 * @property {(begun: number, hasFailed: boolean) => void} ended
 * @property {(error: any) => boolean} mustStay
 */

class InOrder {
  #point;
  #set;
  #hooks;
  #order;
  #isOneByOne;

  /**
   * @param {import('./point').FunctionPoint} point
   * @param {import('../spawn/replica-set').ReplicaSet} set
   * @param {Hooks} hooks
   */
  constructor(point, set, hooks) {
    this.#point = point;
    this.#set = set;
    this.#hooks = hooks;
    this.#isOneByOne = point.recipe.order === true;
    this.#order = this.#isOneByOne ? set.order.begin : set.order.settle;
  }

  /** @param {CallPlan} plan @param {any} self @param {any[]} args @returns {any} */
  divert(plan, self, args) {
    if (this.#order.isIdle && !this.#set.isOpen) return this.#here(plan, self, args);
    return plan.mode === 'callback' ? this.#sendWithCallback(plan, self, args) : this.#send(plan, self, args);
  }

  /** Runs at home; it is the first in the order until it has settled. @param {CallPlan} plan @param {any} self @param {any[]} args */
  #here(plan, self, args) {
    const job = jobOf(this.#set.journal.length, null, null);
    if (plan.mode === 'callback') {
      this.#order.join(job);
      try {
        return callAtHome(this.#point, self, [...args.slice(0, -1), this.#tracked(job, args[args.length - 1], () => {})]);
      } catch (error) {
        this.#order.settle(job, () => {});
        throw error;
      }
    }
    const result = callAtHome(this.#point, self, args);
    if (!types.isPromise(result)) return result;
    this.#point.meter.seeKind('promise');
    // A call made within it may have joined the order before it. Then this one is not the first, and nothing waits for it.
    if (!this.#order.isIdle) return result;
    this.#order.join(job);
    return new Promise((resolve, reject) => {
      result.then(
        (value) => this.#order.settle(job, () => resolve(value)),
        (error) => this.#order.settle(job, () => reject(error)),
      );
    });
  }

  /** @param {CallPlan} plan @param {any} self @param {any[]} args */
  #send(plan, self, args) {
    /** @type {Call | null} */
    let call;
    try {
      call = this.#make(plan, self, args);
    } catch (error) {
      return refused(plan, error);
    }
    const begun = performance.now();
    this.#point.meter.slots[SLOT.pending]++;
    return new Promise((resolve, reject) => {
      const end = (/** @type {boolean} */ hasFailed, /** @type {() => void} */ release) => {
        this.#hooks.ended(begun, hasFailed);
        this.#order.settle(job, release);
      };
      const fail = (/** @type {any} */ error) => end(true, () => reject(error));
      const succeed = (/** @type {any} */ value) => {
        if (types.isPromise(value)) value.then((settled) => end(false, () => resolve(settled)), fail);
        else end(false, () => resolve(value));
      };
      const here = () => attempt(() => succeed(plan.runAtHome(self, args)), fail);
      const job = jobOf(call?.mark ?? 0, call === null ? here : () => this.#begin(call), this.#follow(plan));
      if (call !== null) call.resolve = succeed;
      if (call !== null) this.#mayComeHome(call, fail);
      this.#order.join(job);
    });
  }

  /** @param {CallPlan} plan @param {any} self @param {any[]} args */
  #sendWithCallback(plan, self, args) {
    const callback = args[args.length - 1];
    const begun = performance.now();
    /** @type {Call | null} */
    let call = null;
    const job = jobOf(this.#set.journal.length, () => (call === null ? here() : this.#begin(call)), null);
    // The holder of the callback may keep it long after the answer.
    /** @type {{self: any, before: any[]} | null} */
    let given = { self, before: args.slice(0, -1) };
    const tracked = this.#tracked(job, callback, (/** @type {any} */ first) => {
      given = null;
      call?.finish(first);
      this.#hooks.ended(begun, first instanceof Error);
    });
    const fail = (/** @type {any} */ error) => tracked(error);
    const here = () => attempt(() => given && plan.runAtHome(given.self, [...given.before, tracked]), fail);
    const enter = (/** @type {any} */ receiver, /** @type {ArrayLike<any>} */ results) =>
      call?.isLate ? call.release?.() : Reflect.apply(tracked, receiver, results);
    call = this.#make(plan, self, [...given.before, standIn({ enter }, callback)]);
    if (call !== null) this.#mayComeHome(call, fail);
    this.#point.meter.slots[SLOT.pending]++;
    this.#order.join(job);
    return undefined;
  }

  /**
   * @param {Job} job
   * @param {Function} callback runs in its turn; several calls of it keep their order
   * @param {(first: any) => void} onFirst
   */
  #tracked(job, callback, onFirst) {
    const order = this.#order;
    // The call before it may release it.
    const context = new AsyncResource('IGNIS_CALLBACK');
    const enter = (/** @type {any} */ receiver, /** @type {ArrayLike<any>} */ results) => {
      const run = () => attempt(() => context.runInAsyncScope(() => Reflect.apply(callback, receiver, results)), throwLater);
      if (job.isReleased) return run();
      if (job.release !== null) {
        const { release } = job;
        job.release = () => {
          release();
          run();
        };
        return;
      }
      onFirst(results[0]);
      order.settle(job, run);
    };
    return standIn({ enter }, callback);
  }

  /** @param {Call} call @param {(error: any) => void} fail */
  #mayComeHome(call, fail) {
    call.reject = (error) => {
      if (!this.#hooks.mustStay(error)) return fail(error);
      call.reject = fail;
      call.comeHome();
    };
  }

  /** @param {CallPlan} plan @param {any} self @param {any[]} args @returns {Call | null} null: the call runs at home */
  #make(plan, self, args) {
    try {
      return this.#hooks.make(plan, self, args);
    } catch (error) {
      if (this.#set.isOpen) throw error;
      return null;
    }
  }

  /** Calls behind it begin when it has settled, so an error thrown here must settle it. @param {Call} call */
  #begin(call) {
    attempt(
      () => {
        const { isStateful, isAway, journal } = this.#set;
        if (this.#set.submit(call, performance.now())) return;
        // The state of the module, or what cannot be repeated, is here: no replica could be as the module was when the call was made.
        if (!isAway && (isStateful || journal.isBeyond(call.mark))) call.runAtHome();
        else sendHome(call, this.#set);
      },
      (error) => call.fail(error),
    );
  }

  /**
   * A call that is repeated automatically must not have been overtaken.
   * @param {CallPlan} plan
   * @returns {import('../spawn/order').Follow | null}
   */
  #follow({ mode, canRerun, isPure }) {
    return this.#isOneByOne && mode !== 'callback' && (!canRerun || isPure === true) ? { place: () => this.#set.onlyPlace } : null;
  }
}

/** @param {() => void} run @param {(error: any) => void} fail */
function attempt(run, fail) {
  try {
    run();
  } catch (error) {
    fail(error);
  }
}

/** @param {any} error */
function throwLater(error) {
  nextTick(() => {
    throw error;
  });
}

exports.InOrder = InOrder;
