'use strict';
/*
 * What is written down beside the copy of a message: its specials. In: where the packing stands, and what it met there. Out: the list of
 * entries, the weight, and errors that name the place. It looks into no object; marshal.js does.
 */
const { IgnisError } = require('../errors');
const { spell, spellPath } = require('./shape');
const { Map, Object } = require('../engine');

class Specials {
  /** @type {any[] | null} */
  special = null;
  weight = 16;
  /** @type {(string | number)[]} where the packing stands within its part: only the first names count, as many as its depth */
  path = [];
  depth = 0;
  /**
   * @type {{value: any, number: number, path: (string | number)[], part: number}[] | null} values that became parts of their own, and where
   *   they belong
   */
  parts = null;
  part = 0;
  /** @type {Map<symbol, number> | null} */
  symbols = null;
  /** what errors call the message: 'args', 'result' */
  root = '';

  /** @param {symbol} value */
  liftSymbol(value) {
    const key = Symbol.keyFor(value);
    if (key !== undefined) this.lift('symbol', spell(key));
    else {
      const known = Object.getOwnPropertyNames(Symbol).find((name) => /** @type {any} */ (Symbol)[name] === value);
      if (known !== undefined) this.lift('known-symbol', known);
      else this.#liftOwnSymbol(value);
    }
    return null;
  }

  /** @param {symbol} value if it comes twice in one message, it arrives as one symbol */
  #liftOwnSymbol(value) {
    this.symbols ??= new Map();
    const known = this.symbols.get(value) ?? this.symbols.size;
    this.symbols.set(value, known);
    this.lift('own-symbol', known, value.description === undefined ? null : spell(value.description));
  }

  /** @param {any[]} entry tag and its data @returns {any[]} the special as it was written down */
  lift(...entry) {
    this.special ??= [0];
    this.weight += 24 + this.depth * 8;
    const special = [this.path.slice(0, this.depth), ...entry];
    this.special.push(special);
    return special;
  }

  /** @param {string} what */
  refuse(what) {
    const where = this.root + spellPath(this.#wholePath());
    return new IgnisError('IGNIS_UNMARSHALABLE', `${where} is ${what}`, { path: where });
  }

  /** From the root of the message, through all parts. */
  #wholePath() {
    const legs = [this.path.slice(0, this.depth)];
    for (let part = this.part; part > 0;) {
      const { path, part: outer } = /** @type {any} */ (this.parts)[part - 1];
      legs.push(path);
      part = outer;
    }
    return legs.reverse().flat(1);
  }
}

exports.Specials = Specials;
