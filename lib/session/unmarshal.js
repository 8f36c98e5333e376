'use strict';
/*
 * Unmarshal: turns the copy and the specials that marshal.js made back into the value. It makes two passes: first every special's object is
 * put in its place (so that cycles and shared objects meet the final one), then the objects are filled. The input comes from the wire:
 * paths are followed only through own members of lists and plain objects, tags are looked up in a null-prototype table (makers.js), and
 * anything odd is IGNIS_BAD_FRAME.
 */
const { IgnisError, badFrame } = require('../errors');
const { close } = require('./level');
const { MAKERS, assignElements, isPlain } = require('./makers');
const { Map, Object, isArray, isInteger } = require('../engine');

/**
 * @typedef {object} Context what unmarshalling needs to know about its side
 * @property {any[]} attachments of the batch
 * @property {(entry: any[]) => Function} hold makes or finds the stub of a function lent by the other side
 * @property {(number: any) => AbortSignal | undefined} [signal] one of this side that is aborted together with the other side's
 * @property {(name: string) => Function | undefined} errorClass finds an error class by name in this side's copy of the module
 * @property {(reference: number) => Function | undefined} [own] a function that this side lent
 * @property {import('./restore-pack').Met | null} [met] what the arguments of the answered call consist of
 * @property {Received} [received] of the last message
 */

/**
 * @typedef {{roots: object[], symbols: Map<number, symbol> | null}} Received parts that were too deep to travel in one piece, and the
 *   message's own symbols
 */

/** @type {Received} */
const NOTHING = Object.freeze({ roots: [], symbols: null });

/** @typedef {{'': any}} Root what holds the root of a part, under the name '' */

/**
 * @param {any} value the copy; becomes part of the result
 * @param {any[]} special [offset, ...entries]
 * @param {Context} context
 * @returns {any}
 * @throws {IgnisError} IGNIS_BAD_FRAME when the specials do not fit the copy; IGNIS_UNMARSHALABLE when they fit, but hold what only another
 *   version of Node knows
 */
function unmarshal(value, special, context) {
  return attempt(() => new Unpacker(value, special, context).unpack(), 'list');
}

/** One message. */
class Unpacker {
  #special;
  /** @type {Root[]} the message itself, then parts that were nested too deep to travel in it */
  #parts;
  /** @type {Root} of the part whose specials are being read */
  #root;
  /** @type {Map<any, any> | null} finished object -> the raw list that paths to its inner specials still lead through */
  #raws = null;
  /** @type {(() => void)[]} */
  #fills = [];
  /** @type {{holder: any, name: string | number, path: any, part: any}[] | null} places of parts that are still to come */
  #later = null;
  /** @type {import('./makers').Message} */
  #message;

  /** @param {any} value @param {any[]} special @param {Context} context */
  constructor(value, special, context) {
    this.#special = special;
    this.#root = { '': value };
    this.#parts = [this.#root];
    this.#message = { context, offset: special[0], symbols: null, buffers: null, closed: null };
  }

  unpack() {
    const special = this.#special;
    for (let i = 1; i < special.length; i++) this.#take(checkEntry(special[i]));
    if (this.#later !== null)
      for (const { holder, name, path, part } of this.#later) holder[name] = this.#resolve(this.#partAt(part), path);
    const fills = this.#fills;
    for (let i = fills.length - 1; i >= 0; i--) attempt(fills[i], 'fill');
    const { context, symbols, closed } = this.#message;
    for (const [object, level] of closed ?? []) attempt(() => close(object, level), 'closed');
    const roots = this.#parts.length === 1 ? [] : this.#parts.slice(1).map((part) => part['']);
    context.received = roots.length === 0 && symbols === null ? NOTHING : { roots, symbols };
    return this.#parts[0][''];
  }

  /** @param {any[]} entry */
  #take([path, tag, ...data]) {
    if (tag === 'part') {
      this.#root = { '': data[0] };
      this.#parts.push(this.#root);
      return;
    }
    const { holder, name } = this.#locate(path);
    if (tag === 'same') this.#share(holder, name, data);
    else if (tag === 'hole') {
      if (!isArray(holder)) throw badFrame('a hole in what is no list');
      delete holder[/** @type {number} */ (name)];
    } else if (tag === 'extras') this.#fills.push(takeExtras(holder[name], data[0], data[1]));
    else {
      const make = MAKERS[tag];
      if (make === undefined) throw badFrame(`unknown tag ${tag}`);
      const raw = holder[name];
      // A finished object is no list from the wire: it may be long without elements. Nor is an object of the caller's own.
      if (tag !== 'closed' && this.#raws?.has(raw)) throw badFrame(`a special '${tag}' of what was made already`);
      const [made, fill] = attempt(() => make(raw, data, this.#message), tag);
      holder[name] = made;
      const hadRaw = raw !== null && typeof raw === 'object' && raw !== made;
      if ((hadRaw || tag === 'argument') && typeof made === 'object') (this.#raws ??= new Map()).set(made, raw);
      if (fill !== undefined) this.#fills.push(fill);
    }
  }

  /** @param {any} holder @param {string | number} name @param {any[]} data path and part of the object that is also wanted here */
  #share(holder, name, [path, part = 0]) {
    checkPath(path);
    if (part >= this.#parts.length) (this.#later ??= []).push({ holder, name, path, part });
    else holder[name] = this.#resolve(this.#partAt(part), path);
  }

  /** @param {any} number */
  #partAt(number) {
    const part = isInteger(number) ? this.#parts[number] : undefined;
    if (part === undefined) throw badFrame('a part is missing');
    return part;
  }

  /** @param {(string | number)[]} path @returns {{holder: any, name: string | number}} */
  #locate(path) {
    if (path.length === 0) return { holder: this.#root, name: '' };
    let at = this.#root[''];
    const last = path.length - 1;
    for (let i = 0; i < last; i++) at = this.#holder(at, path[i])[path[i]];
    return { holder: this.#holder(at, path[last]), name: path[last] };
  }

  /** @param {Root} root @param {(string | number)[]} path */
  #resolve(root, path) {
    let at = root[''];
    for (const name of path) at = this.#holder(at, name)[name];
    return at;
  }

  /**
   * Only own elements of lists and own members of plain objects count.
   *
   * @param {any} at
   * @param {string | number} name
   * @returns {any}
   */
  #holder(at, name) {
    const holder = this.#raws === null ? at : (this.#raws.get(at) ?? at);
    const isThere = isArray(holder) ? typeof name === 'number' : typeof name === 'string' && isPlain(holder);
    if (!isThere || !Object.hasOwn(holder, name)) throw badFrame('a path leads nowhere');
    return holder;
  }
}

/** @param {any} entry */
function checkEntry(entry) {
  if (!isArray(entry) || typeof entry[1] !== 'string') throw badFrame('a special is [path, tag, ...]');
  checkPath(entry[0]);
  return entry;
}

/** @param {any} path */
function checkPath(path) {
  if (!isArray(path)) throw badFrame('a path is a list');
}

/**
 * @param {any} array
 * @param {any} at index of the list that holds the names
 * @param {any} hidesRaw 1: one of them is `raw`, which is not shown
 */
function takeExtras(array, at, hidesRaw) {
  if (!isArray(array) || at !== array.length - 1 || !isArray(array[at])) throw badFrame('extras without their list');
  const list = array[at];
  return () => {
    array.length = at;
    assignElements(array, list);
    if (hidesRaw === 1) Object.defineProperty(array, 'raw', { enumerable: false });
  };
}

/**
 * @template T
 * @param {() => T} make
 * @param {string} tag
 * @returns {T}
 */
function attempt(make, tag) {
  try {
    return make();
  } catch (cause) {
    if (cause instanceof IgnisError) throw cause;
    throw new IgnisError('IGNIS_BAD_FRAME', `a special '${tag}' cannot be made`, { cause });
  }
}

exports.NOTHING = NOTHING;
exports.unmarshal = unmarshal;
