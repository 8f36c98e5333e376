'use strict';
/*
 * Variables around functions, as they are now: what they hold, which of them never change, and for each name everything that was met under
 * it. In: functions and names. Out: values. It runs no code of the module.
 */
const types = require('node:util/types');
const { isSetOnce } = require('./constants');
const { isUnsendable } = require('./members');
const { isObject } = require('../engine');

/** @typedef {import('./scopes').Scopes} Scopes */
/** @typedef {[string, any]} Hidden kind and value; for a scope, an object of its variables */

/** Node has getters for these. @type {Record<string, any>} */
const GIVEN = Object.freeze(Object.assign(Object.create(null), { process, Buffer, performance }));

class Variables {
  #scopes;
  /** @type {Map<any, Hidden[]>} */
  #hidden = new Map();
  /** Values, each with a function that names it. @type {Map<string, Map<any, any>>} */
  #named = new Map();
  /** @type {Map<any, number>} */
  #ids = new Map();
  /** Names about which something was concluded that is true only for their values. @type {Set<string>} */
  #relied = new Set();

  /** @param {Scopes} scopes */
  constructor(scopes) {
    this.#scopes = scopes;
  }

  /** @param {any} value @returns {Hidden[]} */
  hiddenOf(value) {
    let hidden = this.#hidden.get(value);
    if (hidden === undefined) this.#hidden.set(value, (hidden = this.#scopes.hidden(value)));
    return hidden;
  }

  /** @param {any} value @returns {number} */
  idOf(value) {
    const id = this.#ids.get(value) ?? this.#ids.size;
    this.#ids.set(value, id);
    return id;
  }

  /**
   * @param {string} name
   * @param {any} value
   * @param {any} fn that names it
   * @returns {boolean} false: what was concluded about others of that name may not be true of it
   */
  meet(name, value, fn) {
    const known = this.#named.get(name) ?? new Map();
    this.#named.set(name, known);
    if (known.has(value)) return true;
    known.set(value, fn);
    return !this.#relied.has(name);
  }

  /** @param {string} label "'name'" @returns {any[]} everything that was met under that name */
  valuesOf(label) {
    return [...(this.#named.get(label.slice(1, -1))?.keys() ?? [])];
  }

  /**
   * @param {any} fn
   * @param {string[]} path
   * @returns {string | null} what is there in all calls, as the name of a property; null: it may change
   */
  constant(fn, [name, ...rest]) {
    if (!this.#isFixed(fn, name)) return null;
    let value = scopeOf(name, this.hiddenOf(fn))?.[1][name];
    for (const key of rest) {
      if (!isObject(value) || types.isProxy(value) || !Object.isFrozen(value)) return null;
      value = Reflect.getOwnPropertyDescriptor(value, key)?.value;
    }
    return typeof value === 'string' || typeof value === 'number' ? String(value) : null;
  }

  /** @param {any} fn @param {string} name */
  #isFixed(fn, name) {
    const scope = scopeOf(name, this.hiddenOf(fn));
    // Other scripts may write there.
    return scope !== undefined && !scope[0].endsWith('of all scripts') && isSetOnce(fn, name, this.#scopes);
  }

  /**
   * @param {string} label
   * @param {any} maker
   * @returns {boolean} whether nothing with that label is, or ever becomes, an object that it made
   */
  isNone(label, maker) {
    if (!isUnsendable(maker)) return false;
    if (label.startsWith('its argument')) return true;
    const name = /^'(.*)'$/s.exec(label)?.[1] ?? 'this';
    const values = [...(this.#named.get(name) ?? [])];
    const isNone =
      name !== 'this' && values.length > 0 && values.every(([value, fn]) => !isMadeBy(value, maker) && this.#isFixed(fn, name));
    if (isNone) this.#relied.add(name);
    return isNone;
  }
}

/** @param {any} value @param {any} maker */
const isMadeBy = (value, maker) => types.isProxy(value) || Object.prototype.isPrototypeOf.call(maker.prototype, value);

/** @param {string} name @param {Hidden[]} hidden @returns {Hidden | undefined} */
const scopeOf = (name, hidden) => hidden.find(([kind, variables]) => kind.startsWith('scope') && Object.hasOwn(variables, name));

/** @param {string} name @param {Hidden[]} hidden @returns {any} */
function variableOf(name, hidden) {
  const scope = scopeOf(name, hidden);
  if (scope !== undefined) return scope[1][name];
  return GIVEN[name] ?? Reflect.getOwnPropertyDescriptor(globalThis, name)?.value;
}

exports.Variables = Variables;
exports.scopeOf = scopeOf;
exports.variableOf = variableOf;
