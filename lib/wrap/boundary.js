'use strict';

// One import edge: a file, and a module it imports. In: the true exports. Out: what the file is handed instead, and the points through
// which its calls go. It must never call anything of the module on its own. What it cannot wrap faithfully, it hands out as it is.

const { types } = require('node:util');
const { MOST_KNOWN, OTHERS } = require('../profile/past');
const { ExportNames } = require('./export-names');
const { FunctionPoint, nameOf } = require('./point');
const { Membrane } = require('./membrane');
const { isPlainObject, isWrappableObject } = require('./values');
const { Math, performance } = require('../engine');

// The program may replace these globals while we run.
const { Map, Set, WeakMap } = globalThis;

/** @typedef {import('../types').ModuleId} ModuleId */
/**
 * @typedef {object} Siblings
 * @property {(original: object, wrapper: any, edge: Boundary) => void} note
 * @property {(original: object, edge: Boundary) => any} find
 */

/**
 * Up to this many names and wrappers are checked before each call that needs it. With more, each check is followed by a rest of REST times
 * its own length, at most LONGEST_REST_MS.
 */
const MOST_PER_CALL = 32;
const REST = 100;
const LONGEST_REST_MS = 50;

/** Built-ins whose functions take their callback as the last argument. */
const CALLBACK_BUILTINS = new Set(['crypto', 'zlib', 'dns', 'fs', 'child_process']);

/** @type {WeakMap<object, Boundary>} by what was handed out: its boundary */
const boundaries = new WeakMap();

class Boundary {
  #membrane;
  #handed;
  #names;
  /** Until this time there is no reconciling before calls, ms. */
  #reconciledUntil = -Infinity;
  /** The same for names that the importing file wrote, and how many these were at the last check. */
  #settledUntil = -Infinity;
  #written = 0;
  /** @type {string | null} file and line of the parent's first long call of this module */
  calledAt = null;
  /** @type {Map<string, FunctionPoint>} by path, as recipes write it; grows as functions are first touched */
  points = new Map();

  /**
   * @param {object} given
   * @param {ModuleId} given.parent
   * @param {ModuleId} given.child
   * @param {any} [given.recipe] the effective one; its `functions` refine single functions
   * @param {any} given.exports
   * @param {boolean} [given.mayDistribute] its recipe lets calls leave; then values that the module got from another one and hands on get a
   *   point here, too
   * @param {boolean} [given.isInner] both modules are in one group, or files of one package for which one recipe holds
   * @param {boolean} [given.isPartial] the module is still loading (a circular import)
   * @param {boolean} [given.isByName] members are asked for one by one (`wrapMember`), so a wrapper of the whole is made only on demand
   * @param {boolean} [given.isImported] by `import`, not `require`: import hooks of the program saw it
   * @param {import('./view').Views | null} [given.views] with the option `exact`: what it shares with other boundaries
   * @param {Siblings | null} [given.siblings] what the importing file is handed through all its imports
   * @param {Siblings | null} [given.inside] what the module itself is handed through all its own imports
   * @param {((point: FunctionPoint) => void) | null} [given.onPoint] called with each function when it is first touched; may be set later,
   *   also to null
   */
  constructor({
    parent,
    child,
    recipe = {},
    exports,
    mayDistribute = false,
    isInner = false,
    isPartial = false,
    isByName = false,
    isImported = false,
    views = null,
    siblings = null,
    inside = null,
    onPoint = null,
  }) {
    this.id = idOf(parent, child);
    this.parent = parent;
    this.child = child;
    this.recipe = recipe;
    this.exports = exports;
    this.#names = new ExportNames(exports);
    this.mayDistribute = mayDistribute;
    this.isImported = isImported;
    this.onPoint = onPoint;
    /** Set by the window while it is not looking; also called for each function first touched. @type {(() => void) | null} */
    this.onTouch = null;
    this.views = views;
    this.siblings = siblings;
    this.inside = inside;
    /** The files that were handed its exports; more than one only if views are handed out. */
    this.files = new Set([parent.filename]);
    /** Its parent is in the same group: calls in a replica stay there, and calls at home stay here. */
    this.isInner = isInner;
    /** @type {((path: PropertyKey[], values: any[]) => void) | null} called for each write to the exports through a wrapper */
    this.onWrite = null;
    /** What the program may have written to the module while nobody noted it for replicas; '' if nothing. */
    this.missed = '';
    /** Options that were handed out unwrapped, so that writes to them go unseen; '' if there are none. */
    this.unseen = '';
    /** @type {Map<string, number>} calls of set-up functions that were noted for replicas, by path */
    this.noted = new Map();
    /** @type {{longCallMs: number, callMs: number} | null} the coordinator's latest */
    this.guidelines = null;
    /** The importing file has written to the module: before each call we check whether it has deleted that again. */
    this.isTouched = false;
    this.hasCallbacks = child.kind === 'builtin' && CALLBACK_BUILTINS.has(child.name.replace(/^node:/, ''));
    this.#membrane = new Membrane(this);
    this.#handed = isByName ? this.#membrane.standInFor(exports) : this.#membrane.wrapExports(exports, isPartial);
    // With views, two ways into a package may lead to the same object.
    if (this.isWrapped && !boundaries.has(this.#handed)) boundaries.set(this.#handed, this);
  }

  /** What the importing file gets: a wrapper, or the exports themselves. */
  get wrapped() {
    const whole = this.#membrane.whole(this.#handed);
    if (whole !== this.#handed) boundaries.set((this.#handed = whole), this);
    return whole;
  }

  /** The same; but while nobody has asked for the whole, a stand-in that only `boundaryOf` knows. */
  get handed() {
    return this.#handed;
  }

  /**
   * An ES module has one namespace for `import`, one for `require`, and perhaps an export 'module.exports'.
   * @param {any} exports another of these
   * @returns {any} what the importing file gets for it, with the same functions
   */
  wrapFurther(exports) {
    const wrapped = this.#membrane.wrapExports(exports, false);
    if (wrapped !== exports && !boundaries.has(wrapped)) boundaries.set(wrapped, this);
    return wrapped;
  }

  /** Name of the replica set that gets its calls: that of the module, or of its group. */
  get setName() {
    return this.setNameBy(this.recipe);
  }

  /** @param {{group?: string}} recipe @returns {string} that name under this recipe */
  setNameBy({ group }) {
    return group === undefined ? this.child.name : `group ${group}`;
  }

  /** Whether calls through this edge are visible to us. */
  get isWrapped() {
    return this.#handed !== this.exports;
  }

  /** Whether the exports, or an ES module's default export, are an instance of a class: only functions that the recipe names are seen. */
  get isPartlySeen() {
    const own = types.isModuleNamespaceObject(this.exports) ? this.exports.default : this.exports;
    return typeof own === 'object' && own !== null && isWrappableObject(own) && !isPlainObject(own);
  }

  /**
   * Sets another recipe. What was handed out stays: a class that crossed unwrapped is not wrapped afterwards.
   * @param {any} recipe
   * @param {boolean} [mayDistribute]
   */
  setRecipe(recipe, mayDistribute = this.mayDistribute) {
    const saw = this.seesWrites;
    this.recipe = recipe;
    this.mayDistribute ||= mayDistribute;
    if (!saw && this.seesWrites) this.missed ||= this.unseen;
    for (const point of this.points.values()) point.setRecipe(recipe);
  }

  /** Whether some functions are not known one by one. */
  get hasOthers() {
    return this.points.has(OTHERS);
  }

  /**
   * @param {Omit<ConstructorParameters<typeof FunctionPoint>[0], 'boundary' | 'hasCallbacks'>} given
   * @returns {FunctionPoint} for a function that was not seen before
   */
  pointFor(given) {
    const name = nameOf(given.path);
    const { hasCallbacks } = this;
    // Another function in the same place continues the same figures.
    const known = this.points.get(name);
    // Functions beyond the limit are counted together, and stay at home.
    const isOther = known === undefined && this.points.size >= MOST_KNOWN && !this.mayDistribute;
    if (isOther && !this.hasOthers)
      this.addPoint(
        new FunctionPoint({ boundary: this, path: [OTHERS], fn: () => {}, holder: undefined, homeShadow: undefined, hasCallbacks }),
      );
    const { meter } = (isOther ? this.points.get(OTHERS) : known) ?? {};
    const point = new FunctionPoint({ boundary: this, ...given, hasCallbacks, meter, isOther });
    if (!isOther) this.addPoint(point);
    return point;
  }

  /** @param {FunctionPoint} point of a function that is known individually from now on */
  addPoint(point) {
    this.points.set(point.name, point);
    this.onTouch?.();
    this.onPoint?.(point);
  }

  /** @param {object} original @returns {boolean} whether it is part of the module and has a wrapper here */
  hasWrapped(original) {
    return this.#membrane.hasWrapped(original);
  }

  /** @param {object} original @returns {any} undefined when it has none here */
  wrapperOf(original) {
    return this.#membrane.wrapperOf(original);
  }

  /**
   * @param {any} wrapper that is an argument
   * @returns {any} what the module knows instead, if another import gave it to the file; else undefined
   */
  behind(wrapper) {
    return this.#membrane.behind(wrapper);
  }

  /**
   * @param {Function} fn that the module has returned and that has no wrapper here
   * @returns {any} its wrapper, if it is an export that was never read; else undefined
   */
  wrapExported(fn) {
    const name = this.#names.nameOf(fn);
    return name === undefined ? undefined : this.#membrane.wrap(fn, [name], this.exports);
  }

  /** @param {any} value @param {string} name under which the module exports it @returns {any} what the importing file gets for it */
  wrapMember(value, name) {
    return this.#membrane.wrap(value, [name], this.exports);
  }

  /** Whether writes below the exports must be seen too, because replicas repeat them. */
  get seesWrites() {
    return this.mayDistribute && this.recipe.pure !== true;
  }

  /** The file has written to the exports, or below. @param {PropertyKey[]} path @param {any[]} values none: the name was deleted */
  noteWrite(path, values) {
    if (this.onWrite !== null) this.onWrite(path, values);
    else if (typeof values[0] !== 'function') this.missed ||= path.map(String).join('.');
  }

  /** @param {boolean} isTouched */
  touch(isTouched) {
    if (isTouched === this.isTouched) return;
    this.isTouched = isTouched;
    for (const point of this.points.values()) point.choose();
  }

  /**
   * Call it when somebody gets the wrapper before the importing file does, and may define something on it (an instrumentation). The next
   * call then looks for such definitions.
   */
  expectDefinitions() {
    this.#settledUntil = -Infinity;
    this.#membrane.expectDefinitions();
  }

  /**
   * Brings deletions of what the importing file wrote, and expected definitions, to the originals; needed only while it is touched. With
   * many such names, not before each call.
   */
  settleWritten() {
    if (this.#written <= MOST_PER_CALL) {
      this.#written = this.#membrane.settleWritten();
      return;
    }
    const begun = performance.now();
    if (begun < this.#settledUntil) return;
    this.#written = this.#membrane.settleWritten();
    this.#settledUntil = restAfter(begun);
  }

  /** Brings deletions and definitions on the wrappers to the originals, and new names to the wrappers. */
  reconcile() {
    this.#names.forget();
    this.#membrane.reconcile();
  }

  /** The same before a call that must find the module as the program left it; with much to look through, not before each one. */
  reconcileForCall() {
    if (this.#membrane.size <= MOST_PER_CALL) return this.reconcile();
    const begun = performance.now();
    if (begun < this.#reconciledUntil) return;
    this.reconcile();
    this.#reconciledUntil = restAfter(begun);
  }

  /** The same if the number of names shows that it is needed; cheap enough for each import. */
  refresh() {
    this.#membrane.refresh();
  }

  /** The same only if there are few names; cheap enough for the first calls of each function. */
  refreshSmall() {
    this.#membrane.refresh(true);
  }
}

/** @param {number} begun of a check, ms @returns {number} until when there is no other one */
function restAfter(begun) {
  const end = performance.now();
  return end + Math.min(LONGEST_REST_MS, REST * (end - begun));
}

/** @param {ModuleId} parent @param {ModuleId} child @returns {string} of the edge */
function idOf(parent, child) {
  return `${shortName(parent)} -> ${shortName(child)}`;
}

/** @param {ModuleId} id */
function shortName(id) {
  return id.name.replace(/^\.\//, '');
}

/**
 * @param {any} wrapped what a file was handed for a module
 * @returns {Boundary | undefined}
 */
function boundaryOf(wrapped) {
  return boundaries.get(wrapped);
}

exports.boundaryOf = boundaryOf;
exports.idOf = idOf;
exports.Boundary = Boundary;
