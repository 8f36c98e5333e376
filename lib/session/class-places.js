'use strict';
/*
 * Where an error class is exported. With that, the other side finds its own copy of a class that the module did not export itself but has
 * from elsewhere (from a validator, or from a file of the program). In: a class, or a place that came over the wire. Out: the other of the
 * two. It looks only at CommonJS modules that are already loaded, loads nothing, and runs no getter that does more than read a variable.
 */
const path = require('node:path');
const types = require('node:util/types');
const { exported } = require('./exported');
const { NODES, nodesClass, nodesPlaceOf, nodesPlaceOfOwn } = require('./node-errors');
const { classesOf } = require('./shape');
const engine = require('../engine');

const { Object, WeakMap, WeakSet, isArray, performance } = engine;

/** @typedef {[file: string, name: string]} Place the name is that of the export; '' if the class is all that is exported */

const PACKAGES = `${path.sep}node_modules${path.sep}`;

const AGAIN_MS = 1000;
/** Other modules may pass a class on, and the other side need not have the first one that does. */
const MOST_PLACES = 8;
const ErrorPrototype = engine.globalOf('Error').prototype;

/** A prototype may be a stub of the other side: that is not asked. @param {any} value @returns {boolean} */
function isErrorClass(value) {
  if (typeof value !== 'function' || types.isProxy(value)) return false;
  let at = Object.getOwnPropertyDescriptor(value, 'prototype')?.value;
  while (typeof at === 'object' && at !== null && !types.isProxy(at)) {
    at = Object.getPrototypeOf(at);
    if (at === ErrorPrototype) return true;
  }
  return false;
}

class ClassPlaces {
  #exported;
  /** @type {WeakMap<Function, Place[]>} where it is exported; of modules loaded in one go, the one that began first comes first */
  #places = new WeakMap();
  /** @type {WeakSet<NodeModule>} modules already searched */
  #known = new WeakSet();
  /**
   * @type {WeakMap<Function, number>} when a class was last looked for in vain, ms. Nobody exports built-in classes, or those that a
   *   package keeps to itself, and a program may have thousands of modules.
   */
  #missed = new WeakMap();

  /** @param {(exports: any, name: string) => any} read what an exports object has under a name */
  constructor(read) {
    this.#exported = read;
  }

  /** @param {any} Class @returns {Place[]} empty: no known module exports it */
  of(Class) {
    if (!isErrorClass(Class)) return [];
    const now = performance.now();
    if (!this.#places.has(Class) && now >= (this.#missed.get(Class) ?? -Infinity) + AGAIN_MS) {
      this.#lookAtNew();
      if (!this.#places.has(Class)) this.#missed.set(Class, now);
    }
    return this.#places.get(Class) ?? [];
  }

  /** @param {any} place as it came over the wire @param {string} className @returns {Function | undefined} */
  at(place, className) {
    if (!isArray(place) || typeof place[0] !== 'string' || typeof place[1] !== 'string') return undefined;
    const exports = moduleAt(place[0])?.exports;
    if (!canHold(exports)) return undefined;
    const value = place[1] === '' ? exports : this.#exported(exports, place[1]);
    return isErrorClass(value) && value.name === className ? value : undefined;
  }

  #lookAtNew() {
    // Includes the files of Ignis itself, which no enumeration shows.
    for (const name of Object.getOwnPropertyNames(require.cache)) {
      const module = require.cache[name];
      if (module?.loaded !== true || this.#known.has(module)) continue;
      this.#known.add(module);
      this.#look(module);
    }
  }

  /** @param {NodeModule} module */
  #look({ filename, exports }) {
    if (!canHold(exports)) return;
    const note = (/** @type {any} */ value, /** @type {string} */ name) => {
      if (!isErrorClass(value)) return;
      const known = this.#places.get(value);
      if (known === undefined) this.#places.set(value, [[filename, name]]);
      else if (known.length < MOST_PLACES) known.push([filename, name]);
    };
    note(exports, '');
    for (const name of Object.getOwnPropertyNames(exports)) note(this.#exported(exports, name), name);
  }
}

/** @param {any} exports @returns {boolean} whether it may be asked: a Proxy may be a stub */
function canHold(exports) {
  return exports !== null && (typeof exports === 'object' || typeof exports === 'function') && !types.isProxy(exports);
}

const places = new ClassPlaces(exported);
const placeOf = (/** @type {any} */ Class) => places.of(Class)[0] ?? (isErrorClass(Class) ? nodesPlaceOf(Class) : null);

/** @type {WeakSet<object>} */
const withheld = new WeakSet();

/** For an error that travels without some of its members: getters of its class may need them, and would throw. @param {any} error */
function withhold(error) {
  if (classesOf(error).some((known) => isErrorClass(known) && known.prototype !== Error.prototype && hasGetter(known.prototype)))
    withheld.add(error);
}

/** @param {any} prototype */
function hasGetter(prototype) {
  return Object.getOwnPropertyNames(prototype).some((name) => Object.getOwnPropertyDescriptor(prototype, name)?.get !== undefined);
}

/** @param {any} error @returns {(Place | null)[] | null} a place for each of its `classNames`; null: none has one */
function placesOf(error) {
  if (withheld.has(error)) return null;
  const list = classesOf(error).map(placeOf);
  if (list.length > 0) list[0] = nodesPlaceOfOwn(error) ?? list[0];
  return list.every((place) => place === null) ? null : list;
}

/**
 * @param {string} file
 * @returns {NodeModule | undefined} the module; on another host, where its package has another place, the only one of that name
 */
function moduleAt(file) {
  const exact = require.cache[file];
  const at = file.lastIndexOf(PACKAGES);
  if (exact !== undefined || at < 0) return exact;
  const found = Object.keys(require.cache).filter((name) => name.endsWith(file.slice(at)));
  return found.length === 1 ? require.cache[found[0]] : undefined;
}

/** @param {any} place as it came over the wire @param {string} className @returns {Function | undefined} */
function classAt(place, className) {
  return places.at(place, className);
}

/**
 * @param {any} place as it came over the wire
 * @returns {any} a class of Node's, which may pass for one of the language; undefined: it is neither
 */
const nodesAt = (place) => (isArray(place) && place[0] === NODES ? nodesClass(String(place[1])) : undefined);

exports.ClassPlaces = ClassPlaces;
exports.classAt = classAt;
exports.nodesAt = nodesAt;
exports.placesOf = placesOf;
exports.withhold = withhold;
