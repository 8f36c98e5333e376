'use strict';

// Under which name a module exports a function.
// In: its exports. Out: the name of a function that is one of them. It runs no getter, and keeps nothing alive.

// The program may put others in the place of this while we run.
const { WeakMap } = globalThis;

class ExportNames {
  #exports;
  /** @type {WeakMap<Function, PropertyKey> | null} made when somebody asks; most modules never give a function back */
  #names = null;

  /** @param {any} exports */
  constructor(exports) {
    this.#exports = exports;
  }

  /** @param {Function} fn @returns {PropertyKey | undefined} undefined: the module exports it under none */
  nameOf(fn) {
    this.#names ??= namesOf(this.#exports);
    const name = this.#names.get(fn);
    return name !== undefined && valueOf(this.#exports, name) === fn ? name : undefined;
  }

  /** The module may have given itself other names. */
  forget() {
    this.#names = null;
  }
}

/** @param {any} exports */
function namesOf(exports) {
  /** @type {WeakMap<Function, PropertyKey>} */
  const names = new WeakMap();
  const isObject = typeof exports === 'function' || (typeof exports === 'object' && exports !== null);
  for (const key of isObject ? Reflect.ownKeys(exports) : []) {
    const value = key === 'prototype' ? undefined : valueOf(exports, key);
    if (typeof value === 'function' && !names.has(value)) names.set(value, key);
  }
  return names;
}

/** @param {any} exports @param {PropertyKey} key @returns {any} undefined of an accessor, and of what an ES module has not set yet */
function valueOf(exports, key) {
  try {
    return Object.getOwnPropertyDescriptor(exports, key)?.value;
  } catch {
    return undefined;
  }
}

exports.ExportNames = ExportNames;
