'use strict';
/*
 * The ledger of one call whose arguments are restored, kept on the side that runs it: which objects it was given, and what they were like.
 * In: the arguments as they arrived. Out: an answer that names them by number and carries the changes in them; an ordinary answer if there
 * are none. A ledger serves one call.
 */
const { IgnisError } = require('../errors');
const { KIND } = require('../wire/frame');
const { checkCount } = require('./link');
const { changeOf, isLike, takeBase } = require('./restore-base');
const { marshal } = require('./marshal');
const { marshalNumbering } = require('./restore-pack');
const { survey } = require('./restore-survey');
const { spellPath } = require('./shape');
const { lighten, lightenErrors, packError } = require('./thrown');
const { Map, Object, Set, isArray } = require('../engine');

/** @typedef {import('./marshal').Marshalled} Marshalled */
/** @typedef {{frame: any[], packed: Marshalled}} Reply */
/** @typedef {{get: (fn: Function) => number | undefined}} References */

/**
 * @param {any[]} args
 * @param {import('./unmarshal').Received} received
 * @param {References} references
 * @returns {Ledger | null} null: nothing in them needs to be restored
 */
function openLedger(args, received, references) {
  // A symbol that is in no registry comes back as the same symbol.
  const isPlain = (/** @type {any} */ value) =>
    (typeof value !== 'object' || value === null) &&
    typeof value !== 'function' &&
    (typeof value !== 'symbol' || Symbol.keyFor(value) !== undefined);
  return args.every(isPlain) ? null : new Ledger(args, received, references);
}

/** What kind of answer a frame carries. */
const ANSWER = Object.freeze({ RESULT: 0, ERROR: 1 });

class Ledger {
  #args;
  /** @type {(import('./restore-base').Base | import('./restore-base').PlainBase)[]} */
  #bases = [];
  #references;
  /** object -> number; the list of arguments is 0 */
  numbers;
  /** @type {Map<symbol, number>} */
  symbols = new Map();

  /**
   * @param {any[]} args as they arrived, before the callee gets them
   * @param {import('./unmarshal').Received} received along with them
   * @param {References} references of the functions that the other side lent
   */
  constructor(args, { roots, symbols }, references) {
    this.#args = args;
    this.#references = references;
    this.numbers = survey(args, roots);
    if (symbols !== null) for (const [number, symbol] of symbols) this.symbols.set(symbol, number);
    for (const object of this.numbers.keys()) this.#bases.push(takeBase(object));
  }

  /** @param {Function} fn @returns {number | undefined} defined if the other side lent it */
  referenceOf(fn) {
    return this.#references.get(fn);
  }

  /** @returns {any[]} number, change, ... since the last time */
  takeChanges() {
    /** @type {any[]} */
    const changes = [];
    for (const [object, number] of this.numbers) {
      // The callee never gets the list itself.
      if (number === 0) continue;
      const change = changeOf(object, this.#bases[number], (what) => this.#refuse(number, what));
      if (change === null) continue;
      changes.push(number, change);
    }
    return changes;
  }

  /**
   * @param {any[]} objects the originals, by number
   * @param {symbol[]} symbols
   * @returns {boolean} whether they still are what their copies were on arrival
   */
  areAsReceived(objects, symbols) {
    const own = new Map(objects.map((object, number) => [object, number]));
    const ownSymbols = new Map(symbols.map((symbol, number) => [symbol, number]));
    const nameOf = (/** @type {any} */ value) => {
      if (typeof value === 'symbol') return this.symbols.get(value) ?? ownSymbols.get(value) ?? value;
      return this.numbers.get(value) ?? own.get(value) ?? value;
    };
    return objects.every((object, number) => number === 0 || isLike(object, this.#bases[number], nameOf));
  }

  /** Changes that were told become the base for the next ones. @param {any[]} changes */
  agree(changes) {
    const objects = [...this.numbers.keys()];
    for (let i = 0; i < changes.length; i += 2) this.#bases[changes[i]] = takeBase(objects[changes[i]]);
  }

  /**
   * Explains why a message [answer, changes] cannot be sent.
   *
   * @param {any} error
   * @param {any[]} changes
   * @returns {any} an error that names the place as the caller knows it
   */
  explain(error, changes) {
    if (!(error instanceof IgnisError)) return error;
    const path = String(/** @type {any} */ (error).path);
    // The path leads through the reply; what stands behind it says what is there.
    const what = error.message.split(path)[1]?.trim() ?? '';
    const inChange = /^result\[1\]\[(\d+)\]/.exec(path);
    if (inChange !== null) return this.#refuse(changes[Number(inChange[1]) - 1], `was changed to hold something that ${what}`);
    const own = path.replace(/^result\[0\]/, 'result');
    return path === own ? error : new IgnisError('IGNIS_UNMARSHALABLE', `${own} ${what}`, { path: own });
  }

  /** @param {number} number @param {string} what */
  #refuse(number, what) {
    const path = `args${spellPath(this.#pathOf(number))}`;
    return new IgnisError('IGNIS_UNMARSHALABLE', `${path} ${what}`, { path });
  }

  /** @param {number} number of an object @returns {(string | number)[]} a way to it */
  #pathOf(number) {
    /** @type {[any, (string | number)[]][]} */
    const todo = [[this.#args, []]];
    const seen = new Set();
    for (const [value, path] of todo) {
      if (typeof value !== 'object' || value === null || seen.has(value)) continue;
      if (this.numbers.get(value) === number) return path;
      seen.add(value);
      const members =
        value instanceof Map ? [...value].flat(1).entries() : value instanceof Set ? [...value].entries() : Object.entries(value);
      if (!ArrayBuffer.isView(value))
        for (const [name, member] of members) todo.push([member, [...path, isArray(value) ? Number(name) : name]]);
    }
    return [];
  }
}

/**
 * @param {any[]} plain how an ordinary frame begins: KIND.RESULT, id; KIND.CAST, reference
 * @param {any[]} restoring how one that restores begins
 * @param {any} value
 * @param {Ledger} ledger
 * @param {(bytes: Uint8Array) => Buffer} [copyOf]
 * @returns {Reply} an ordinary one if that says as much
 * @throws {IgnisError} IGNIS_UNMARSHALABLE with `path` when the value, or something put into an argument, cannot be sent
 */
function replyWith(plain, restoring, value, ledger, copyOf) {
  const changes = ledger.takeChanges();
  if (changes.length === 0) {
    const { packed, hasNamed } = marshalNumbering(value, ledger, copyOf);
    if (!hasNamed) return { frame: [...plain, packed.value, packed.special], packed };
  }
  try {
    const { packed } = marshalNumbering([value, changes], ledger, copyOf);
    ledger.agree(changes);
    return { frame: [...restoring, ledger.numbers.size, packed.value, packed.special], packed };
  } catch (error) {
    throw ledger.explain(error, changes);
  }
}

/**
 * @param {number} id
 * @param {any} error what the callee threw
 * @param {Ledger} ledger
 * @returns {Reply} if something put into an argument cannot be sent: an error that says so, with what was thrown as its cause
 */
function replyWithError(id, error, ledger) {
  const reply = (/** @type {any} */ thrown) => replyWith([KIND.ERROR, id], [KIND.RESTORED, id, ANSWER.ERROR], thrown, ledger);
  try {
    return reply(error);
  } catch {
    try {
      return reply(lighten(error, 0));
    } catch (refusal) {
      if (refusal instanceof IgnisError) Object.assign(refusal, { cause: lighten(error, 0) });
      const packed = packError(refusal);
      return { frame: [KIND.ERROR, id, packed.value, packed.special], packed };
    }
  }
}

/** @param {number} id @param {any} value @param {Ledger} ledger @param {((bytes: Uint8Array) => Buffer)} [copyOf] @returns {Reply} */
function replyWithResult(id, value, ledger, copyOf) {
  return replyWith([KIND.RESULT, id], [KIND.RESTORED, id, ANSWER.RESULT], value, ledger, copyOf);
}

/** @param {number} reference of a callback @param {any[]} args of its own @param {Ledger} ledger @returns {Reply} */
function recast(reference, args, ledger) {
  const reply = (/** @type {any[]} */ list) => replyWith([KIND.CAST, reference], [KIND.RECAST, reference], list, ledger);
  try {
    checkCount(args);
    return reply(args);
  } catch (error) {
    let refusal = error;
    for (const list of [lightenErrors(args), [error]]) {
      try {
        if (list !== null) return reply(list);
      } catch (why) {
        refusal = why;
      }
    }
    // Something put into its arguments cannot be sent: none of them is, and the callback is told.
    const packed = marshal([refusal], null, 'callback args');
    return { frame: [KIND.CAST, reference, packed.value, packed.special], packed };
  }
}

exports.ANSWER = ANSWER;
exports.Ledger = Ledger;
exports.openLedger = openLedger;
exports.recast = recast;
exports.replyWithError = replyWithError;
exports.replyWithResult = replyWithResult;
