'use strict';
/*
 * Symbols of a program's own, by the numbers under which they cross. In: a symbol, or a number from the wire. Out: the other. Each side has
 * a symbol of its own for a number. One that nobody here can reach is collected, and made anew when the other side names it again: whoever
 * could tell the difference would have kept it. Only if a module in a replica uses it as a key (in its weak collections) is it kept for
 * good, since home may still have its own.
 */
const { isKey } = require('./weak-keys');
const { Finalizers } = require('../session/finalizers');
const engine = require('../engine');

const { Map, Set, Symbol, WeakMap, WeakRef } = engine;

class Symbols {
  /** @type {WeakMap<any, number>} */
  #ids = new WeakMap();
  /** @type {Map<number, WeakRef<any>>} */
  #symbols = new Map();
  /** @type {Set<symbol>} */
  #pinned = new Set();
  #finalizers = new Finalizers((id) => this.#collected(id));
  #nextId;

  /** @param {boolean} isHome */
  constructor(isHome) {
    this.#nextId = isHome ? 2 : 1;
  }

  get size() {
    return this.#symbols.size;
  }

  /** @param {symbol} symbol @returns {number} */
  idOf(symbol) {
    const known = this.#ids.get(symbol);
    if (known !== undefined) return known;
    const id = this.#nextId;
    this.#nextId += 2;
    this.#note(symbol, id);
    return id;
  }

  /** @param {number} id @param {string | undefined} description @returns {symbol} */
  get(id, description) {
    const known = this.#symbols.get(id)?.deref();
    if (known !== undefined) return known;
    const symbol = Symbol(description);
    this.#note(symbol, id);
    return symbol;
  }

  /** A module uses it as a key. @param {symbol} symbol */
  pin(symbol) {
    if (this.#ids.has(symbol)) this.#pinned.add(symbol);
  }

  /** Also in the middle of a long turn, in which no finalizer runs. */
  sweep() {
    for (const id of this.#symbols.keys()) this.#collected(id);
  }

  /** @param {symbol} symbol @param {number} id */
  #note(symbol, id) {
    this.#ids.set(symbol, id);
    this.#symbols.set(id, new WeakRef(/** @type {any} */ (symbol)));
    this.#finalizers.register(/** @type {any} */ (symbol), id);
    if (isKey(symbol)) this.#pinned.add(symbol);
  }

  /** @param {number} id unless it was made anew */
  #collected(id) {
    if (this.#symbols.get(id)?.deref() === undefined) this.#symbols.delete(id);
  }
}

exports.Symbols = Symbols;
