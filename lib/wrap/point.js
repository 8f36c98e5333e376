'use strict';

// One function of one boundary: where its calls are counted, and where they may leave. In: the function, its place in the exports, its
// recipe. Out: a record shared by the wrapper, the profile and the replica set. It does nothing by itself.

const { types } = require('node:util');
const { Meter } = require('../profile/meter');
const { callbackBehind, isWritten, ownOf, unwrap } = require('./originals');
const { readsThis } = require('./source');
const { isGivenCopies, isNamed } = require('./state');

/** @typedef {(self: any, args: any[], newTarget: Function | undefined) => any} Divert */

class FunctionPoint {
  /** @type {Divert | null} */
  #divert = null;
  /** @type {Divert | null} */
  #divertLifted = null;
  #isTracked = false;
  /** @type {boolean | null} whether it looks at its `this`; null: not asked yet */
  #readsThis = null;
  /** @type {Divert | null} what home does with calls whose answers nobody wants */
  #atHome = null;

  /**
   * @param {object} given
   * @param {import('./boundary').Boundary} given.boundary
   * @param {PropertyKey[]} given.path ['parse']; [] for a module that is a function
   * @param {Function} given.fn the true function
   * @param {any} given.holder its true `this`: the object it was found in, undefined for []
   * @param {any} given.homeShadow the wrapper of the holder
   * @param {boolean} given.hasCallbacks whether a function as last argument is by convention its callback
   * @param {Meter} [given.meter] of the function that was here before
   * @param {boolean} [given.isOther] only its callers know it, not its boundary
   */
  constructor({ boundary, path, fn, holder, homeShadow, hasCallbacks, meter = new Meter(), isOther = false }) {
    this.boundary = boundary;
    /** With the option `exact`: which parts of the module may be among its results. */
    this.views = boundary.views;
    this.path = path;
    this.fn = fn;
    this.holder = holder;
    this.homeShadow = homeShadow;
    this.hasCallbacks = hasCallbacks;
    /** @type {Function | null} what stands in for it */
    this.closure = null;
    this.meter = meter;
    this.isOther = isOther;
    meter.care.listener = this;
    /** No tracking, no diversion, nothing to watch or take care of: the wrapper may take its short way. */
    this.isPlain = true;
    /** Tracked, but so far it answered synchronously: as long as it is given no function, the short way sees everything. */
    this.isCalm = false;
    /** Plain, except that its calls need care (profile/care.js). */
    this.isOnlyCareful = false;
    /** `new` runs at home, and nothing needs watching meanwhile. */
    this.makesAtOnce = false;
    /** On the short way, objects among its results are not passed on unseen. */
    this.looksAtResults = false;
    /** The program replaced the module's own function with this one (a monkey patch), so no replica has it. */
    this.isWritten = isWritten(fn);
    /** Calls of it were lifted: they wait for a promise where `await` may stand. */
    this.isLifted = false;
    /** Its callers do not want to know what becomes of a call (`oneway`). */
    this.isOneway = false;
    /** @type {any} */
    this.recipe = {};
    this.setRecipe(boundary.recipe);
  }

  /**
   * The one seam through which a call leaves. null: all calls run at home, within their callers' turn. It is asked after the call was
   * counted; what it returns is the call's result, unless that is NOT_DIVERTED, and it may throw what the call is to throw. A function that
   * the program itself wrote into the module cannot leave: setting this has no effect then.
   */
  get divert() {
    return this.#divert ?? this.#atHome;
  }

  /** Whether something decides where its calls run. */
  get isRouted() {
    return this.#divert !== null;
  }

  set divert(divert) {
    this.#divert = this.isWritten ? null : divert;
    this.choose();
  }

  /**
   * The same for calls whose caller waits for a promise (see lifted.js). The result is a promise of what the call returns, unless that is
   * NOT_DIVERTED.
   */
  get divertLifted() {
    return this.#divertLifted;
  }

  set divertLifted(divert) {
    this.#divertLifted = this.isWritten ? null : divert;
  }

  /** Whether promises and callbacks of this function are followed to their end, one by one. */
  get isTracked() {
    return this.#isTracked;
  }

  /** Whether the original gets a closure of ours in place of a function as last argument. */
  get tracksCallbacks() {
    return this.hasCallbacks || this.#isTracked;
  }

  /** @param {any} recipe of the whole boundary; its `functions` may refine this function */
  setRecipe(recipe) {
    const own = recipe.functions?.[this.name];
    this.recipe = own === undefined ? recipe : { ...recipe, ...own };
    this.meter.whyLocal = '';
    this.isOneway = isNamed(this.recipe.oneway, this.name);
    if (this.isOneway) this.meter.oneway ??= { lost: 0, isTold: false };
    this.#atHome = this.isOneway ? new (require('./oneway').Oneway)(this, null).divert : null;
    this.isLifted = !this.isOneway && (this.recipe.lift === 'deep' || isNamed(this.recipe.lift, this.name));
    // A function that may leave must first be seen calling back, or returning a promise.
    const mayLeave = isGivenCopies(this.recipe) && this.recipe.call !== 'local';
    this.#isTracked = this.recipe.hot === true || this.recipe.call === 'await' || this.isLifted || mayLeave;
    this.meter.isExact = this.#isTracked || this.isOneway;
    this.choose();
  }

  /** Its path as recipes write it: `promises.readFile`, and '' for a module that is a function. */
  get name() {
    return nameOf(this.path);
  }

  /**
   * Whether a call on this object does the same as a call on the holder, which is what a replica does. A call on nothing, as by `const {
   * parse } = lib`, counts as that.
   * @param {any} self
   */
  isItself(self) {
    if (self === this.holder || self === undefined || self === null || self === globalThis) return true;
    return !(this.#readsThis ??= readsThis(this.fn)) || isNamespaceOf(self, this.holder);
  }

  /** Chooses the short way or the long way for calls from now on. */
  choose() {
    // A function beyond the known ones is not told of changes, so it looks at each call.
    const isHome = this.divert === null && !this.hasCallbacks && !this.boundary.isTouched && !this.isOther;
    const { isNeeded } = this.meter.care;
    this.isPlain = isHome && !this.#isTracked && !isNeeded;
    this.isCalm = isHome && this.#isTracked && this.meter.kind === 'sync' && !isNeeded;
    this.isOnlyCareful = isHome && !this.#isTracked && isNeeded;
    this.makesAtOnce = isHome && !isNeeded;
    this.looksAtResults = this.isCalm || this.views !== null;
  }
}

/**
 * @param {any} self
 * @param {any} exports
 * @returns {boolean} whether it is a namespace of the exports: the engine's, or the copy that compilers make (`__importStar`,
 *   `interopRequireWildcard`)
 */
function isNamespaceOf(self, exports) {
  return (
    types.isModuleNamespaceObject(self) ||
    (exports !== undefined && unwrap(Object.getOwnPropertyDescriptor(self, 'default')?.value) === exports)
  );
}

/** @param {PropertyKey[]} path @returns {string} */
function nameOf(path) {
  return path.map(String).join('.');
}

/**
 * What the caller gets. If an exports object returns `this`, that is its wrapper again; likewise for a function that returns another
 * function of its module.
 * @param {FunctionPoint} point
 * @param {any} result
 */
function answer(point, result) {
  if (typeof result === 'function') return outward(point, result);
  if (result === point.holder) return point.boundary.wrapperOf(result);
  return point.views === null ? result : (point.views.wrappers.get(result) ?? result);
}

/** @param {FunctionPoint} point @param {Function} result of its call */
function outward(point, result) {
  const { boundary } = point;
  return boundary.wrapperOf(result) ?? callbackBehind(result) ?? boundary.wrapExported(result) ?? ownOf(result, boundary.siblings);
}

exports.answer = answer;
exports.FunctionPoint = FunctionPoint;
exports.nameOf = nameOf;
