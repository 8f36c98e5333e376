'use strict';
/*
 * Packs values for one message. In: values of the program. Out: their slots, and the *baggage*: the contents of objects that are new to the
 * other side, and of twins that have changed. It works through a list, so the depth of a graph does not matter. It refuses nothing: what
 * cannot be copied is lent. It runs no code of the program, except getters put on a twin after it was sent.
 */
const { Buffer } = require('node:buffer');
const types = require('node:util/types');
const { FORMS, readStack, standardPrototypeOf } = require('./contents');
const { HOLE } = require('./elements');
const { readExtras } = require('./extras');
const { flatten } = require('./flat');
const { apartFormOf, formAgain, formOf } = require('./form');
const { levelOf } = require('../session/level');
const { isGeneric, nameOf } = require('./intrinsics');
const glance = require('./glance');
const { Property } = require('./members');
const { symbolNameOf } = require('./samples');
const { FORM, TAG } = require('./tags');
const { contentsOf } = require('./unknown');
const { webClassOf } = require('../session/web-errors');
const engine = require('../engine');

const { Array, Map, Object, Set, Symbol, isArray } = engine;

const { keyFor } = Symbol;

/** @type {Map<symbol, string>} */
const KNOWN_SYMBOLS = new Map(
  Object.getOwnPropertyNames(Symbol)
    .map((name) => /** @type {[any, string]} */ ([/** @type {any} */ (Symbol)[name], name]))
    .filter(([symbol]) => typeof symbol === 'symbol'),
);

/** Thrown inside, and turned into an IGNIS_UNMARSHALABLE that says where the value is. */
class Unsendable extends Error {
  /** @param {object} value */
  constructor(value) {
    super('a value that cannot be sent');
    this.value = value;
  }
}

class Packer {
  #tables;
  #onPromise;
  /** @type {any[]} objects that have a number and are still to be written */
  #todo = [];
  /** @type {any[][] | null} */
  #nodes = null;
  /** @type {any[]} twins that are named, or brought up to date */
  named = [];
  /** the last of those brought up to date @type {object | null} */
  changed = null;
  #known;
  /** @type {number[]} numbers valid only in this message */
  #passing = [];
  /** @type {number[] | null} references lent by this message */
  #lent = null;
  /** what this message meets first is only copied: it becomes no twin */
  isPassing = false;
  /** contents that the other side has to have again: what else has changed goes with the next message */
  isContent = false;
  /** @type {any[]} object, what was agreed on before, ... */
  #undo = [];
  #message;

  /**
   * @param {import('./tables').Tables} tables
   * @param {number} message its number
   * @param {(promise: Promise<any>, id: number) => void} onPromise for ours, whose settlement is to be told; or theirs, which goes back
   */
  constructor(tables, message, onPromise) {
    glance.check();
    this.#tables = tables;
    this.#message = message;
    this.#onPromise = onPromise;
    this.#known = tables.twins.size;
  }

  /**
   * @param {any} value
   * @param {boolean} [isRead] it was read from an object: then a method of a class stays with its object
   * @returns {any}
   */
  slot(value, isRead = false) {
    switch (typeof value) {
      case 'string':
        // @ts-ignore isWellFormed is ES2024, present since Node 20
        return value.isWellFormed() ? value : [TAG.UTF16, Buffer.from(value, 'utf16le').toString('latin1')];
      case 'number':
        return value === 0 && Object.is(value, -0) ? [TAG.MINUS_ZERO] : value;
      case 'boolean':
        return value;
      case 'undefined':
        return [TAG.UNDEFINED];
      case 'bigint':
        return [TAG.BIGINT, value.toString(16)];
      case 'symbol':
        return value === HOLE ? [TAG.HOLE] : this.#symbol(value);
      default:
        return value === null ? null : this.#object(value, isRead);
    }
  }

  /** @param {any[]} values @returns {any[]} */
  slots(values) {
    const list = new Array(values.length);
    for (let i = 0; i < values.length; i++) list[i] = this.slot(values[i]);
    return list;
  }

  /** @param {object} value @returns {any} its slot, as a reference even if it could be copied, unless both sides already have a copy */
  reference(value) {
    if (this.#tables.twins.idOf(value) !== undefined) return this.slot(value);
    const held = this.#tables.heldId(value);
    return held !== undefined ? [TAG.YOURS, held] : this.#lend(value);
  }

  /** @returns {[nodes: any[], updates: any[], passing?: number[]] | null} what must go with the slots */
  baggage() {
    this.#drain();
    const { twins } = this.#tables;
    /** @type {any[][]} */
    const updates = [];
    if (this.#known > 0) {
      // Objects sent again are looked at closely, and first: no accessor that they have by now runs.
      for (const object of this.named.slice()) if (!twins.isExact(object)) this.#update(object, updates);
      if (!this.isContent) for (const object of twins.changed(this.#known)) this.#update(object, updates);
    }
    if (this.#nodes === null && updates.length === 0) return null;
    const flat = [flatten(this.#nodes ?? []), flatten(updates)];
    return /** @type {any} */ (this.#passing.length > 0 ? [...flat, this.#passing] : flat);
  }

  /** @param {object} object a twin @param {any[][]} updates */
  #update(object, updates) {
    this.changed = object;
    updates.push(this.#node(object));
    this.named.push(object);
    this.#drain();
  }

  /** The message was sent: what was only copied is an ordinary object again. */
  letGo() {
    for (const id of this.#passing) this.#tables.twins.dissolve(id);
  }

  /** The message was not sent: the other side knows nothing of it. */
  undo() {
    const { twins } = this.#tables;
    for (const [i, object] of this.#undo.entries()) {
      if (i % 2 === 1) continue;
      const state = this.#undo[i + 1];
      if (state === undefined) twins.dissolve(/** @type {number} */ (twins.idOf(object)));
      else twins.agree(object, state);
    }
    for (let i = 0; i < this.#todo.length; i += 2) twins.dissolve(/** @type {number} */ (twins.idOf(this.#todo[i])));
    for (const id of this.#lent ?? []) this.#tables.lent.release(id, 1);
  }

  /** @param {object} object a twin @returns {any[]} its node as it is now */
  content(object) {
    return this.#node(object);
  }

  /** @param {any} value @param {boolean} isRead @returns {any[]} */
  #object(value, isRead) {
    const tables = this.#tables;
    const held = tables.heldId(value);
    if (held !== undefined) return tables.isLoose(value) ? [TAG.YOURS, held, true] : [TAG.YOURS, held];
    const twin = tables.twins.idOf(value);
    if (twin !== undefined) {
      tables.twins.noteSent(twin, this.#message);
      this.named.push(value);
      if (isArray(value)) tables.twins.meet(value);
      if (types.isPromise(value) && tables.twins.isTheirs(value)) this.#onPromise(value, twin);
      return [TAG.TWIN, twin];
    }
    if (tables.isLent(value)) return this.#lend(value);
    const name = nameOf(value);
    if (name !== undefined && tables.isCommon(name) && !(isRead && typeof value === 'function' && !isGeneric(name)))
      return [TAG.INTRINSIC, name];
    let form = typeof value === 'function' ? null : formOf(value);
    if (form === FORM.SHARED && !tables.canShare) {
      const apart = apartFormOf(value);
      if (apart === undefined) throw new Unsendable(value);
      form = apart;
    }
    // The other side's Node may be older and lack it.
    if (form === FORM.DOM_EXCEPTION && !tables.isCommon(webClassOf(value).name)) form = null;
    const isLent = form === null || (tables.args === 'ref' && (form === FORM.PLAIN || form === FORM.BARE));
    if (isLent) return this.#lend(value);
    if (form === FORM.ERROR) {
      // Computing its stack may ask the other side, which would send it first.
      readStack(value);
      if (tables.twins.idOf(value) !== undefined) return this.#object(value, isRead);
    }
    const id = tables.twins.add(value);
    tables.twins.noteSent(id, this.#message);
    if (this.isPassing) this.#passing.push(id);
    this.#todo.push(value, form);
    return [TAG.TWIN, id];
  }

  /** @param {object} value of this side @returns {any[]} its slot */
  #lend(value) {
    const told = this.#tables.lend(value);
    (this.#lent ??= []).push(told[0]);
    return [TAG.LENT, ...told];
  }

  #drain() {
    const todo = this.#todo;
    for (let i = 0; i < todo.length; i += 2) {
      this.#nodes ??= [];
      this.#nodes.push(this.#node(todo[i], todo[i + 1]));
      if (todo[i + 1] === FORM.PROMISE) this.#onPromise(todo[i], /** @type {number} */ (this.#tables.twins.idOf(todo[i])));
    }
    if (todo.length > 0) this.#todo = [];
  }

  /** @param {any} object @param {number} [asNew] its form, if it is new @returns {any[]} */
  #node(object, asNew) {
    const { twins } = this.#tables;
    const unknown = contentsOf(object);
    if (unknown !== undefined) return this.#nodeOf(object, unknown, unknown.prototype === undefined, false);
    const before = twins.stateOf(object);
    const form = asNew ?? formAgain(object, before?.form ?? FORM.PLAIN);
    const { read, reread = read } = FORMS[form];
    const state = {
      form,
      level: levelOf(object),
      prototype: Object.getPrototypeOf(object),
      extras: readExtras(form, object),
      contents: before === undefined ? read(object) : reread(object),
    };
    this.#undo.push(object, before);
    twins.agree(object, state);
    // The class of a view is known by its prototype: the other side still has the old one.
    const isUsual = state.prototype === standardPrototypeOf(form, object) && (form !== FORM.VIEW || before === undefined);
    return this.#nodeOf(object, state, isUsual, before !== undefined);
  }

  /**
   * @param {object} object a twin
   * @param {import('./twins').State} state
   * @param {boolean} isUsual it inherits what its form usually does
   * @param {boolean} isAgain
   * @returns {any[]}
   */
  #nodeOf(object, { form, level, prototype, extras, contents }, isUsual, isAgain) {
    return [
      this.#tables.twins.idOf(object),
      form,
      level,
      isUsual ? 0 : this.slot(prototype),
      extras === null ? null : this.#members(extras),
      this.#contents(form, contents, isAgain),
    ];
  }

  /** @param {number} form @param {any[]} contents @param {boolean} isAgain @returns {any[]} slots */
  #contents(form, contents, isAgain) {
    if (form === FORM.SHARED) return contents;
    // As a Buffer, which every codec treats as bytes.
    if (form === FORM.ARRAY_BUFFER || form === FORM.BUFFER)
      return contents.map((part) => (typeof part === 'number' ? part : Buffer.from(part.buffer, part.byteOffset, part.byteLength)));
    return HAVE_PROPERTIES.has(form) || (isAgain && FORMS[form].reread !== undefined) ? this.#members(contents) : this.slots(contents);
  }

  /** @param {any[]} list names, values, and Properties */
  #members(list) {
    return list.map((item) => {
      if (!Property.is(item)) return this.slot(item);
      const { value, get, set, writable, enumerable, configurable } = item.descriptor;
      const flags = (writable ? 1 : 0) | (enumerable ? 2 : 0) | (configurable ? 4 : 0);
      const isValue = 'value' in item.descriptor;
      return [TAG.PROPERTY, isValue, flags, this.slot(isValue ? value : get), this.slot(set)];
    });
  }

  /** @param {symbol} value */
  #symbol(value) {
    const key = keyFor(value);
    if (key !== undefined) return [TAG.REGISTERED_SYMBOL, this.slot(key)];
    const known = KNOWN_SYMBOLS.get(value);
    if (known !== undefined) return [TAG.KNOWN_SYMBOL, known];
    const own = symbolNameOf(value);
    if (own !== undefined) return [TAG.INTRINSIC_SYMBOL, own];
    return [TAG.OWN_SYMBOL, this.#tables.symbols.idOf(value), value.description === undefined ? null : this.slot(value.description)];
  }
}

/** Forms whose contents may be Properties from the start. @type {Set<number>} */
const HAVE_PROPERTIES = new Set([FORM.ARGUMENTS, FORM.ERROR, FORM.DOM_EXCEPTION]);

exports.Packer = Packer;
exports.Unsendable = Unsendable;
