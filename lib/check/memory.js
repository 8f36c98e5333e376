'use strict';
/*
 * Who sees what a function remembers? A cache that only the function sees is its own matter; a table that others read is state, though none
 * of its own answers shows that (`define` and `lookup`). In: a function, the variables that it was seen to change, and all that its module
 * has loaded. Out: who else sees them. It runs no code of the module.
 */
const types = require('node:util/types');
const { readFunction } = require('./syntax');
const { scopeOf } = require('./variables');
const { isObject } = require('../engine');

/**
 * @typedef {{path: string, fn: any, isSteady: boolean}} Sharer an exported function; `isSteady`: its calls were compared after those of all
 *   others, and had the same answers
 */

class Memory {
  #scopes;
  #search;
  #roots;
  #seen;
  #open;

  /**
   * @param {object} given
   * @param {import('./state').State} given.state
   * @param {import('./scopes').Scopes} given.scopes
   * @param {(fn: any) => Set<any>} given.search what a function leads to
   * @param {any[]} given.roots exports of all modules that were loaded for this one
   * @param {string[]} given.names of all variables in which something is remembered
   */
  constructor({ state, scopes, search, roots, names }) {
    this.#scopes = scopes;
    this.#search = search;
    this.#roots = roots;
    this.#seen = state.look(roots, names);
    this.#open = exposed(roots);
  }

  /**
   * @param {any} fn
   * @param {string[]} names of the variables in which it remembers something, as in pictures
   * @param {Sharer[]} sharers the other functions of its module
   * @returns {string | null} what is seen, and by whom; null: nobody else sees it
   */
  seenBy(fn, names, sharers) {
    if (names.length === 0) return 'something without a name';
    const { functions, variables, blind } = this.#seen;
    if (blind !== '') return `${names[0]}, and ${blind}`;
    const led = this.#search(fn);
    for (const name of names) {
      const values = variables.get(name);
      // Something on the exports, or on an object that everybody has.
      if (values === undefined || values.size === 0) return /^<\d>$/.test(name) ? 'its exports' : name || 'something without a name';
      if ([...values].some((value) => this.#open.has(value))) return `${name}, which is among the exports of a module`;
      const readers = functions.filter((one) => this.#reads(one, name, values));
      const other = readers.find((one) => !led.has(one));
      if (other !== undefined) return `${name}, which '${this.#nameOf(other, sharers)}' reads`;
      const sharer = sharers.find((one) => one.fn !== fn && !one.isSteady && readers.some((reader) => this.#search(one.fn).has(reader)));
      if (sharer !== undefined) return `${name}, which '${sharer.path}' leads to`;
    }
    return null;
  }

  /** @param {Function} fn @param {Sharer[]} sharers @returns {string} the name that its callers know */
  #nameOf(fn, sharers) {
    const path = sharers.find((one) => one.fn === fn)?.path;
    const keys = this.#roots.flatMap((root) => Object.entries(Object.getOwnPropertyDescriptors(root ?? {})));
    return path || fn.name || keys.find(([, { value }]) => value === fn)?.[0] || 'another function';
  }

  /** @param {Function} fn @param {string} name @param {Set<any>} values */
  #reads(fn, name, values) {
    const source = readFunction(fn);
    if (source === 'unread') return true;
    if (source === null || !new RegExp(`(?<![\\w$])${name.replace(/\$/g, '\\$&')}(?![\\w$])`).test(source.text)) return false;
    const scope = scopeOf(name, this.#scopes.hidden(fn));
    return scope !== undefined && values.has(scope[1][name]);
  }
}

/** @param {any[]} roots @returns {Set<any>} objects that everybody who has these can reach: without what closures hide; runs no getter */
function exposed(roots) {
  const found = new Set(roots);
  for (const value of found) {
    if (!isObject(value) || types.isProxy(value)) continue;
    for (const { value: part } of Object.values(Object.getOwnPropertyDescriptors(value))) if (isObject(part)) found.add(part);
    const entries = types.isMap(value) ? Map.prototype.entries.call(value) : types.isSet(value) ? Set.prototype.entries.call(value) : [];
    for (const parts of entries) for (const part of parts) found.add(part);
  }
  return found;
}

exports.Memory = Memory;
