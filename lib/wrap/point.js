'use strict';

// One function of one boundary: where its calls are counted, and where they may leave.
// In: the function, its place in the exports, its recipe. Out: a record that the wrapper, the profile and the
// replica set share. It does nothing by itself.

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
  /** @type {boolean | null} whether it looks at its `this`; null: nobody has asked */
  #readsThis = null;
  /** @type {Divert | null} what becomes at home of calls whose answers nobody wants */
  #atHome = null;

  /**
   * @param {object} given
   * @param {import('./boundary').Boundary} given.boundary
   * @param {PropertyKey[]} given.path ['parse']; [] for a module that is a function
   * @param {Function} given.fn the true function
   * @param {any} given.holder its true `this`: the object it was found in, undefined for []
   * @param {any} given.homeShadow the wrapper of the holder
   * @param {boolean} given.hasCallbacks whether a function as last argument is its callback by convention
   * @param {Meter} [given.meter] of the function that was in its place before
   * @param {boolean} [given.isOther] nobody knows it but who calls it: its boundary does not
   */
  constructor({ boundary, path, fn, holder, homeShadow, hasCallbacks, meter = new Meter(), isOther = false }) {
    this.boundary = boundary;
    /** With the option `exact`: what of the module may be among its results. */
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
    /** No tracking, no diversion, nothing to look after nor to take care of: the wrapper may take its short way. */
    this.isPlain = true;
    /** Tracked, but so far it answered at once: while it is given no function, the short way sees all there is. */
    this.isCalm = false;
    /** Plain but for that. */
    this.isOnlyCareful = false;
    /** `new` of it runs at home, and nothing is to be looked after meanwhile. */
    this.makesAtOnce = false;
    /** On the short way, objects among its results are not simply handed on. */
    this.looksAtResults = false;
    /** The program put this function in the place of the module's own (a monkey patch), so no replica has it. */
    this.isWritten = isWritten(fn);
    /** Calls of it that stand where `await` may stand were made to wait for a promise. */
    this.isLifted = false;
    /** Its callers do not want to know what becomes of a call (`oneway`). */
    this.isOneway = false;
    /** @type {any} */
    this.recipe = {};
    this.setRecipe(boundary.recipe);
  }

  /**
   * The one seam by which a call leaves. null: all calls run at home, within their callers' turn. It is asked after the call was counted;
   * what it returns is the call's result, unless that is NOT_DIVERTED. It may throw what the call shall throw.
   * A function that the program itself wrote into the module cannot leave: setting this has no effect there.
   */
  get divert() {
    return this.#divert ?? this.#atHome;
  }

  /** Whether somebody decides where its calls run. */
  get isRouted() {
    return this.#divert !== null;
  }

  set divert(divert) {
    this.#divert = this.isWritten ? null : divert;
    this.choose();
  }

  /**
   * The same for calls whose caller waits for a promise (see lifted.js). Its result is the promise of what the call returns, unless that is
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

  /** Whether a function as last argument is given to the original as a closure of ours. */
  get tracksCallbacks() {
    return this.hasCallbacks || this.#isTracked;
  }

  /** @param {any} recipe of the whole boundary; `functions` in it may refine this one */
  setRecipe(recipe) {
    const own = recipe.functions?.[this.name];
    this.recipe = own === undefined ? recipe : { ...recipe, ...own };
    this.meter.whyLocal = '';
    this.isOneway = isNamed(this.recipe.oneway, this.name);
    if (this.isOneway) this.meter.oneway ??= { lost: 0, isTold: false };
    this.#atHome = this.isOneway ? new (require('./oneway').Oneway)(this, null).divert : null;
    this.isLifted = !this.isOneway && (this.recipe.lift === 'deep' || isNamed(this.recipe.lift, this.name));
    // What may leave must be seen calling back, or giving a promise, before it does.
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
   * Whether it does the same when it is called upon what it was found in, as a replica calls it. Upon nothing, as `const { parse } = lib`
   * has it called, counts as that.
   *
   * @param {any} self
   */
  isItself(self) {
    if (self === this.holder || self === undefined || self === null || self === globalThis) return true;
    return !(this.#readsThis ??= readsThis(this.fn)) || isNamespaceOf(self, this.holder);
  }

  /** Short way or long way, from now on. */
  choose() {
    // Another is not told when something has changed, so it looks at each call.
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
 * @returns {boolean} whether it is what an import of all names has of the exports: the engine's, or the copy that compilers make
 *   (`__importStar`, `interopRequireWildcard`)
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
 * `return this` of an exports object gives its user the wrapper again, and so does a function that returns another one of its module.
 *
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
