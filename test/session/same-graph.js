'use strict';
/*
 * Compares two values as graphs: the same kinds, the same contents, the same order, and the same objects shared at the same places. In: two
 * values, to any depth. Out: nothing, or an error with the path of the first difference. Independent of what it tests: it knows nothing of
 * marshal.
 */
const { types } = require('node:util');
const { isPool } = require('../helpers/pool');
const { atHome } = require('./realm');

/** @typedef {{up: Step | null, name: any}} Step */

const KNOWN_SYMBOLS = new Set(Object.getOwnPropertyNames(Symbol).map((name) => /** @type {any} */ (Symbol)[name]));
const isShown = Object.prototype.propertyIsEnumerable;

class Comparison {
  /** @type {Map<any, any>} */
  #there = new Map();
  /** @type {Map<any, any>} */
  #back = new Map();
  /** @type {any[]} one, two, where they stand, ... */
  #open = [];
  /** @type {Step | null} */
  #at = null;

  /** @param {any} one @param {any} two */
  run(one, two) {
    const open = this.#open;
    open.push(one, two, null);
    while (open.length > 0) {
      this.#at = open.pop();
      const b = open.pop();
      this.#compare(open.pop(), b);
    }
  }

  /** @param {any} a @param {any} b */
  #compare(a, b) {
    if (typeof a === 'symbol') return this.#symbols(a, b);
    if (typeof a !== 'object' || a === null) {
      if (!Object.is(a, b)) this.#differ(`${String(a)} became ${show(b)}`);
      return;
    }
    if (typeof b !== 'object' || b === null) this.#differ(`an object became ${show(b)}`);
    if (this.#paired(a, b)) return;
    if (atHome(Object.getPrototypeOf(a)) !== Object.getPrototypeOf(b)) this.#differ('another prototype');
    this.#contents(a, b);
  }

  /** @param {any} a @param {any} b */
  #contents(a, b) {
    if (types.isMap(a)) return this.#lists([...a].flat(1), [...b].flat(1));
    if (types.isSet(a)) return this.#lists([...a], [...b]);
    if (ArrayBuffer.isView(a) || types.isArrayBuffer(a)) return this.#bytes(a, b);
    if (types.isDate(a)) return this.#later('time', a.getTime(), b.getTime());
    if (types.isRegExp(a)) return this.#lists([a.source, a.flags, a.lastIndex], [b.source, b.flags, b.lastIndex]);
    if (types.isBoxedPrimitive(a)) return this.#later('primitive', a.valueOf(), b.valueOf());
    if (a instanceof URL) return this.#later('href', a.href, b.href);
    if (Array.isArray(a) !== Array.isArray(b) || types.isArgumentsObject(a) !== types.isArgumentsObject(b)) this.#differ('another kind');
    if (types.isNativeError(a) !== types.isNativeError(b)) this.#differ('an error, or not');
    this.#members(a, b);
  }

  /** @param {any} a @param {any} b */
  #members(a, b) {
    const names = Object.getOwnPropertyNames(a);
    const others = Object.getOwnPropertyNames(b);
    if (names.length !== others.length) this.#differ(`names ${names.slice(0, 9)} became ${others.slice(0, 9)}`);
    for (let i = 0; i < names.length; i++) {
      const name = names[i];
      if (name !== others[i]) this.#differ(`name ${name} became ${others[i]}`);
      if (isShown.call(a, name) !== isShown.call(b, name)) this.#differ(`${name} shown or hidden`);
      this.#later(name, a[name], b[name]);
    }
    if (Array.isArray(a) || types.isArgumentsObject(a)) return;
    const symbols = Object.getOwnPropertySymbols(a).filter((symbol) => isShown.call(a, symbol));
    const otherSymbols = Object.getOwnPropertySymbols(b);
    this.#lists(symbols, otherSymbols);
    symbols.forEach((symbol, i) => this.#later(symbol, a[symbol], b[otherSymbols[i]]));
  }

  /** @param {any} a @param {any} b */
  #bytes(a, b) {
    const [one, two] = [bytesOf(a), bytesOf(b)];
    if (one.length !== two.length || Buffer.compare(one, two) !== 0) this.#differ('other bytes');
    // Whoever shares a buffer still does; Node's own pool, and the one for all that are empty, are nobody's.
    if (one.buffer.byteLength > 0 && !isPool(one.buffer)) this.#paired(one.buffer, two.buffer);
  }

  /** @param {symbol} a @param {any} b */
  #symbols(a, b) {
    if (Symbol.keyFor(a) !== undefined || KNOWN_SYMBOLS.has(a)) {
      if (a !== b) this.#differ(`${String(a)} became ${show(b)}`);
      return;
    }
    if (typeof b !== 'symbol' || Symbol.keyFor(b) !== undefined || a.description !== b.description)
      this.#differ(`${String(a)} became ${show(b)}`);
    this.#paired(a, b);
  }

  /** @param {any} a @param {any} b @returns {boolean} whether they met before, and each other */
  #paired(a, b) {
    const known = this.#there.get(a);
    if (known === undefined && !this.#back.has(b)) {
      this.#there.set(a, b);
      this.#back.set(b, a);
      return false;
    }
    if (known !== b || this.#back.get(b) !== a) this.#differ('another one is shared');
    return true;
  }

  /** @param {any[]} a @param {any[]} b */
  #lists(a, b) {
    if (a.length !== b.length) this.#differ(`${a.length} items became ${b.length}`);
    for (let i = 0; i < a.length; i++) this.#later(i, a[i], b[i]);
  }

  /** @param {any} name @param {any} a @param {any} b */
  #later(name, a, b) {
    // Most members are primitives: no need to come back for them.
    if (typeof a !== 'object' && typeof a !== 'symbol' && Object.is(a, b)) return;
    this.#open.push(a, b, { up: this.#at, name });
  }

  /** @param {string} what @returns {never} */
  #differ(what) {
    const names = [];
    for (let at = this.#at; at !== null && names.length < 40; at = at.up) names.push(String(at.name));
    throw new Error(`${names.reverse().join(' > ') || 'the root'}: ${what}`);
  }
}

/** @param {any} value */
function show(value) {
  return typeof value === 'object' && value !== null ? 'an object' : String(value);
}

/** @param {any} value */
function bytesOf(value) {
  return ArrayBuffer.isView(value) ? new Uint8Array(value.buffer, value.byteOffset, value.byteLength) : new Uint8Array(value);
}

/**
 * @param {any} one
 * @param {any} two
 */
function sameGraph(one, two) {
  new Comparison().run(one, two);
}

exports.sameGraph = sameGraph;
