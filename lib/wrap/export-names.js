'use strict';

// Finds the name under which a module exports a function. In: its exports. Out: the name of a function that is one of them. It must run no
// getter, and keep nothing alive.

const { isObject } = require('../engine');

// The program may replace this global while we run.
const { WeakMap } = globalThis;

class ExportNames {
  #exports;
  /** @type {WeakMap<Function, PropertyKey> | null} made on demand; most modules never return a function */
  #names = null;

  /** @param {any} exports */
  constructor(exports) {
    this.#exports = exports;
  }

  /** @param {Function} fn @returns {PropertyKey | undefined} undefined: the module does not export it */
  nameOf(fn) {
    this.#names ??= namesOf(this.#exports);
    const name = this.#names.get(fn);
    return name !== undefined && valueOf(this.#exports, name) === fn ? name : undefined;
  }

  /** The module may have changed its names. */
  forget() {
    this.#names = null;
  }
}

/** @param {any} exports */
function namesOf(exports) {
  /** @type {WeakMap<Function, PropertyKey>} */
  const names = new WeakMap();
  for (const key of isObject(exports) ? Reflect.ownKeys(exports) : []) {
    const value = key === 'prototype' ? undefined : valueOf(exports, key);
    if (typeof value === 'function' && !names.has(value)) names.set(value, key);
  }
  return names;
}

/** @param {any} exports @param {PropertyKey} key @returns {any} undefined for an accessor, and for what an ES module has not set yet */
function valueOf(exports, key) {
  try {
    return Object.getOwnPropertyDescriptor(exports, key)?.value;
  } catch {
    return undefined;
  }
}

exports.ExportNames = ExportNames;
