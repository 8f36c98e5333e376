'use strict';
/*
 * Marshal: a value of the program becomes a copy made only of what every codec carries (null, booleans, numbers, strings, small
 * byte arrays, arrays, plain objects). All else is lifted out and written down beside the copy as *specials*: [path, tag, ...], with null in
 * its place, so nothing that a user's object contains can be mistaken for a mark of ours, and a call without specials costs no look on
 * arrival. The copy is made at once: what the caller does to his object afterwards does not reach the callee. What cannot be
 * sent gives IGNIS_UNMARSHALABLE with its path. The way back is unmarshal.js; docs/protocol.md lists the tags.
 */
const types = require('node:util/types');
const { IgnisError } = require('../errors');
const { ObjectTable } = require('./object-table');
const { asText, classNames, describe, hasTag, isLoaded, spell } = require('./shape');

const hasOwn = Object.prototype.hasOwnProperty;

/** Byte arrays from this size on travel as attachments (bytes). */
const ATTACHMENT_BYTES = 4096;
/** Codecs and structured clones call themselves for each level; what is nested deeper than this stays at home. */
const MAX_DEPTH = 512;

/**
 * @typedef {object} Marshalled
 * @property {any} value the copy
 * @property {any[] | null} special [0, ...entries]: room for the attachments' offset, then one entry a special; null when there are none
 * @property {Uint8Array[] | null} attachments each with a buffer of its own
 * @property {number} weight rough size in bytes
 */

/** One pass over one message. */
class Packer {
  /** @type {any[] | null} */
  special = null;
  /** @type {Uint8Array[] | null} */
  attachments = null;
  weight = 16;
  /** @type {(string | number)[]} where the pass stands */
  #path = [];
  #objects = new ObjectTable();
  /** number of the object whose members are being packed; -1 above the first */
  #at = -1;
  #lend;
  #root;
  #allocate;

  /**
   * @param {((value: Function) => any[]) | null} lend gives [id, ...] for a function, or null where functions cannot be sent
   * @param {string} root how the message calls itself in errors: 'args', 'result'
   * @param {(bytes: number) => Buffer} allocate memory for byte arrays
   */
  constructor(lend, root, allocate) {
    this.#lend = lend;
    this.#root = root;
    this.#allocate = allocate;
  }

  /** @param {any} value @returns {any} */
  pack(value) {
    switch (typeof value) {
      case 'string':
        this.weight += value.length;
        // @ts-ignore isWellFormed is ES2024, present since Node 20
        if (!value.isWellFormed()) return this.#lift('utf16', Buffer.from(value, 'utf16le').toString('latin1'));
        return value;
      case 'number':
        return value === 0 && Object.is(value, -0) ? this.#lift('-0') : value;
      case 'boolean':
        return value;
      case 'undefined':
        return this.#lift('undefined');
      case 'bigint':
        return this.#lift('bigint', value.toString());
      case 'symbol':
        return this.#packSymbol(value);
      case 'function':
        if (this.#lend === null) throw this.#refuse('a function');
        return this.#lift('function', ...this.#lend(value));
      default:
        return value === null ? null : this.#packObject(value);
    }
  }

  /** @param {any} value @returns {any} */
  #packObject(value) {
    const known = this.#objects.find(value);
    if (known >= 0) return this.#lift('same', this.#objects.pathOf(known));
    const path = this.#path;
    if (path.length > MAX_DEPTH) throw this.#refuse(`nested deeper than ${MAX_DEPTH} levels`);
    const number = this.#objects.add(value, path.length === 0 ? '' : path[path.length - 1], this.#at);
    this.weight += 16;
    const holder = this.#at;
    this.#at = number;
    const packed = this.#packMet(value);
    this.#at = holder;
    return packed;
  }

  /** @param {any} value @returns {any} */
  #packMet(value) {
    const prototype = Object.getPrototypeOf(value);
    if (Array.isArray(value)) return this.#packArray(value, prototype);
    if (prototype === Object.prototype && !hasTag(value)) return this.#packMembers(value);
    return this.#packExotic(value, prototype);
  }

  /**
   * @param {any} source
   * @param {boolean} [isBare] it has no prototype
   * @returns {any}
   */
  #packMembers(source, isBare = false) {
    const names = Object.keys(source);
    // Looked at before anything is packed: a special that is written down cannot be taken back.
    for (let i = 0; i < names.length; i++) if (isLoaded(names[i])) return this.#packLoaded(source, names, isBare);
    if (isBare) this.#lift('null-prototype');
    // V8 copies a whole object by its shape in less time than two of its members one by one, and runs getters once.
    /** @type {Record<string, any>} */
    const copy = { ...source };
    for (let i = 0; i < names.length; i++) {
      const value = copy[names[i]];
      const packed = this.#packAt(names[i], value);
      if (packed !== value) copy[names[i]] = packed;
    }
    this.weight += names.length * 16;
    return copy;
  }

  /**
   * An object with own names such as `__proto__` travels as a list of name, value, name, value.
   *
   * @param {any} source
   * @param {string[]} names
   * @param {boolean} isBare
   */
  #packLoaded(source, names, isBare) {
    this.#lift('members', isBare);
    return this.#packNamed([], source, names);
  }

  /**
   * @param {any[]} list gets name, value, name, value ...
   * @param {any} source
   * @param {string[]} names
   */
  #packNamed(list, source, names) {
    for (const name of names) {
      list.push(this.#packAt(list.length, name));
      list.push(this.#packAt(list.length, source[name]));
    }
    return list;
  }

  /** @param {any[]} source @param {any} prototype */
  #packArray(source, prototype) {
    if (prototype !== Array.prototype) this.#checkClass(prototype, Array);
    const copy = new Array(source.length);
    this.weight += source.length * 8;
    for (let i = 0; i < source.length; i++) {
      const value = source[i];
      if (value === undefined && !(i in source)) {
        copy[i] = null;
        this.#path.push(i);
        this.#lift('hole');
        this.#path.pop();
      } else copy[i] = this.#packAt(i, value);
    }
    // The arrays with names of their own that programs do meet: a RegExp's match and a template's strings.
    if (hasOwn.call(source, 'index') || hasOwn.call(source, 'raw') || hasOwn.call(source, 'groups')) this.#packExtras(source, copy);
    return copy;
  }

  /**
   * @param {any} source
   * @param {any[]} copy gets one more element, a list of name, value, ..., that unmarshal takes off again
   */
  #packExtras(source, copy) {
    const at = copy.length;
    this.#lift('extras', at);
    this.#path.push(at);
    /** @type {any[]} */
    const list = [];
    const holder = this.#at;
    this.#at = this.#objects.add(list, at, holder);
    copy.push(
      this.#packNamed(
        list,
        source,
        Object.keys(source)
          .slice(-8)
          .filter((name) => String(Number(name)) !== name),
      ),
    );
    this.#at = holder;
    this.#path.pop();
  }

  /**
   * @param {string | number} name
   * @param {any} value
   */
  #packAt(name, value) {
    switch (typeof value) {
      case 'boolean':
        return value;
      case 'number':
        if (value !== 0) return value;
    }
    this.#path.push(name);
    const packed = this.pack(value);
    this.#path.pop();
    return packed;
  }

  /** @param {any} value @param {any} prototype @returns {any} */
  #packExotic(value, prototype) {
    if (prototype === null) return this.#packMembers(value, true);
    if (ArrayBuffer.isView(value) || types.isAnyArrayBuffer(value)) return this.#packBytes(value, prototype);
    if (types.isNativeError(value) || value instanceof Error) return this.#packError(value);
    if (types.isArgumentsObject(value)) return this.#packList('arguments', [...value]);
    if (types.isDate(value)) {
      this.#checkClass(prototype, Date);
      return this.#lift('date', Number.isNaN(value.getTime()) ? null : value.getTime());
    }
    if (types.isRegExp(value)) {
      this.#checkClass(prototype, RegExp);
      return this.#lift('regexp', spell(value.source), value.flags, Number(value.lastIndex));
    }
    if (types.isMap(value)) {
      this.#checkClass(prototype, Map);
      return this.#packList('map', [...value].flat(1));
    }
    if (types.isSet(value)) {
      this.#checkClass(prototype, Set);
      return this.#packList('set', [...value]);
    }
    if (types.isNumberObject(value) || types.isStringObject(value) || types.isBooleanObject(value))
      return this.#packBoxed(value, prototype);
    if (value instanceof URL) {
      this.#checkClass(prototype, URL);
      return this.#lift('url', value.href);
    }
    throw this.#refuse(describe(value));
  }

  /** A subclass may keep what a copy would lose. @param {any} prototype @param {Function} Class */
  #checkClass(prototype, Class) {
    if (prototype !== Class.prototype) throw this.#refuse(`an instance of a subclass of ${Class.name}`);
  }

  /**
   * @param {string} tag
   * @param {any[]} list
   */
  #packList(tag, list) {
    this.#lift(tag);
    return list.map((item, i) => this.#packAt(i, item));
  }

  /** @param {any} box @param {any} prototype */
  #packBoxed(box, prototype) {
    const primitive = box.valueOf();
    this.#checkClass(prototype, Object(primitive).constructor);
    // What the primitive itself needs is written down first, and so is done first on arrival.
    const packed = this.pack(primitive);
    this.#lift('boxed');
    return packed;
  }

  /** @param {any} error */
  #packError(error) {
    this.#lift('error', classNames(error), spell(asText(error.name)));
    const own = Object.getOwnPropertyNames(error);
    // DOMException keeps its message where only its own class finds it.
    if (!own.includes('message') && error.message !== '') own.unshift('message');
    const isShown = (/** @type {string} */ name) => Object.prototype.propertyIsEnumerable.call(error, name);
    const hidden = own.filter((name) => !isShown(name));
    return this.#packNamed([hidden.length], error, [...hidden, ...own.filter(isShown)]);
  }

  /** @param {any} view @param {any} prototype */
  #packBytes(view, prototype) {
    if (types.isSharedArrayBuffer(view)) throw this.#refuse('a SharedArrayBuffer');
    const tag = prototype === Buffer.prototype ? 'Buffer' : view[Symbol.toStringTag];
    if (tag !== 'Buffer') this.#checkClass(prototype, /** @type {any} */ (globalThis)[tag]);
    const bytes = ArrayBuffer.isView(view) ? new Uint8Array(view.buffer, view.byteOffset, view.byteLength) : new Uint8Array(view);
    const copy = this.#allocate(bytes.byteLength);
    copy.set(bytes);
    if (copy.byteLength < ATTACHMENT_BYTES) {
      this.weight += copy.byteLength;
      this.#lift('bytes', tag, -1);
      return copy;
    }
    this.attachments ??= [];
    this.attachments.push(copy);
    return this.#lift('bytes', tag, this.attachments.length - 1);
  }

  /** @param {symbol} value */
  #packSymbol(value) {
    const key = Symbol.keyFor(value);
    if (key !== undefined) return this.#lift('symbol', spell(key));
    const known = Object.getOwnPropertyNames(Symbol).find((name) => /** @type {any} */ (Symbol)[name] === value);
    if (known !== undefined) return this.#lift('known-symbol', known);
    throw this.#refuse('a symbol of its own');
  }

  /** @param {any[]} entry tag and its data @returns {null} */
  #lift(...entry) {
    this.special ??= [0];
    this.weight += 24 + this.#path.length * 8;
    this.special.push([this.#path.slice(), ...entry]);
    return null;
  }

  /** @param {string} what */
  #refuse(what) {
    const where = this.#path.map((name) => (typeof name === 'number' ? `[${name}]` : `.${name}`)).join('');
    return new IgnisError('IGNIS_UNMARSHALABLE', `${this.#root}${where} is ${what}`, { path: this.#root + where });
  }
}

/**
 * @param {any} value
 * @param {((value: Function) => any[]) | null} lend
 * @param {string} root 'args' or 'result'
 * @param {(bytes: number) => Buffer} [allocate] memory for byte arrays; fresh by default, each with an ArrayBuffer of its own
 * @returns {Marshalled}
 * @throws {IgnisError} IGNIS_UNMARSHALABLE with `path` when something in it cannot be sent
 */
function marshal(value, lend, root, allocate = Buffer.allocUnsafeSlow) {
  const packer = new Packer(lend, root, allocate);
  const copy = packer.pack(value);
  return { value: copy, special: packer.special, attachments: packer.attachments, weight: packer.weight };
}

exports.marshal = marshal;
exports.ATTACHMENT_BYTES = ATTACHMENT_BYTES;
