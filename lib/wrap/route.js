'use strict';
/*
 * What a call becomes when its module is distributed (DESIGN.md section 6). In: a boundary whose recipe consents, and the replica set of its
 * module. Out: a `divert` for each of its functions: remote where that cannot change what the caller sees, at home otherwise. Whatever
 * cannot be sent runs at home if the module keeps no state, else its caller gets the error with the path of the value.
 */
const { IgnisError } = require('../errors');
const { Call } = require('../session/call');
const { SLOT } = require('../profile/meter');
const { NOT_DIVERTED } = require('./not-diverted');

/** @typedef {import('./boundary').FunctionPoint} FunctionPoint */
/** @typedef {import('../session/call').CallPlan} CallPlan */

/**
 * @param {string} kind as the meter saw the function
 * @param {Record<string, any>} recipe of the function
 * @returns {{mode: CallPlan['mode'] | 'local', why: string}} the way a call takes, and the reason in words
 */
function modeOf(kind, recipe) {
  if (recipe.call === 'local') return { mode: 'local', why: "its recipe says call: 'local'" };
  switch (kind) {
    case 'promise':
      return { mode: 'promise', why: 'it returns promises' };
    case 'callback':
      return { mode: 'callback', why: 'it calls back later' };
    case 'sync-callback':
      return { mode: 'local', why: 'it calls back before it returns' };
    case 'constructor':
      return { mode: 'local', why: 'it makes objects, which stay where they were made' };
    case 'property':
      return { mode: 'local', why: 'it is a property' };
  }
  if (recipe.call === 'await') return { mode: 'await', why: "synchronous, with the recipe call: 'await'" };
  if (kind === 'unknown') return { mode: 'local', why: 'it was not called yet' };
  return { mode: 'local', why: "synchronous; call: 'await' would let it move" };
}

/** @param {Record<string, any>} recipe */
const isStateless = (recipe) => recipe.pure === true || recipe.state === 'none';

/** One function's way to the replicas. */
class Route {
  #point;
  #set;
  /** @type {CallPlan | null} */
  #plan = null;
  #kind = '';
  /** results that cannot be sent: from then on at home */
  #isLocal = false;

  /**
   * @param {FunctionPoint} point
   * @param {import('../spawn/replica-set').ReplicaSet} set
   */
  constructor(point, set) {
    this.#point = point;
    this.#set = set;
    this.divert = this.divert.bind(this);
  }

  /**
   * @param {any} self
   * @param {any[]} args
   * @param {Function | undefined} newTarget
   * @returns {any} what the caller gets, or NOT_DIVERTED when the call is home's
   */
  divert(self, args, newTarget) {
    const plan = this.#planned();
    if (plan === null || newTarget !== undefined) return NOT_DIVERTED;
    // A synchronous function calls its callbacks before it returns, which a replica cannot.
    if (plan.mode === 'await' && args.some((arg) => typeof arg === 'function')) return NOT_DIVERTED;
    if (plan.mode === 'callback' && typeof args[args.length - 1] !== 'function') return NOT_DIVERTED;
    return plan.mode === 'callback' ? this.#sendWithCallback(plan, self, args) : this.#send(plan, self, args);
  }

  /** @param {CallPlan} plan @param {any} self @param {any[]} args */
  #send(plan, self, args) {
    const call = this.#make(plan, self, args);
    const begun = performance.now();
    if (call === null || !this.#submit(call, begun)) return NOT_DIVERTED;
    return new Promise((resolve, reject) => {
      call.resolve = (value) => {
        this.#ended(begun, false);
        resolve(value);
      };
      call.reject = (error) => {
        this.#ended(begun, true);
        if (this.#mustStay(error)) resolve(plan.runAtHome(self, args));
        else reject(error);
      };
    });
  }

  /** @param {CallPlan} plan @param {any} self @param {any[]} args */
  #sendWithCallback(plan, self, args) {
    const callback = args[args.length - 1];
    /** @type {Call | null} */
    let call = null;
    const tracked = /** @this {any} */ function (/** @type {any[]} */ ...results) {
      // Later calls of a callback that is called many times find the call finished, and go on.
      call?.finish(results[0]);
      return Reflect.apply(callback, this, results);
    };
    call = this.#make(plan, self, [...args.slice(0, -1), tracked]);
    const begun = performance.now();
    if (call === null || !this.#submit(call, begun)) return NOT_DIVERTED;
    call.resolve = (first) => this.#ended(begun, first instanceof Error);
    call.reject = (error) => {
      this.#ended(begun, true);
      if (this.#mustStay(error)) plan.runAtHome(self, args);
      // By Node's convention; what the callback throws is uncaught, as it would be at home.
      else process.nextTick(callback, error);
    };
    return undefined;
  }

  /** @param {CallPlan} plan @param {any} self @param {any[]} args @returns {Call | null} null: at home */
  #make(plan, self, args) {
    try {
      return new Call(plan, self, args);
    } catch (error) {
      if (isStateless(this.#point.recipe)) return null;
      throw error;
    }
  }

  /** @param {Call} call @param {number} now @returns {boolean} whether a replica or the queue has it */
  #submit(call, now) {
    if (this.#set.submit(call, now)) {
      this.#point.meter.slots[SLOT.pending]++;
      return true;
    }
    if (this.#set.isFull && !isStateless(this.#point.recipe)) {
      throw new IgnisError('IGNIS_QUEUE_FULL', `${this.#set.module} has ${this.#set.pending} calls pending`, { module: this.#set.module });
    }
    return false;
  }

  /** @param {number} begun ms @param {boolean} hasFailed */
  #ended(begun, hasFailed) {
    const { meter } = this.#point;
    meter.complete(performance.now() - begun);
    if (hasFailed) meter.slots[SLOT.failures]++;
  }

  /**
   * What cannot be sent runs at home if it may run again: this call, and where its result is of a kind that never can be, all calls from now on.
   *
   * @param {any} error
   */
  #mustStay(error) {
    if (!(error instanceof IgnisError)) return false;
    if (error.code !== 'IGNIS_UNMARSHALABLE' && error.code !== 'IGNIS_FRAME_TOO_LARGE') return false;
    if (error.code === 'IGNIS_UNMARSHALABLE') this.#isLocal = true;
    return this.#point.recipe.pure === true || this.#point.recipe.idempotent === true;
  }

  /** @returns {CallPlan | null} null: at home; made anew when the meter has seen another kind */
  #planned() {
    const { meter, recipe, path } = this.#point;
    if (meter.kind === this.#kind) return this.#isLocal ? null : this.#plan;
    this.#kind = meter.kind;
    // A function behind a symbol has no name on the wire.
    const mode = path.every((name) => typeof name === 'string') ? modeOf(meter.kind, recipe).mode : 'local';
    this.#plan =
      mode === 'local'
        ? null
        : {
            key: JSON.stringify(path),
            path: /** @type {string[]} */ (path),
            mode,
            canRerun: recipe.pure === true || recipe.idempotent === true,
            affinity: recipe.key ?? null,
            pool: this.#set.pool,
            runAtHome: (self, args) => Reflect.apply(this.#point.fn, self, args),
          };
    return this.#isLocal ? null : this.#plan;
  }
}

/**
 * Lets a boundary's functions go to the replicas, those seen so far and those to come.
 *
 * @param {import('./boundary').Boundary} boundary
 * @param {import('../spawn/replica-set').ReplicaSet} set
 */
function distribute(boundary, set) {
  boundary.onPoint = (point) => {
    point.divert = new Route(point, set).divert;
  };
  for (const point of boundary.points.values()) boundary.onPoint(point);
}

/** @param {import('./boundary').Boundary} boundary whose calls all stay at home from now on */
function bringHome(boundary) {
  boundary.onPoint = null;
  for (const point of boundary.points.values()) point.divert = null;
}

/**
 * @param {any} exports home's own copy of a module
 * @returns {(name: string) => Function | undefined} finds an error class in it
 */
function errorClassesOf(exports) {
  return (name) => {
    if (name === 'IgnisError') return IgnisError;
    for (const candidate of [exports, ...shallow(exports)]) {
      if (typeof candidate === 'function' && candidate.name === name && candidate.prototype instanceof Error) return candidate;
    }
    return undefined;
  };
}

/** @param {any} exports @returns {any[]} values of its plain properties; getters are not run */
function shallow(exports) {
  if (exports === null || (typeof exports !== 'object' && typeof exports !== 'function')) return [];
  return Object.values(Object.getOwnPropertyDescriptors(exports)).map((descriptor) => descriptor.value);
}

exports.modeOf = modeOf;
exports.distribute = distribute;
exports.bringHome = bringHome;
exports.errorClassesOf = errorClassesOf;
