'use strict';
/*
 * Routes calls of a function to the replicas of its module. In: a boundary whose recipe consents, and the replica set of its module. Out: a
 * `divert` for each function: remote where the caller cannot see a difference (mode.js), at home otherwise. A call that cannot be sent runs
 * at home, unless the state it needs is elsewhere: then its caller gets the error, with the path of the value.
 */
const { isGeneratorFunction } = require('node:util/types');
const { IgnisError } = require('../errors');
const { Call } = require('../session/call');
const { standIn } = require('../session/stand-in');
const { hedgeMsOf } = require('../spawn/hedge');
const { runTimed } = require('../profile/attribution');
const { SLOT } = require('../profile/meter');
const { errorClassesOf } = require('./error-classes');
const { isRestored, modeOf, refused } = require('./mode');
const { NOT_DIVERTED, bringHome } = require('./not-diverted');
const { answer } = require('./point');
const { InOrder } = require('./in-order');
const { stayWithState, submit, whyNow } = require('./leaving');
const { Oneway } = require('./oneway');
const { SetupRoute } = require('./setup-route');
const { SmallCalls, mayStay } = require('./small-calls');
const { keyOf, needsState, pathOf } = require('./state');
const { NOT_LIFTED } = require('../view/sentence');
const { Verifier } = require('./verify');
const { JSON, Promise, nextTick, performance } = require('../engine');

/** @typedef {import('./point').FunctionPoint} FunctionPoint */
/** @typedef {import('../session/call').CallPlan} CallPlan */

/** @param {any} error */
const notSent = (error) => (error instanceof IgnisError ? error.message : 'what it was given cannot be copied');

/** One function's way to the replicas. */
class Route {
  #point;
  #set;
  #leave;
  /** @type {CallPlan | null} */
  #plan = null;
  /** @type {CallPlan | null} for lifted calls */
  #liftedPlan = null;
  #kind = '';
  #why = '';
  /** a lifted call was already looked at, and now comes as an ordinary one */
  #isPassedBy = false;
  /** the state that its calls need must be in one place; otherwise they may run at home at any time */
  #needsState;
  /** deletions on the exports are checked before each call */
  #isWary;
  /** @type {InOrder | null} calls that keep their order */
  #inOrder;
  /** @type {Verifier | null} to run some calls at home as well */
  #verifier;
  /** @type {SmallCalls | null} to keep short calls at home */
  #small;

  /**
   * @param {FunctionPoint} point
   * @param {import('../spawn/replica-set').ReplicaSet} set
   * @param {typeof submit} [leave] hands a call over
   */
  constructor(point, set, leave = submit) {
    this.#point = point;
    this.#set = set;
    this.#leave = leave;
    const { recipe, boundary } = point;
    this.#needsState = set.isStateful && needsState(recipe);
    this.#isWary = recipe.pure !== true && (set.isStateful || recipe.order || boundary.recipe.setup?.length > 0);
    const hooks = { make: this.#make.bind(this), ended: this.#ended.bind(this), mustStay: this.#mustStay.bind(this) };
    this.#inOrder = recipe.order ? new InOrder(point, set, hooks) : null;
    this.#verifier =
      recipe.pure === true && recipe.verify > 0
        ? new Verifier(
            point,
            set,
            errorClassesOf(() => [boundary.exports]),
          )
        : null;
    this.#small = !this.#needsState && mayStay(recipe) ? new SmallCalls(point) : null;
    this.divert = this.divert.bind(this);
    this.divertLifted = this.divertLifted.bind(this);
  }

  /**
   * @param {any} self
   * @param {any[]} args
   * @param {Function | undefined} newTarget
   * @returns {any} what the caller gets, or NOT_DIVERTED when the call runs at home
   */
  divert(self, args, newTarget) {
    const plan = this.#planned();
    if (plan === null) return this.#wasPassedBy() ? NOT_DIVERTED : this.#stay(this.#point.meter.whyStays || this.#why);
    if (newTarget !== undefined) return this.#stay('it makes objects, which stay where they were made');
    try {
      const why = this.#whyHome(plan, self, args);
      if (why !== '') return this.#stay(why);
      if (plan.mode === 'await' && this.#small?.stay(args)) return NOT_DIVERTED;
      if (this.#isWary) this.#point.boundary.reconcileForCall();
      const isHome = this.#needsState && !this.#set.isOpen && this.#stay('the replica that had its state is gone') === NOT_DIVERTED;
      if (this.#inOrder === null)
        return isHome ? NOT_DIVERTED : plan.mode === 'callback' ? this.#sendWithCallback(plan, self, args) : this.#send(plan, self, args);
    } catch (error) {
      return refused(plan, error);
    }
    return this.#inOrder.divert(plan, self, args);
  }

  /**
   * A call whose caller waits for a promise. It leaves only where state does not matter: calls of the same function that were not lifted
   * stay.
   * @param {any} self
   * @param {any[]} args
   * @returns {any} a promise of the result, or NOT_DIVERTED when the call goes like any other
   */
  divertLifted(self, args) {
    this.#planned();
    if (this.#liftedPlan === null) return NOT_DIVERTED;
    const result = this.#sendLifted(this.#liftedPlan, self, args);
    this.#isPassedBy = result === NOT_DIVERTED;
    return result;
  }

  /** @param {CallPlan} plan @param {any} self @param {any[]} args */
  #sendLifted(plan, self, args) {
    const why = this.#point.meter.whyStays || this.#whyHome(plan, self, args);
    if (why !== '') return this.#stay(why);
    if (this.#small?.stay(args)) return NOT_DIVERTED;
    if (this.#isWary) this.#point.boundary.reconcileForCall();
    return this.#send(plan, self, args);
  }

  #wasPassedBy() {
    const wasPassedBy = this.#isPassedBy;
    this.#isPassedBy = false;
    return wasPassedBy;
  }

  /**
   * The call runs at home. If it needs the state of the module, that is at home from now on; if it already is elsewhere, the call must not
   * run.
   * @param {string} why it cannot leave; '' for one that could
   * @throws {IgnisError} IGNIS_REFUSED when the state is in a replica
   */
  #stay(why) {
    const stays = this.#needsState ? stayWithState(this.#point, this.#set, why) : NOT_DIVERTED;
    if (why !== '' && this.#point.recipe.call !== 'local') this.#point.meter.keep(why);
    return stays;
  }

  /** @param {CallPlan} plan @param {any} self @param {any[]} args @returns {string} what a replica lacks, or lacks in time; '' for a call that can leave */
  #whyHome({ mode }, self, args) {
    return this.#point.isItself(self) ? whyNow(this.#set, mode, args) : 'it was called on another object';
  }

  /** @param {CallPlan} plan @param {any} self @param {any[]} args */
  #send(plan, self, args) {
    const call = this.#make(plan, self, args);
    const begun = performance.now();
    if (call === null) return this.#stay('');
    /** @type {ReturnType<Verifier['begin']>} */
    let verified = null;
    // Verifying begins before the call leaves: what is too large to travel is refused at once.
    const promise = new Promise((resolve, reject) => {
      const end = (/** @type {boolean} */ hasFailed, /** @type {any} */ value) => {
        this.#ended(begun, hasFailed);
        if (verified === null) return hasFailed ? reject(value) : resolve(value);
        void verified({ hasFailed, value }).then((answer) => (answer.hasFailed ? reject(answer.value) : resolve(answer.value)));
      };
      const fail = (/** @type {any} */ error) => end(true, error);
      call.resolve = (value) => end(false, value);
      call.reject = (error) => {
        if (!this.#mustStay(error)) return fail(error);
        // Now home answers, so there is nothing to compare.
        verified = null;
        call.resolve = (value) => void Promise.resolve(value).then((settled) => end(false, settled), fail);
        call.reject = fail;
        call.comeHome();
      };
    });
    if (!this.#leave(this.#point, this.#set, call, begun)) return this.#stay('');
    verified = this.#verifier?.begin(self, args) ?? null;
    return promise;
  }

  /** @param {CallPlan} plan @param {any} self @param {any[]} args */
  #sendWithCallback(plan, self, args) {
    const callback = args[args.length - 1];
    /** @type {Call | null} */
    let call = null;
    const enter = (/** @type {any} */ receiver, /** @type {ArrayLike<any>} */ results) => {
      if (call?.isLate) return call.release?.();
      // If a callback is called many times, later calls find the call finished, and go on.
      call?.finish(results[0]);
      return Reflect.apply(callback, receiver, results);
    };
    call = this.#make(plan, self, [...args.slice(0, -1), standIn({ enter }, callback)]);
    const begun = performance.now();
    if (call === null) return this.#stay('');
    const sent = call;
    call.resolve = (first) => this.#ended(begun, first instanceof Error);
    const fail = (/** @type {any} */ error) => {
      this.#ended(begun, true);
      // By Node's convention. What the callback throws is uncaught, as it would be at home.
      sent.inContext(() => nextTick(callback, error));
    };
    call.reject = (error) => {
      if (!this.#mustStay(error)) return fail(error);
      sent.reject = fail;
      sent.comeHome();
    };
    if (!this.#leave(this.#point, this.#set, call, begun)) return this.#stay('');
    return undefined;
  }

  /** @param {CallPlan} plan @param {any} self @param {any[]} args @returns {Call | null} null: it runs at home */
  #make(plan, self, args) {
    try {
      const call = new Call(plan, self, args);
      // A function within data (`{ comparator: fn }`) is mostly called for its result, which a replica would not get.
      if (call.lendsWithin) {
        this.#stay('it was given a function');
        return null;
      }
      call.mark = this.#set.journal.length;
      if (this.#set.state === 'keyed') call.key = keyOf(plan, args, this.#set.module);
      return call;
    } catch (error) {
      if (this.#needsState) throw error;
      this.#stay(notSent(error));
      return null;
    }
  }

  /** @param {number} begun ms @param {boolean} hasFailed */
  #ended(begun, hasFailed) {
    const { meter } = this.#point;
    meter.complete(performance.now() - begun);
    if (hasFailed) meter.slots[SLOT.failures]++;
  }

  /**
   * Whether a call that cannot be sent runs at home, since it may run again. If results of its kind can never be sent, all calls do from
   * now on.
   * @param {any} error
   */
  #mustStay(error) {
    if (!(error instanceof IgnisError)) return false;
    if (error.code !== 'IGNIS_UNMARSHALABLE' && error.code !== 'IGNIS_FRAME_TOO_LARGE') return false;
    // Home would answer without the replica's state.
    if (this.#needsState) return false;
    if (error.code === 'IGNIS_UNMARSHALABLE') this.#point.meter.whyLocal = notSent(error);
    const mayRunAgain = this.#point.recipe.pure === true || this.#point.recipe.idempotent === true;
    if (mayRunAgain) this.#stay(notSent(error));
    return mayRunAgain;
  }

  /** @returns {CallPlan | null} null: at home; made anew when the meter sees another kind */
  #planned() {
    const { meter, recipe, path, fn } = this.#point;
    if (meter.kind === this.#kind) return meter.whyStays === '' ? this.#plan : null;
    this.#kind = meter.kind;
    // A function behind a symbol has no name on the wire.
    const names = pathOf(path);
    const { mode, why } = names === null ? { mode: 'local', why: 'it has no name' } : modeOf(meter.kind, recipe, fn);
    this.#why = why;
    this.#plan = mode === 'local' ? null : this.#planFor(/** @type {CallPlan['mode']} */ (mode), /** @type {string[]} */ (names));
    const mayLift = names !== null && this.#point.isLifted && !recipe.order && !this.#needsState;
    // A function whose calls are awaited has its own plan.
    const isToLift = mayLift && meter.kind === 'sync' && recipe.call !== 'local' && recipe.call !== 'await' && !isGeneratorFunction(fn);
    this.#liftedPlan = isToLift ? this.#planFor('await', names) : null;
    if (isToLift) this.#why = NOT_LIFTED;
    return meter.whyStays === '' ? this.#plan : null;
  }

  /** @param {CallPlan['mode']} mode @param {string[]} names @returns {CallPlan} */
  #planFor(mode, names) {
    const { recipe, boundary } = this.#point;
    const hasTurns = recipe.order === true && mode !== 'callback';
    const restores = isRestored(recipe);
    const module = boundary.child.name;
    const wirePath = this.#set.targets.pathIn(module, names);
    const canRerun = recipe.pure === true || recipe.idempotent === true;
    return {
      key: JSON.stringify(wirePath) + (hasTurns ? ' in turn' : '') + (restores ? ' restored' : ''),
      path: names,
      wirePath,
      mode,
      isPure: recipe.pure === true,
      hasTurns,
      restores,
      canRerun,
      retry: recipe.retry,
      hedgeMs: hedgeMsOf(recipe.hedge),
      priority: recipe.priority,
      affinity: recipe.key ?? null,
      module,
      timeoutMs: recipe.timeout,
      killMs: recipe.killMs,
      pool: this.#set.pool,
      runAtHome: (self, args) => {
        this.#point.meter.away--;
        return answer(this.#point, runTimed(this.#point, self, args, undefined));
      },
    };
  }
}

/**
 * Lets a boundary's functions go to the replicas: those seen so far, and those to come.
 * @param {import('./boundary').Boundary} boundary
 * @param {import('../spawn/replica-set').ReplicaSet} set
 */
function distribute(boundary, set) {
  boundary.onPoint = (point) => {
    if (isSetup(point)) point.divert = new SetupRoute(point, set).divert;
    else if (point.isOneway) point.divert = new Oneway(point, set).divert;
    else {
      const { divert, divertLifted } = new Route(point, set);
      point.divert = divert;
      point.divertLifted = divertLifted;
    }
  };
  for (const point of boundary.points.values()) if (!point.isRouted) boundary.onPoint(point);
}

/**
 * Calls run at home. Those with an order still keep it, and set-up calls are noted for replicas to come.
 * @param {import('./boundary').Boundary} boundary
 * @param {import('../spawn/replica-set').ReplicaSet} set
 */
function rest(boundary, set) {
  const { setup = [], order, functions = {} } = boundary.recipe;
  const isWatched = set.isStateful || setup.length > 0 || order || Object.values(functions).some((one) => one.order);
  if (isWatched) distribute(boundary, set);
  else bringHome(boundary);
}

/** @param {FunctionPoint} point */
function isSetup(point) {
  // Calling a pure function sets nothing up; only writing it does.
  return point.recipe.pure !== true && point.boundary.recipe.setup?.includes(point.name) === true;
}

exports.Route = Route;
exports.distribute = distribute;
exports.rest = rest;
