'use strict';

// One import edge: a file, and a module it imports.
// In: the true exports. Out: what the file is handed instead, and the points through which its calls go.
// It never calls anything of the module by itself, and hands out what it cannot wrap faithfully as it is.

const { types } = require('node:util');
const { MOST_KNOWN, OTHERS } = require('../profile/past');
const { ExportNames } = require('./export-names');
const { FunctionPoint, nameOf } = require('./point');
const { Membrane } = require('./membrane');
const { isPlainObject, isWrappableObject } = require('./values');
const { Math, performance } = require('../engine');

// The program may put others in the place of these while we run.
const { Map, Set, WeakMap } = globalThis;

/** @typedef {import('../types').ModuleId} ModuleId */
/**
 * @typedef {object} Siblings
 * @property {(original: object, wrapper: any, edge: Boundary) => void} note
 * @property {(original: object, edge: Boundary) => any} find
 */

/**
 * So many names and wrappers are looked through before each call that needs it; of more, so many times longer than a look took none is
 * taken, and at most for so long, ms.
 */
const MOST_PER_CALL = 32;
const REST = 100;
const LONGEST_REST_MS = 50;

/** Built-ins whose functions take their callback as last argument. */
const CALLBACK_BUILTINS = new Set(['crypto', 'zlib', 'dns', 'fs', 'child_process']);

/** @type {WeakMap<object, Boundary>} what was handed out to its boundary */
const boundaries = new WeakMap();

class Boundary {
  #membrane;
  #handed;
  #names;
  /** Before this nothing is reconciled for a call, ms. */
  #reconciledUntil = -Infinity;
  /** The same of names that the importing file wrote, and how many those were at the last look. */
  #settledUntil = -Infinity;
  #written = 0;
  /** @type {string | null} file and line of the parent's first long call of this module */
  calledAt = null;
  /** @type {Map<string, FunctionPoint>} by path, as recipes write it; it grows as functions are first touched */
  points = new Map();

  /**
   * @param {object} given
   * @param {ModuleId} given.parent
   * @param {ModuleId} given.child
   * @param {any} [given.recipe] the effective one; `functions` in it refines single functions
   * @param {any} given.exports
   * @param {boolean} [given.mayDistribute] its recipe lets its calls leave; then what the module got from another one, and hands
   * on, gets a point here too
   * @param {boolean} [given.isInner] both modules are in one group, or files of one package for which one recipe holds
   * @param {boolean} [given.isPartial] the module is still loading (a circular import)
   * @param {boolean} [given.isByName] its members are asked for one by one (`wrapMember`), so what is handed out for the whole is made when
   *   somebody asks for that
   * @param {boolean} [given.isImported] by `import`, and not by `require`: hooks that the program has for imports saw it
   * @param {import('./view').Views | null} [given.views] with the option `exact`: what its exports have in common with others
   * @param {Siblings | null} [given.siblings] what the importing file is handed by all its imports
   * @param {Siblings | null} [given.inside] what the module itself is handed by all of its own
   * @param {((point: FunctionPoint) => void) | null} [given.onPoint] told of each function when it is first touched;
   * may be set later, also to null
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
    /** Set by the window while it does not look: told of each function, too. @type {(() => void) | null} */
    this.onTouch = null;
    this.views = views;
    this.siblings = siblings;
    this.inside = inside;
    /** The files that were handed its exports; more than one only where views are handed out. */
    this.files = new Set([parent.filename]);
    /** Its parent is in the same group, so in a replica its calls stay there, and at home they stay here. */
    this.isInner = isInner;
    /** @type {((path: PropertyKey[], values: any[]) => void) | null} told of each write to the exports through a wrapper */
    this.onWrite = null;
    /** What the program may have written to the module while nobody noted it for replicas; '' while that is nothing. */
    this.missed = '';
    /** Options that were handed out as they are, so that nobody sees them written; '' while there are none. */
    this.unseen = '';
    /** @type {Map<string, number>} calls of set-up functions that were noted for replicas, by path */
    this.noted = new Map();
    /** @type {{longCallMs: number, callMs: number} | null} the coordinator's latest word */
    this.guidelines = null;
    /** The importing file has written to the module: before each call we look whether it has deleted that again. */
    this.isTouched = false;
    this.hasCallbacks = child.kind === 'builtin' && CALLBACK_BUILTINS.has(child.name.replace(/^node:/, ''));
    this.#membrane = new Membrane(this);
    this.#handed = isByName ? this.#membrane.standInFor(exports) : this.#membrane.wrapExports(exports, isPartial);
    // With views, two ways into a package may lead to the same.
    if (this.isWrapped && !boundaries.has(this.#handed)) boundaries.set(this.#handed, this);
  }

  /** What the importing file gets: a wrapper, or the exports themselves. */
  get wrapped() {
    const whole = this.#membrane.whole(this.#handed);
    if (whole !== this.#handed) boundaries.set((this.#handed = whole), this);
    return whole;
  }

  /** The same, or while nobody has asked for the whole something that stands for it, which only `boundaryOf` knows. */
  get handed() {
    return this.#handed;
  }

  /**
   * An ES module has a namespace for `import`, one for `require`, or what it exports as 'module.exports'.
   *
   * @param {any} exports another of these
   * @returns {any} what the importing file gets for it, with the same functions
   */
  wrapFurther(exports) {
    const wrapped = this.#membrane.wrapExports(exports, false);
    if (wrapped !== exports && !boundaries.has(wrapped)) boundaries.set(wrapped, this);
    return wrapped;
  }

  /** Name of the replica set that its calls go to: that of the module, or of its group. */
  get setName() {
    return this.setNameBy(this.recipe);
  }

  /** @param {{group?: string}} recipe @returns {string} what that name is where this recipe holds */
  setNameBy({ group }) {
    return group === undefined ? this.child.name : `group ${group}`;
  }

  /** Whether calls through this edge can be seen. */
  get isWrapped() {
    return this.#handed !== this.exports;
  }

  /** Whether the exports, or the default one of an ES module, are an object of a class: of its functions only those are seen that the recipe names. */
  get isPartlySeen() {
    const own = types.isModuleNamespaceObject(this.exports) ? this.exports.default : this.exports;
    return typeof own === 'object' && own !== null && isWrappableObject(own) && !isPlainObject(own);
  }

  /**
   * Another recipe from now on. What was handed out stays: a class that crossed untouched is not wrapped afterwards.
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

  /** Whether there are functions that are not known one by one. */
  get hasOthers() {
    return this.points.has(OTHERS);
  }

  /**
   * @param {Omit<ConstructorParameters<typeof FunctionPoint>[0], 'boundary' | 'hasCallbacks'>} given
   * @returns {FunctionPoint} of a function that was not seen before
   */
  pointFor(given) {
    const name = nameOf(given.path);
    const { hasCallbacks } = this;
    // Another function in the same place goes on with the same figures.
    const known = this.points.get(name);
    // Those beyond are counted together, and stay at home.
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

  /** @param {FunctionPoint} point of a function that is known by itself from now on */
  addPoint(point) {
    this.points.set(point.name, point);
    this.onTouch?.();
    this.onPoint?.(point);
  }

  /** @param {object} original @returns {boolean} whether it is a part of the module that has a wrapper here */
  hasWrapped(original) {
    return this.#membrane.hasWrapped(original);
  }

  /** @param {object} original @returns {any} undefined when it has none here */
  wrapperOf(original) {
    return this.#membrane.wrapperOf(original);
  }

  /** @param {any} wrapper that is an argument @returns {any} what the module has in its place, where the file has it by another import; else undefined */
  behind(wrapper) {
    return this.#membrane.behind(wrapper);
  }

  /**
   * @param {Function} fn that the module has returned, and that has no wrapper here
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

  /** Whether writes below the exports have to be seen too: replicas make them as well. */
  get seesWrites() {
    return this.mayDistribute && this.recipe.pure !== true;
  }

  /** The importing file has written to the exports, or below them. @param {PropertyKey[]} path @param {any[]} values none: it has deleted the name */
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
   * Somebody gets the wrapper before the importing file does, and may define something on it (an instrumentation): that is looked for at
   * the next call.
   */
  expectDefinitions() {
    this.#settledUntil = -Infinity;
    this.#membrane.expectDefinitions();
  }

  /**
   * Brings deletions of what the importing file wrote, and definitions that are expected, to the originals; needed only while it is
   * touched. Of a table with many such names not before each call.
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

  /** The same before a call that is to find the module as the program left it: where there is much to look through, not before each one. */
  reconcileForCall() {
    if (this.#membrane.size <= MOST_PER_CALL) return this.reconcile();
    const begun = performance.now();
    if (begun < this.#reconciledUntil) return;
    this.reconcile();
    this.#reconciledUntil = restAfter(begun);
  }

  /** The same where a look at the number of names shows that it is needed; cheap enough for each import. */
  refresh() {
    this.#membrane.refresh();
  }

  /** Where there are few names, it is cheap enough for the first calls of each function. */
  refreshSmall() {
    this.#membrane.refresh(true);
  }
}

/** @param {number} begun of a look, ms @returns {number} until when there is none */
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
