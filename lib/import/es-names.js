'use strict';
/*
 * Finds the names that a module exports, and which of them may still change when it has run. In: an address, and what the sources say
 * (es-ahead.js). Out: the same names that Node finds: one that comes from two modules by `export *` does not count (ECMA-262,
 * ResolveExport). Nothing but built-ins is run for it.
 */
const Module = require('node:module');
const { pathToFileURL } = require('node:url');
const { isAnew } = require('./es-ahead');
const { Map, Set } = require('../engine');

/** @typedef {import('./es-ahead').Steps} Steps */
/** @typedef {import('./es-ahead').Next} Next */
/** @typedef {import('./es-source').Surface} Surface */
/** @typedef {import('./es-source').Early} Early */
/**
 * @typedef {Map<string, {isLive: boolean, early: Early}>} Names exported names: whether each may still change when the module has run, and
 *   what it is before
 */

/**
 * @typedef {object} Found
 * @property {Names | null} names null: unknown
 * @property {boolean | null} hasDefault null: unknown
 * @property {boolean} isCommonJs
 *
 * @typedef {object} Source of a name
 * @property {string} origin sources of one origin are the same
 * @property {boolean} isLive
 * @property {Early} early
 */

/** Since Node 23 a CommonJS module has its exports object under this name too. */
const WHOLE = Number(process.versions.node.split('.')[0]) >= 23 ? ['default', 'module.exports'] : ['default'];

const SETTLED = Object.freeze({ isLive: false, early: /** @type {Early} */ ('var') });

/** Nobody exports it, or the search goes round in a circle. @type {Source} */
const NOBODY = { origin: '', isLive: true, early: null };
/** It comes from two modules. @type {Source} */
const AMBIGUOUS = { origin: '*', isLive: true, early: null };
/** It is in a module that cannot be read. @type {Source} */
const UNKNOWN = { origin: '?', isLive: true, early: null };

class EsNames {
  #ahead;
  /** By address, then by name: the modules that export it themselves. @type {Map<string, Map<string, string[]>>} */
  #holders = new Map();

  /** @param {import('./es-ahead').Ahead} ahead */
  constructor(ahead) {
    this.#ahead = ahead;
  }

  /**
   * @param {string} url
   * @param {Set<string> | null} wanted which names, of an ES module; null: all
   * @param {Next} next the next load hook
   * @returns {Steps} gives Found
   */
  *at(url, wanted, next) {
    // With a query, it is something else made by a hook of the program, such as a mock.
    if (url.startsWith('node:') && !isAnew(url)) {
      const names = new Map(['default', ...Object.keys(require(url.slice(5)))].map((name) => [name, SETTLED]));
      return { names, hasDefault: true, isCommonJs: true };
    }
    const surface = yield* this.#ahead.surfaceAt(url, next);
    if (surface === null) return { names: null, hasDefault: this.#ahead.hasDefault(url), isCommonJs: false };
    if (surface.isCommonJs) return { names: yield* this.#ofCommonJs(url, surface, next, new Set()), hasDefault: true, isCommonJs: true };
    const hasDefault = surface.exports.has('default');
    const holders = yield* this.#holdersAt(url, next);
    if (holders === null) return { names: null, hasDefault, isCommonJs: false };
    /** @type {Names} */
    const names = new Map();
    for (const name of holders.keys()) {
      if (wanted !== null && !wanted.has(name)) continue;
      const source = yield* this.#sourceOf(url, name, next, new Set());
      if (source !== AMBIGUOUS && source !== NOBODY) names.set(name, source);
    }
    return { names, hasDefault, isCommonJs: false };
  }

  /**
   * @param {string} url
   * @param {Next} next
   * @returns {Steps} gives Map<string, string[]> | null: for the module and all that it hands on by `export *`
   */
  *#holdersAt(url, next) {
    const known = this.#holders.get(url);
    if (known !== undefined) return known;
    /** @type {Map<string, string[]>} */
    const holders = new Map();
    const seen = new Set([url]);
    // A loop over a set also reaches what is added meanwhile.
    for (const at of seen) {
      const surface = yield* this.#ahead.surfaceAt(at, next);
      if (surface === null) return null;
      const own = surface.isCommonJs ? yield* this.#ofCommonJs(at, surface, next, new Set()) : surface.exports;
      for (const name of own.keys()) {
        if (name === 'default' && at !== url) continue;
        const already = holders.get(name);
        if (already === undefined) holders.set(name, [at]);
        else already.push(at);
      }
      for (const from of surface.isCommonJs ? [] : surface.stars) seen.add((yield* this.#trueAt(from, at, next)) ?? '');
    }
    this.#holders.set(url, holders);
    return holders;
  }

  /** @param {string} url @param {string} name @param {Next} next @param {Set<string>} seen on the way here @returns {Steps} gives Source */
  *#sourceOf(url, name, next, seen) {
    const key = `${url} ${name}`;
    if (seen.has(key)) return NOBODY;
    seen.add(key);
    const all = yield* this.#holdersAt(url, next);
    if (all === null) return UNKNOWN;
    const holders = all.get(name) ?? [];
    if (holders.length === 1 || holders[0] === url) return yield* this.#exportedBy(holders[0], name, next, seen);
    let only = NOBODY;
    for (const from of holders.length === 0 ? [] : (this.#ahead.known(url)?.stars ?? [])) {
      const other = yield* this.#trueAt(from, url, next);
      const source = other === null ? NOBODY : yield* this.#sourceOf(other, name, next, seen);
      if (source === NOBODY) continue;
      if (source === AMBIGUOUS || (only !== NOBODY && only.origin !== source.origin)) return AMBIGUOUS;
      only = source;
    }
    return only;
  }

  /**
   * @param {string} url
   * @param {string} name exported there
   * @param {Next} next
   * @param {Set<string>} seen
   * @returns {Steps} gives Source
   */
  *#exportedBy(url, name, next, seen) {
    const exported = this.#ahead.known(url)?.exports.get(name);
    if (exported === undefined || 'isLive' in exported) return { ...(exported ?? SETTLED), origin: `${url} ${name}` };
    const from = yield* this.#trueAt(exported.from, url, next);
    if (exported.name === null) return { origin: `${from} *`, isLive: false, early: null };
    return from === null ? UNKNOWN : yield* this.#sourceOf(from, exported.name, next, seen);
  }

  /**
   * Names that come by two `export *` and mean the same. Once each way leads through a module of ours they no longer do, so the module must
   * name them.
   * @param {string} url @param {Next} next @returns {Steps} gives {name: string, from: string}[]: from: a specifier
   */
  *doublesAt(url, next) {
    const { stars = [], exports: own = new Map() } = this.#ahead.known(url) ?? {};
    if (stars.length < 2) return [];
    /** @type {Map<string, Map<string, string>>} by name, then by address: the specifier */
    const ways = new Map();
    for (const from of stars) {
      const other = yield* this.#trueAt(from, url, next);
      for (const name of (other === null ? null : yield* this.#holdersAt(other, next))?.keys() ?? []) {
        if (name !== 'default' && !own.has(name)) ways.set(name, (ways.get(name) ?? new Map()).set(other, from));
      }
    }
    const found = [];
    for (const [name, others] of ways) {
      if (others.size < 2 || (yield* this.#sourceOf(url, name, next, new Set())) === AMBIGUOUS) continue;
      // By an address if no way is direct: two modules that hand on everything to each other would name each other.
      const direct = [...others].find(([other]) => this.#ahead.known(other)?.exports.has(name));
      const [holder] = [...others.keys()].flatMap((other) => this.#holders.get(other)?.get(name) ?? []);
      found.push({ name, from: direct?.[1] ?? holder });
    }
    return found;
  }

  /**
   * @param {string} specifier
   * @param {string} parentURL
   * @param {Next} next
   * @returns {Steps} gives the address of the module it finally leads to, or null
   */
  *#trueAt(specifier, parentURL, next) {
    const url = yield* this.#ahead.follow(specifier, parentURL);
    return url === null ? null : yield* this.#ahead.trueOf(url, next);
  }

  /** @param {string} url @param {Surface} surface @param {Next} next @param {Set<string>} visited @returns {Steps} gives Names */
  *#ofCommonJs(url, surface, next, visited) {
    visited.add(url);
    /** @type {Names} */
    const names = new Map();
    for (const from of surface.stars) {
      const other = resolved(from, url);
      if (other === null || visited.has(other)) continue;
      const inner = yield* this.#ahead.surfaceAt(other, next);
      if (inner?.isCommonJs) for (const name of (yield* this.#ofCommonJs(other, inner, next, visited)).keys()) names.set(name, SETTLED);
    }
    for (const name of [...surface.exports.keys(), ...WHOLE]) names.set(name, SETTLED);
    return names;
  }
}

/** @param {string} specifier @param {string} url of a CommonJS file @returns {string | null} */
function resolved(specifier, url) {
  try {
    return pathToFileURL(Module.createRequire(url).resolve(specifier)).href;
  } catch {
    return null;
  }
}

exports.EsNames = EsNames;
