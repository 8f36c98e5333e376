'use strict';
/*
 * Who else changes what a function reads? A setter that no test calls shows in no replay, nor one that is called with the present value.
 * In: a function, and the functions of all modules loaded for its own. Out: what is changed, and by whom. It runs no code of the module.
 */
const { isSetOnce } = require('./constants');
const { propertyOf } = require('./members');
const { pathsIn } = require('./paths');
const { readFunction } = require('./syntax');
const { scopeOf } = require('./variables');
const { isObject } = require('../engine');

/**
 * @typedef {{path: string, fn: any, holder: any, isSteady: boolean}} Other a function that somebody may call; `isSteady`: its calls were
 *   compared after those of all others, and had the same answers
 */
/** @typedef {{suspects: string[], led: Set<any>}} Searched */

/** For all functions of a module together, ms; what was not looked at by then is not found. */
const MOST_MS = 5000;
const now = performance.now.bind(performance);

class Changers {
  #scopes;
  #search;
  #others;
  #remembered;
  #end = now() + MOST_MS;
  /** @type {Map<any, import('./variables').Hidden[]>} */
  #hidden = new Map();
  /** Texts of the files that contain functions. @type {Map<any, string | null>} */
  #texts = new Map();

  /**
   * @param {object} given
   * @param {import('./scopes').Scopes} given.scopes
   * @param {(fn: any, holder: any) => Searched} given.search
   * @param {Other[]} given.others
   * @param {readonly string[]} given.remembered the variables in which functions were seen to remember something: for these it is known
   *   whether others see them
   */
  constructor({ scopes, search, others, remembered }) {
    this.#scopes = scopes;
    this.#search = search;
    this.#others = others;
    this.#remembered = remembered;
  }

  /** @param {any} fn @param {any} holder @returns {string | null} what is changed, and by whom; null: nothing known */
  changerOf(fn, holder) {
    const { led } = this.#search(fn, holder);
    const read = this.#readBy(led);
    const files = new Set([...led].map((one) => this.#textOf(one)));
    const isOfThis = pathsOf(fn).some(({ path }) => path[0] === 'this' && path.length > 1);
    for (const other of read.size > 0 || isOfThis ? this.#others : []) {
      if (other.fn === fn || now() > this.#end || !files.has(this.#textOf(other.fn))) continue;
      for (const name of changedBy(this.#search(other.fn, other.holder))) {
        if (other.isSteady && this.#remembered.includes(name)) continue;
        if (name === 'this' ? isOfThis && other.holder === holder : this.#isSame(name, read.get(name), other))
          return `${name}, which '${other.path}' changes`;
      }
    }
    return null;
  }

  /** @param {Set<any>} led @returns {Map<string, Set<any>>} variables around them that may change, and what they hold */
  #readBy(led) {
    /** @type {Map<string, Set<any>>} */
    const read = new Map();
    for (const fn of led) {
      const paths = pathsOf(fn);
      for (const name of new Set(paths.map(({ path }) => path[0]))) {
        const scope = scopeOf(name, this.#hiddenOf(fn));
        if (scope === undefined) continue;
        const value = scope[1][name];
        const isOpen = isObject(value) && typeof value !== 'function' && !Object.isFrozen(value);
        if ((isOpen && isLookedInto(value, name, paths)) || !isSetOnce(fn, name, this.#scopes))
          read.set(name, (read.get(name) ?? new Set()).add(value));
      }
    }
    return read;
  }

  /**
   * @param {string} name
   * @param {Set<any> | undefined} values
   * @param {Other} other
   * @returns {boolean} whether what it changes has one of these values: two variables may have the same name
   */
  #isSame(name, values, { fn, holder }) {
    if (values === undefined) return false;
    return [...this.#search(fn, holder).led].some((one) => {
      const scope = scopeOf(name, this.#hiddenOf(one));
      return scope !== undefined && values.has(scope[1][name]);
    });
  }

  /** @param {any} fn @returns {import('./variables').Hidden[]} */
  #hiddenOf(fn) {
    let hidden = this.#hidden.get(fn);
    if (hidden === undefined) this.#hidden.set(fn, (hidden = this.#scopes.hidden(fn)));
    return hidden;
  }

  /** @param {any} fn @returns {string | null} */
  #textOf(fn) {
    let text = this.#texts.get(fn);
    if (text === undefined) this.#texts.set(fn, (text = this.#scopes.placeOf(fn)?.text ?? null));
    return text;
  }
}

/** @param {any} fn @returns {import('./paths').Path[]} */
function pathsOf(fn) {
  const source = readFunction(fn);
  return source === null || source === 'unread' ? [] : pathsIn(source);
}

/**
 * @param {any} value
 * @param {string} name of the variable that holds it
 * @param {import('./paths').Path[]} paths
 * @returns {boolean} whether anything but functions is read from it: otherwise it only gives functions their names
 */
function isLookedInto(value, name, paths) {
  const own = paths.filter(({ path }) => path[0] === name);
  return own.some(({ path, isOpen }) => {
    if (isOpen) return true;
    if (own.some((other) => other.path.length > path.length && path.every((key, i) => other.path[i] === key))) return false;
    let end = value;
    for (const key of path.slice(1)) end = propertyOf(end, key)?.value;
    return typeof end !== 'function';
  });
}

/** @param {Searched} searched @returns {string[]} names of variables */
const changedBy = ({ suspects }) => suspects.flatMap((one) => /^a change of '(.*)'$/.exec(one)?.slice(1) ?? []);

exports.Changers = Changers;
