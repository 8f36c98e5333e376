'use strict';
/*
 * Messages of calls whose arguments are restored (copy-restore as in NRMI: Tilevich and Smaragdakis, ICDCS 2003). On the way out, the
 * objects and symbols of the arguments are noted in the order they are met; restore-survey.js numbers the copies on the other side in the
 * same order. On the way back, what has a number travels as that number. In: values. Out: messages as marshal.js makes them. It changes
 * nothing.
 */
const { Packer } = require('./marshal');
const { freshCopyOf } = require('../wire/byte-pool');
const { LEVEL, levelOf } = require('./level');
const { Object, Set } = require('../engine');

/** @typedef {import('./marshal').Marshalled} Marshalled */

/**
 * @typedef {object} Met what the arguments of one call consist of
 * @property {object[]} objects by number; the list of arguments is the first
 * @property {symbol[]} symbols of the program's own, by number
 * @property {boolean} [isOver] its caller no longer waits: nothing is restored
 */

/** The way out. */
class NotingPacker extends Packer {
  /** @type {Set<object>} in the order of meeting */
  #objects = new Set();

  /** @param {any} value @returns {any} */
  pack(value) {
    if (typeof value !== 'object' || value === null || this.#objects.has(value)) return super.pack(value);
    this.#objects.add(value);
    const parts = this.parts?.length ?? 0;
    const packed = super.pack(value);
    // A part that was cut out is somewhere else in the copy; a callee that changes it learns only from home that it is closed.
    if (!Object.isExtensible(value) && (this.parts?.length ?? 0) === parts) this.#close(value);
    return packed;
  }

  /** @param {object} value that cannot be extended here: then nobody may extend it there */
  #close(value) {
    const level = levelOf(value);
    if (level !== LEVEL.OPEN) this.lift('closed', level);
  }

  /** @returns {Met} */
  takeMet() {
    return { objects: [...this.#objects], symbols: this.symbols === null ? [] : [...this.symbols.keys()] };
  }
}

/** The way back. */
class NumberingPacker extends Packer {
  #ledger;
  /** it names something that home has */
  hasNamed = false;

  /** @param {import('./restore').Ledger} ledger */
  constructor(ledger) {
    super();
    this.#ledger = ledger;
  }

  /** @param {any} value @returns {any} */
  pack(value) {
    if (typeof value === 'function') {
      const reference = this.#ledger.referenceOf(value);
      if (reference !== undefined) return this.#name('own', reference);
    } else if (typeof value === 'object' && value !== null) {
      const number = this.#ledger.numbers.get(value);
      if (number !== undefined) return this.#name('argument', number);
    }
    return super.pack(value);
  }

  /** @param {symbol} value */
  liftSymbol(value) {
    const number = this.#ledger.symbols.get(value);
    return number === undefined ? super.liftSymbol(value) : this.#name('argument-symbol', number);
  }

  /** @param {string} tag @param {number} number */
  #name(tag, number) {
    this.hasNamed = true;
    this.lift(tag, number);
    return null;
  }
}

/**
 * @param {any[]} args
 * @param {(value: any) => any[] | null} lend
 * @param {(bytes: Uint8Array) => Buffer} [copyOf]
 * @returns {{packed: Marshalled, met: Met}}
 * @throws {IgnisError} IGNIS_UNMARSHALABLE with `path` when something in it cannot be sent
 */
function marshalNoting(args, lend, copyOf = freshCopyOf) {
  const packer = new NotingPacker();
  const packed = packer.packMessage(args, lend, 'args', copyOf);
  return { packed, met: packer.takeMet() };
}

/**
 * @param {any} value
 * @param {import('./restore').Ledger} ledger
 * @param {(bytes: Uint8Array) => Buffer} [copyOf]
 * @returns {{packed: Marshalled, hasNamed: boolean}} hasNamed: it can be read only with the call's own objects
 * @throws {IgnisError} IGNIS_UNMARSHALABLE with `path` when something in it cannot be sent
 */
function marshalNumbering(value, ledger, copyOf = freshCopyOf) {
  const packer = new NumberingPacker(ledger);
  const packed = packer.packMessage(value, null, 'result', copyOf);
  return { packed, hasNamed: packer.hasNamed };
}

exports.marshalNoting = marshalNoting;
exports.marshalNumbering = marshalNumbering;
