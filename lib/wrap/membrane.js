'use strict';

// Makes and keeps the wrappers of one boundary. In: values of the child module. Out: for a function a closure, for an object that holds
// functions a copy with accessors, for all else the value itself. Same object in, same wrapper out. It must never change an original on its
// own.

const { types } = require('node:util');
const { closureOf } = require('./crossing');
const { FIXED_OF_FUNCTIONS, dress, methodsOf, targetFor } = require('./dress');
const { isInterop } = require('./interop');
const { Mirror } = require('./mirror');
const { Mirrors } = require('./mirrors');
const { nameOf } = require('./point');
const { handedBy, isView, noteEdge, noteWritten, originals, pointOf, register, unwrap } = require('./originals');
const { standFor } = require('./stand');
const { viewOf } = require('./view');
const { isClassLike, isContainer, isNamedAsClass, isPlainObject, isWrappableFunction, isWrappableObject } = require('./values');
const { isObject } = require('../engine');

// The program may replace these globals while we run.
const { Object, Set, Symbol, WeakMap, WeakSet } = globalThis;
const { create } = Object;

/** Exports with more names than this are made fast. */
const MANY = 64;

const NOBODYS = Symbol('ignis.nobodys');

/** @type {Set<Mirror>} */
const NONE = new Set();

class Membrane {
  #boundary;
  /** @type {import('./view').Views | null} */
  #views;
  /** @type {WeakMap<object, any>} by original: its wrapper */
  #wrappers;
  // Each import of a program has a membrane, so what few of them need is made on demand.
  /** @type {WeakSet<object> | null} what the importing file wrote: it gets this back unwrapped */
  #kept;
  /** @type {WeakMap<object, any> | null} by wrapper from another import of the file: what this module knows instead */
  #behind = null;
  #mirrors = new Mirrors();
  /** @type {Set<Mirror> | null} those that the importing file has written to */
  #touched = null;
  /** somebody may have defined something on a wrapper since it was handed out */
  #mayBeDefined = false;
  /** @type {object | null} instead of a wrapper of the exports, until somebody asks for that */
  #standIn = null;

  /** @param {import('./boundary').Boundary} boundary gets the function points */
  constructor(boundary) {
    this.#boundary = boundary;
    this.#views = boundary.views;
    this.#wrappers = this.#views?.wrappers ?? new WeakMap();
    this.#kept = this.#views?.kept ?? null;
  }

  /**
   * @param {any} exports
   * @param {boolean} isPartial the module is still loading: missing names may yet come
   */
  wrapExports(exports, isPartial) {
    if (isPartial && isPlainObject(exports, true) && !isView(exports)) return this.#copy(exports, []);
    if (types.isModuleNamespaceObject(exports)) return this.#mayWrapMembers(exports) ? this.#copy(exports, []) : exports;
    return this.wrap(exports, [], undefined);
  }

  /**
   * A wrapper has a pair of accessors a name, in each file that imports it: for a large module, more than is ever used.
   * @param {any} exports @returns {any} a mere stand-in for their wrapper; or the exports themselves, if they would have no wrapper
   */
  standInFor(exports) {
    const mayStandIn = types.isModuleNamespaceObject(exports)
      ? this.#mayWrapMembers(exports)
      : !originals.has(exports) &&
        (typeof exports === 'function' ? isWrappableFunction(exports) && this.#mayWrap(exports, []) : isContainer(exports));
    if (!mayStandIn) return this.wrapExports(exports, false);
    this.#standIn = {};
    this.#wrappers.set(exports, this.#standIn);
    return this.#standIn;
  }

  /** @param {any} handed for the exports @returns {any} the same; for a stand-in, the wrapper */
  whole(handed) {
    if (handed !== this.#standIn || handed === null) return handed;
    this.#standIn = null;
    const { exports } = this.#boundary;
    this.#wrappers.delete(exports);
    return this.wrapExports(exports, false);
  }

  /**
   * @param {any} value
   * @param {PropertyKey[]} path from the exports
   * @param {any} holder where it was found
   * @returns {any} its wrapper, or itself
   */
  wrap(value, path, holder) {
    const isFunction = typeof value === 'function';
    if (!isFunction && (typeof value !== 'object' || value === null)) return value;
    const known = this.wrapperOf(value);
    if (known !== undefined) return this.#views === null ? known : this.#adopt(known);
    if (this.isKept(value)) return value;
    const sibling = path.length === 0 ? undefined : this.#siblingOf(value);
    if (sibling !== undefined) return sibling;
    // The wrapper's own edge counts its calls already; but they can leave only through this edge.
    if (originals.has(value) && !this.#boundary.mayDistribute) return value;
    if (this.#views !== null && originals.has(value)) return this.#wrapAgain(value, path, holder);
    if (isFunction) return isWrappableFunction(value) && this.#mayWrap(value, path) ? this.#close(value, path, holder) : value;
    if (isContainer(value)) return this.#copy(value, path);
    const { seesWrites, unseen } = this.#boundary;
    if ((seesWrites || unseen === '') && isFewOptions(value)) {
      if (seesWrites) return this.#copy(value, path);
      this.#boundary.unseen = path.map(String).join('.');
    }
    return this.#mayStand(value, path) ? this.#stand(value, path) : value;
  }

  /** What another import gave the file for this value: it may compare them. @param {any} value @returns {any} undefined: nothing yet */
  #siblingOf(value) {
    const { siblings, mayDistribute } = this.#boundary;
    const isWrapper = originals.has(value);
    if (siblings === null || (isWrapper && mayDistribute)) return undefined;
    const edge = isWrapper ? handedBy(value) : this.#boundary;
    if (edge === undefined) return undefined;
    const original = unwrap(value);
    const sibling = siblings.find(original, edge);
    if (sibling === undefined && isWrapper) siblings.note(original, value, edge);
    if (sibling === undefined || sibling === value) return undefined;
    this.#wrappers.set(value, sibling);
    (this.#behind ??= new WeakMap()).set(sibling, value);
    return sibling;
  }

  /** @param {any} wrapper @returns {any} what the module has there, if another import handed the file this wrapper; else undefined */
  behind(wrapper) {
    return this.#behind?.get(wrapper);
  }

  /** With two namespaces at one edge (`import` and `require` of an ES module), the later one shares the functions. @param {any} view */
  #adopt(view) {
    const boundary = this.#boundary;
    const point = pointOf(view);
    if (point === undefined || point.boundary === boundary || point.boundary.id !== boundary.id || boundary.points.has(point.name))
      return view;
    boundary.addPoint(point);
    return view;
  }

  /** Another module's view, passed on by one whose calls may leave. @param {any} view @param {PropertyKey[]} path @param {any} holder */
  #wrapAgain(view, path, holder) {
    if (this.#views?.staysHome) return view;
    return typeof view === 'function' ? this.#close(view, path, holder) : this.#copy(view, path);
  }

  /** @param {any} value written by the importing file */
  keep(value) {
    if (!isObject(value) || originals.has(value)) return;
    (this.#kept ??= new WeakSet()).add(value);
    noteWritten(value);
  }

  /** @param {any} value @returns {boolean} whether the program wrote it */
  isKept(value) {
    return this.#kept?.has(value) === true;
  }

  /** @param {string} name of something that the program has changed in a way that no replica can repeat */
  missed(name) {
    this.#boundary.missed ||= name;
  }

  /** @param {PropertyKey[]} path @param {any[]} values */
  wrote(path, values) {
    this.#boundary.noteWrite(path, values);
  }

  /** @param {Mirror} mirror */
  touched(mirror) {
    (this.#touched ??= new Set()).add(mirror);
    this.#boundary.touch(true);
  }

  expectDefinitions() {
    if (this.#views !== null) return;
    this.#mayBeDefined = true;
    this.#boundary.touch(true);
  }

  /** Called before a call into the module. @returns {number} of names that still need watching */
  settleWritten() {
    if (this.#mayBeDefined) {
      this.#mayBeDefined = false;
      this.reconcile();
    }
    const touched = this.#touched ?? NONE;
    let written = 0;
    for (const mirror of touched) {
      const left = mirror.settleWritten();
      if (left === 0) touched.delete(mirror);
      written += left;
    }
    if (touched.size === 0) this.#boundary.touch(false);
    return written;
  }

  /** @param {object} original */
  hasWrapped(original) {
    return this.#wrappers.has(original);
  }

  /** @param {object} original @returns {any} undefined when it has none */
  wrapperOf(original) {
    const known = this.#wrappers.get(original);
    return known !== undefined && known === this.#standIn ? this.#boundary.wrapped : known;
  }

  reconcile() {
    this.#mirrors.reconcile();
  }

  /** How much there is to reconcile. */
  get size() {
    return this.#mirrors.size;
  }

  /** Looks only at the exports themselves. @param {boolean} [ifFew] only if they have few names */
  refresh(ifFew = false) {
    if (this.#mirrors.areStale(ifFew ? MANY : Infinity)) this.reconcile();
  }

  /** @param {any} namespace of an ES module */
  #mayWrapMembers(namespace) {
    return Object.entries(namespace).some(
      ([name, value]) => isWrappableFunction(value) || isContainer(value) || this.#mayStand(value, [name]),
    );
  }

  /** Classes are compared by identity across files: unless hot, they cross unwrapped; so does a class only by name, unless its calls may leave. @param {Function} fn @param {PropertyKey[]} path */
  #mayWrap(fn, path) {
    if (isInterop(fn)) return false;
    const { mayDistribute, recipe } = this.#boundary;
    return recipe.hot === true || !(isClassLike(fn) || (!mayDistribute && isNamedAsClass(fn, path)));
  }

  /** Below the exports, names come and go (a table of plugins); a Proxy sees that. @param {any} original @param {PropertyKey[]} path */
  #copy(original, path) {
    const isTop = path.length === 0 || (path.length === 1 && path[0] === 'default');
    if (this.#views !== null || !isTop) return this.#view(original, {}, path);
    // A shadow that will be made fast starts as a hash table: V8 takes four times as long to find out by itself that it should be one.
    const shadow = isLarge(original) ? create(null) : {};
    this.#hand(original, shadow);
    const mirror = new Mirror({ original, shadow, host: this, path });
    const prototype = Object.getPrototypeOf(original);
    Object.setPrototypeOf(shadow, mirror.proxyAs(prototype === null ? null : Object.prototype));
    this.#add(mirror, shadow, original);
    return shadow;
  }

  /** @param {any} original @param {any} wrapper that is new @param {import('./point').FunctionPoint} [point] of a function */
  #hand(original, wrapper, point) {
    this.#wrappers.set(original, wrapper);
    register(wrapper, original, point);
    this.#boundary.siblings?.note(unwrap(original), wrapper, this.#boundary);
  }

  /** @param {any} original @param {any} target @param {PropertyKey[]} path @param {import('./point').FunctionPoint} [point] of a function */
  #view(original, target, path, point) {
    if (point !== undefined) dress(target, original);
    const view = viewOf({ original, target, host: this, path });
    this.#hand(original, view, point);
    noteEdge(view, this.#boundary);
    return view;
  }

  /** Whether the recipe names a function of the object there. @param {PropertyKey[]} path */
  #isNamedBelow(path) {
    const prefix = path.length === 0 ? '' : `${nameOf(path)}.`;
    return Object.keys(this.#boundary.recipe.functions ?? {}).some(
      (name) => name.startsWith(prefix) && !name.slice(prefix.length).includes('.'),
    );
  }

  /** Whether it is an instance of a class and the recipe names a function of it. @param {any} value @param {PropertyKey[]} path */
  #mayStand(value, path) {
    return typeof value === 'object' && value !== null && this.#isNamedBelow(path) && !isPlainObject(value) && isWrappableObject(value);
  }

  /** @param {any} original an instance of a class @param {PropertyKey[]} path */
  #stand(original, path) {
    const shadow = standFor({
      original,
      isNamed: (key) => this.#boundary.recipe.functions?.[nameOf([...path, key])] !== undefined,
      close: (fn, key) => this.#close(fn, [...path, key], original),
      boundary: this.#boundary,
    });
    this.#wrappers.set(original, shadow);
    return shadow;
  }

  /** @param {any} fn @param {PropertyKey[]} path @param {any} holder */
  #close(fn, path, holder) {
    const homeShadow = holder === undefined ? undefined : this.#wrappers.get(holder);
    const point = this.#boundary.pointFor({ path, fn, holder, homeShadow });
    const shadow = closureOf(point, homeShadow);
    if (this.#views !== null) return this.#view(fn, targetFor(shadow, fn), path, point);
    this.#hand(fn, shadow, point);
    const mirror = new Mirror({ original: fn, shadow, host: this, path, fixed: FIXED_OF_FUNCTIONS, methods: methodsOf(fn) });
    dress(shadow, fn);
    Object.setPrototypeOf(shadow, mirror.proxyAs(Object.getPrototypeOf(fn)));
    this.#add(mirror, shadow, fn);
    return shadow;
  }

  /** @param {Mirror} mirror @param {object} shadow @param {object} original */
  #add(mirror, shadow, original) {
    mirror.reconcile();
    this.#mirrors.add(mirror, typeof original !== 'function');
    if (isLarge(original)) makeFast(shadow);
  }
}

/** @param {object} original @returns {boolean} whether it has so many names that its shadow should be made fast */
function isLarge(original) {
  // In a circle of imports, Node puts its warning about missing names behind the exports.
  return Reflect.ownKeys(original).length > MANY && !types.isProxy(Object.getPrototypeOf(original));
}

/**
 * To V8 (11 to 13), an object that got many accessors one by one is a hash table, and each call through it costs 10 ns more. When it is
 * read through as a prototype, it becomes fast again. Nobody has the name that is read, so nothing runs but our own trap.
 * @param {object} shadow
 */
function makeFast(shadow) {
  const child = create(shadow);
  for (let i = 0; i < 3; i++) readThrough(child);
}

/** @param {any} child */
function readThrough(child) {
  return child[NOBODYS];
}

/** @param {any} value @returns {boolean} data that may be options: writes to them must be seen */
function isFewOptions(value) {
  return isPlainObject(value) && Object.isExtensible(value) && Reflect.ownKeys(value).length <= MANY;
}

exports.Membrane = Membrane;
