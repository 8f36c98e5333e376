'use strict';
/*
 * Marshal: turns a value of the program into a copy made only of what every codec carries (null, booleans, numbers, strings, small byte
 * arrays, arrays, plain objects). All else is lifted out: it leaves null in its place and is written down beside the copy as a *special*
 * [path, tag, ...]. So nothing in a user's object can be mistaken for a mark of ours, and a call without specials costs no look on arrival.
 * The copy is made at once: later changes by the caller do not reach the callee. What cannot be sent gives IGNIS_UNMARSHALABLE with its
 * path. The way back is unmarshal.js; docs/protocol.md lists the tags.
 */
const { ObjectTable } = require('./object-table');
const { Specials } = require('./specials');
const { checkClass, packExotic, packText } = require('./exotic');
const shape = require('./shape');
const { isFit } = shape;
const engine = require('../engine');
const { freshCopyOf } = require('../wire/byte-pool');

const { Object, isArray } = engine;
const { getPrototypeOf, getOwnPropertySymbols, hasOwn } = engine.Object;

/** Codecs, structured clones and this pass recurse for each level: what is nested deeper than this becomes a part of its own. */
const MAX_DEPTH = 40;
/** From this depth on, what has many members becomes a part too: each of their specials would repeat the path to it. */
const WIDE_DEPTH = 12;
/** The args of a call are a list that the caller's wrapper made: it has no names besides indices. */
const LISTS = Object.freeze(['args', 'callback args']);

/**
 * @typedef {object} Marshalled
 * @property {any} value the copy
 * @property {any[] | null} special [0, ...entries]: room for the attachments' offset, then an entry for each special; null: none
 * @property {any[] | null} lean the same for links that keep Buffers (wire/channel.js), which need no entry for one by itself
 * @property {Uint8Array[] | null} attachments each has a buffer of its own
 * @property {number} weight rough size in bytes
 */
/** @typedef {Omit<Marshalled, 'lean'>} Sent what one link gets, with the specials that it needs */

/** One pass over one message. */
class Packer extends Specials {
  #objects = new ObjectTable();
  /** number of the object whose members are being packed; -1 above the first */
  #at = -1;
  /** @type {import('./shared-bytes').SharedBytes | null} */
  bytes = null;
  /** @type {((value: any) => any[] | null) | null} */
  lend = null;
  /** @type {(bytes: Uint8Array) => Buffer} */
  copyOf = freshCopyOf;

  /**
   * @param {any} value
   * @param {((value: any) => any[] | null) | null} lend gives [id, ...] for a function or an AbortSignal, null for one that cannot be sent;
   *   null: none can be sent
   * @param {string} root
   * @param {(bytes: Uint8Array) => Buffer} copyOf makes copies of byte arrays
   * @returns {Marshalled}
   */
  packMessage(value, lend, root, copyOf) {
    this.lend = lend;
    this.root = root;
    this.copyOf = copyOf;
    const copy = this.pack(value);
    if (this.parts !== null) this.#packParts(this.parts);
    const attachments = this.bytes === null ? null : this.bytes.join();
    const { special, weight } = this;
    return { value: copy, special, lean: this.bytes === null ? special : this.bytes.without(special), attachments, weight };
  }

  /** Makes the packer as good as new, for the next message. */
  clear() {
    this.special = null;
    this.weight = 16;
    this.parts = null;
    this.part = 0;
    this.depth = 0;
    this.symbols = null;
    this.bytes = null;
    this.lend = null;
    this.#at = -1;
    this.#objects.clear();
  }

  /** Parts are packed in a loop, so that nothing recurses for each level. @param {{value: any, number: number}[]} parts may grow meanwhile */
  #packParts(parts) {
    for (let i = 0; i < parts.length; i++) {
      this.part = i + 1;
      this.depth = 0;
      const entry = this.lift('part', null);
      this.#at = parts[i].number;
      entry[2] = this.#packMet(parts[i].value);
    }
  }

  /** @param {any} value @returns {any} */
  pack(value) {
    switch (typeof value) {
      case 'string':
        this.weight += value.length;
        return isFit(value) ? value : packText(this, value);
      case 'number':
        if (value !== 0 || !Object.is(value, -0)) return value;
        this.lift('-0');
        return null;
      case 'boolean':
        return value;
      case 'undefined':
        this.lift('undefined');
        return null;
      case 'bigint':
        this.lift('bigint', value.toString(16));
        return null;
      case 'symbol':
        return this.liftSymbol(value);
      case 'function':
        if (this.lend === null) throw this.refuse('a function');
        this.lift('function', .../** @type {any[]} */ (this.lend(value)));
        return null;
      default:
        return value === null ? null : this.#packObject(value);
    }
  }

  /** @param {any} value @returns {any} */
  #packObject(value) {
    const known = this.#objects.find(value);
    if (known >= 0) {
      this.lift('same', ...this.#objects.placeOf(known));
      return null;
    }
    const { depth } = this;
    if (depth > WIDE_DEPTH && (depth > MAX_DEPTH || shape.isWide(value))) return this.#cut(value);
    const number = this.#objects.add(value, depth === 0 ? '' : this.path[depth - 1], this.#at);
    this.weight += 16;
    const holder = this.#at;
    this.#at = number;
    const packed = this.#packMet(value);
    this.#at = holder;
    return packed;
  }

  /** Makes it a part of its own. @param {any} value */
  #cut(value) {
    const parts = (this.parts ??= []);
    const number = this.#objects.add(value, '', -2 - parts.length);
    const [path] = this.lift('same', [], parts.length + 1);
    parts.push({ value, number, path, part: this.part });
    this.weight += 16;
    return null;
  }

  /** @param {any} value @returns {any} */
  #packMet(value) {
    const prototype = getPrototypeOf(value);
    if (isArray(value)) return this.#packArray(value, prototype);
    if (prototype === Object.prototype && !shape.hasTag(value)) return this.packMembers(value);
    return packExotic(this, value, prototype);
  }

  /**
   * @param {any} source
   * @param {boolean} [isBare] it has no prototype
   * @returns {any}
   */
  packMembers(source, isBare = false) {
    // V8 copies a whole object by its shape faster than two of its members one by one, and runs getters once.
    /** @type {Record<string, any>} */
    const copy = { ...source };
    const names = Object.keys(copy);
    // Check before anything is packed: a special that is written down cannot be taken back.
    if (shape.areLoaded(names) || getOwnPropertySymbols(copy).length > 0) return this.#packLoaded(copy, names, isBare);
    if (isBare) this.lift('null-prototype');
    let weight = names.length * 16;
    for (let i = 0; i < names.length; i++) {
      const name = names[i];
      const value = copy[name];
      switch (typeof value) {
        case 'string':
          weight += value.length;
          if (isFit(value)) continue;
          break;
        case 'number':
          if (value !== 0) continue;
          break;
        case 'boolean':
          continue;
        case 'object':
          if (value === null) continue;
      }
      this.path[this.depth++] = name;
      copy[name] = this.pack(value);
      this.depth--;
    }
    this.weight += weight;
    return copy;
  }

  /**
   * An object with own names such as `__proto__`, or with symbols, travels as a list of name, value, name, value.
   *
   * @param {any} copy
   * @param {string[]} names
   * @param {boolean} isBare
   */
  #packLoaded(copy, names, isBare) {
    this.lift('members', isBare);
    return this.packNamed([], copy, [...names, ...getOwnPropertySymbols(copy)]);
  }

  /**
   * @param {any[]} list gets name, value, name, value ...
   * @param {any} source
   * @param {(string | symbol)[]} names
   */
  packNamed(list, source, names) {
    for (const name of names) {
      list.push(this.packAt(list.length, name));
      list.push(this.packAt(list.length, source[name]));
    }
    this.weight += names.length * 32;
    return list;
  }

  /** @param {any[]} source @param {any} prototype */
  #packArray(source, prototype) {
    if (prototype !== Array.prototype) checkClass(this, prototype, Array);
    if (shape.looksSparse(source)) {
      const keys = Object.keys(source);
      if (keys.length * 2 < source.length) return this.#packSparse(source, keys);
    }
    const { length } = source;
    // The list's `constructor` may be the user's, and slice() would call it.
    const copy = source.constructor === Array ? source.slice() : shape.copyArray(source);
    let present = length;
    let weight = length * 8;
    for (let i = 0; i < length; i++) {
      const value = copy[i];
      switch (typeof value) {
        case 'string':
          weight += value.length;
          if (isFit(value)) continue;
          break;
        case 'number':
          if (value !== 0) continue;
          break;
        case 'boolean':
          continue;
        case 'object':
          if (value === null) continue;
          break;
        case 'undefined':
          if (!hasOwn(copy, i)) {
            present--;
            this.#packHole(copy, i);
            continue;
          }
      }
      this.path[this.depth++] = i;
      copy[i] = this.pack(value);
      this.depth--;
    }
    this.weight += weight;
    if (this.#at === 0 && LISTS.includes(this.root)) return copy;
    const besides = shape.namesBesides(source, present);
    if (besides !== null) this.#packExtras(source, copy, besides);
    return copy;
  }

  /** @param {any[]} copy @param {number} i */
  #packHole(copy, i) {
    copy[i] = null;
    this.path[this.depth++] = i;
    this.lift('hole');
    this.depth--;
  }

  /** @param {any[]} source most of its elements are missing @param {(string | symbol)[]} keys */
  #packSparse(source, keys) {
    this.lift('sparse', source.length);
    return this.packNamed([], source, keys);
  }

  /**
   * Names besides indices, as on a RegExp's match, a template's strings, or a list of tokens with links.
   *
   * @param {any[]} source
   * @param {any[]} copy gets one more element, a list of name, value, ..., that unmarshal takes off again
   * @param {(string | symbol)[]} names
   */
  #packExtras(source, copy, names) {
    const at = copy.length;
    this.lift('extras', at, ...(shape.hidesRaw(source) ? [1] : []));
    this.path[this.depth++] = at;
    /** @type {any[]} */
    const list = [];
    const holder = this.#at;
    this.#at = this.#objects.add(list, at, holder);
    copy.push(this.packNamed(list, source, names));
    this.#at = holder;
    this.depth--;
  }

  /**
   * @param {string | number} name
   * @param {any} value
   */
  packAt(name, value) {
    switch (typeof value) {
      case 'boolean':
        return value;
      case 'number':
        if (value !== 0) return value;
        break;
      case 'string':
        if (!isFit(value)) break;
        this.weight += value.length;
        return value;
      case 'object':
        if (value === null) return null;
    }
    this.path[this.depth++] = name;
    const packed = this.pack(value);
    this.depth--;
    return packed;
  }
}

/** @type {Packer | null} one waits for the next message; a getter may need another meanwhile */
let idle = null;

/**
 * @param {any} value
 * @param {((value: any) => any[] | null) | null} lend
 * @param {string} root 'args' or 'result'
 * @param {(bytes: Uint8Array) => Buffer} [copyOf] makes copies of byte arrays; by default each with an ArrayBuffer of its own
 * @returns {Marshalled}
 * @throws {IgnisError} IGNIS_UNMARSHALABLE with `path` when something in it cannot be sent
 */
function marshal(value, lend, root, copyOf = freshCopyOf) {
  const packer = idle ?? new Packer();
  idle = null;
  const marshalled = packer.packMessage(value, lend, root, copyOf);
  // Not reached after an error: a half-done packer is thrown away.
  packer.clear();
  idle = packer;
  return marshalled;
}

exports.Packer = Packer;
exports.marshal = marshal;
