'use strict';

// Keeps a shadow (the copy of an exports object, or the closure before a function) looking like its original. In: the two, and how to wrap
// what is read. Out: accessors on the shadow, and a Proxy at the end of its prototype chain, which sees what no accessor can: names that
// are not there yet, or no more. It must never change the original, except where the user changes the shadow.
//
//   shadow  { own accessors }  ->  Proxy  ->  (prototype of the original)
//   shadow  { own accessors }  ->  { call, apply, bind, ... }  ->  Proxy  ->  ...    a function, once one of these was read
//
// Two things go unseen at first: `delete` and `Object.defineProperty` on the shadow. They reach the original at the next trap, or by
// `reconcile()`. Names that the user wrote are those that get deleted again, so they are checked at each call.

const { inspect, types } = require('node:util');
const { writeCopy } = require('./clones');
const { unwrap } = require('./originals');
const { WrittenNames } = require('./written-names');

// The program may replace these globals while we run.
const { Map, Object, Proxy, Set } = globalThis;
const { create } = Object;

/**
 * @typedef {object} Host what a mirror needs of its membrane
 * @property {(value: any, path: PropertyKey[], holder: object) => any} wrap
 * @property {(path: PropertyKey[], values: any[]) => void} wrote the user has written to the original: a value, or none for a name deleted
 * @property {(mirror: Mirror) => void} touched the user has written a name that needs watching
 * @property {(value: any) => void} keep the user wrote this value: it is handed back unwrapped
 *
 * @typedef {(this: any) => any} Getter
 */

const INSPECT = inspect.custom;

// Each function that a file imports has a mirror, and few of these have names: those without share these two, which stay empty.
/** @type {Map<PropertyKey, Getter>} */
const NO_GETTERS = new Map();
/** @type {Set<PropertyKey>} */
const NO_NAMES = new Set();

/** It is itself the handler of its Proxy, with the traps `getPrototypeOf`, `get`, `set` and `has`. */
class Mirror {
  #original;
  #shadow;
  #host;
  #path;
  /** @type {ReadonlySet<PropertyKey>} names that a shadow function has by itself */
  #fixed;
  /** @type {Readonly<PropertyDescriptorMap> | null} null: already found without a trap, or there are none */
  #methods;
  /** by the name mirrored */
  #getters = NO_GETTERS;
  /** @type {WrittenNames | null} names that the user of the shadow wrote and may delete */
  #written = null;
  /** @type {any} */
  #proxy = null;
  /** @type {object | null} what the Proxy shows itself as */
  #shownAs = null;
  /** @type {Function | null} */
  #inspect = null;
  /** @type {any} for functions: the `prototype` that both had last */
  #prototype;

  /**
   * @param {object} given
   * @param {any} given.original
   * @param {any} given.shadow with no properties of its own but the fixed ones
   * @param {Host} given.host
   * @param {PropertyKey[]} given.path from the exports to the original
   * @param {ReadonlySet<PropertyKey>} [given.fixed]
   * @param {Readonly<PropertyDescriptorMap>} [given.methods] inherited methods for which its Proxy would be wrong, or too slow for frequent
   *   calls
   */
  constructor({ original, shadow, host, path, fixed = NO_NAMES, methods = undefined }) {
    this.#original = original;
    this.#shadow = shadow;
    this.#host = host;
    this.#path = path;
    this.#fixed = fixed;
    this.#methods = methods ?? null;
    this.#prototype = prototypeOf(original);
  }

  /**
   * @param {object | null} prototype what the Proxy shows itself as
   * @returns {any} the end of the shadow's prototype chain
   */
  proxyAs(prototype) {
    // A trap for a frozen target may only tell the truth, so we inherit from such a prototype instead.
    const canPretend = prototype !== null && Object.isExtensible(prototype);
    this.#shownAs = prototype;
    this.#proxy = new Proxy(canPretend ? prototype : create(prototype), this);
    return this.#proxy;
  }

  /** Number of names mirrored. */
  get size() {
    return this.#getters.size;
  }

  /** @param {number} most names to look at @returns {boolean} whether the two sides differ in names, not values */
  isStale(most) {
    return this.#getters.size <= most && (this.#differs(this.#shadow) || this.#differs(this.#original));
  }

  /** @param {object} side */
  #differs(side) {
    let count = 0;
    for (const key of Reflect.ownKeys(side)) {
      if (this.#getters.has(key)) count += 1;
      else if (!this.#fixed.has(key)) return true;
    }
    return count !== this.#getters.size;
  }

  /** Brings both sides to the same names, and makes both extensible or frozen alike. */
  reconcile() {
    const shadow = this.#shadow;
    for (const key of [...this.#getters.keys()]) this.#settle(key);
    for (const key of Reflect.ownKeys(shadow)) if (!this.#fixed.has(key)) this.#settle(key);
    // If the module closed its object itself, it stays that way.
    if (!Object.isExtensible(shadow) && Object.isExtensible(this.#original)) this.#closeOriginal();
    for (const key of Reflect.ownKeys(this.#original)) if (!this.#fixed.has(key)) this.#settle(key);
    if (!Object.isExtensible(this.#original)) Object.preventExtensions(shadow);
    if (this.#fixed.has('prototype')) this.#settlePrototype();
  }

  /** The `prototype` of a function cannot be an accessor. Few change it; a module in a circle may, after its class was handed out. */
  #settlePrototype() {
    const [ours, theirs] = [prototypeOf(this.#shadow), prototypeOf(this.#original)];
    if (ours === theirs) return;
    const [from, to] = ours === this.#prototype ? [theirs, this.#shadow] : [ours, this.#original];
    if (Reflect.set(to, 'prototype', from)) this.#prototype = from;
  }

  /**
   * Called before a call into the module: deletes what the user wrote and has deleted since.
   * @returns {number} of names that still need watching
   */
  settleWritten() {
    if (this.#written === null) return 0;
    for (const key of this.#written.takeGone(this.#shadow)) this.#settle(key);
    return this.#written.size;
  }

  /** @param {PropertyKey} key */
  #lookAfter(key) {
    this.#written ??= new WrittenNames();
    this.#host.touched(this);
    if (this.#written.add(key)) this.settleWritten();
  }

  /** Called when the user froze or sealed the shadow. */
  #closeOriginal() {
    const original = this.#original;
    // Names of a namespace never change anyway, but it cannot be frozen: Object.freeze throws.
    if (types.isModuleNamespaceObject(original)) return;
    if (Object.isFrozen(this.#shadow)) Object.freeze(original);
    else if (Object.isSealed(this.#shadow)) Object.seal(original);
    else Object.preventExtensions(original);
  }

  /**
   * Makes both sides agree on one name.
   * @param {PropertyKey} key
   */
  #settle(key) {
    if (this.#fixed.has(key)) return;
    const getter = this.#getters.get(key);
    const shown = Object.getOwnPropertyDescriptor(this.#shadow, key);
    if (getter !== undefined && shown === undefined) {
      this.#getters.delete(key);
      if (!this.#isSetAnew(key, getter) && Reflect.deleteProperty(this.#original, key)) this.#host.wrote([...this.#path, key], []);
    } else if (shown !== undefined && (getter === undefined || shown.get !== getter)) {
      this.#adopt(key, shown);
    }
    const property = Object.getOwnPropertyDescriptor(this.#original, key);
    if (property === undefined) this.#drop(key);
    else this.#show(key, property);
  }

  /** The user deleted the name. @param {PropertyKey} key @param {Getter} getter that the name had @returns {boolean} whether the module has set another value since the last read, so that nothing is left to delete */
  #isSetAnew(key, getter) {
    const seen = Reflect.apply(getter, this, []);
    const property = Object.getOwnPropertyDescriptor(this.#original, key);
    return seen !== undefined && property !== undefined && 'value' in property && property.value !== seen;
  }

  /**
   * Takes over a property that the user defined on the shadow: it becomes the original's.
   * @param {PropertyKey} key
   * @param {PropertyDescriptor} shown
   */
  #adopt(key, shown) {
    if ('value' in shown) this.#host.keep(shown.value);
    const property = 'value' in shown ? { ...shown, value: unwrap(shown.value) } : shown;
    if (Reflect.defineProperty(this.#original, key, property)) this.#host.wrote([...this.#path, key], [property.get ?? property.value]);
    // A property that can never change again stays as the user made it.
    if (shown.configurable) this.#getters.delete(key);
    else this.#fixed = new Set(this.#fixed).add(key);
  }

  /** @param {PropertyKey} key */
  #drop(key) {
    this.#getters.delete(key);
    Reflect.deleteProperty(this.#shadow, key);
  }

  /**
   * @param {PropertyKey} key
   * @param {PropertyDescriptor} property of the original
   */
  #show(key, property) {
    if (this.#fixed.has(key)) return;
    const shown = Object.getOwnPropertyDescriptor(this.#shadow, key);
    // Names of an ES module claim to be writable, but nobody can write them.
    const isWritable =
      'value' in property ? property.writable === true && !types.isModuleNamespaceObject(this.#original) : property.set !== undefined;
    if (
      shown !== undefined &&
      (shown.set !== undefined) === isWritable &&
      shown.enumerable === property.enumerable &&
      shown.configurable === property.configurable
    )
      return;
    const get = this.#getters.get(key) ?? this.#getter(key);
    const isDone = Reflect.defineProperty(this.#shadow, key, {
      get,
      set: isWritable ? this.#setter(key, get) : undefined,
      enumerable: property.enumerable,
      configurable: property.configurable,
    });
    if (!isDone) return;
    if (this.#getters === NO_GETTERS) this.#getters = new Map();
    this.#getters.set(key, get);
  }

  /** @param {PropertyKey} key @returns {Getter} called on this mirror, it gives the original value read last */
  #getter(key) {
    const mirror = this;
    const original = this.#original;
    const shadow = this.#shadow;
    const host = this.#host;
    const path = this.#path;
    // What was read last, and what was handed out for it: most names never change.
    /** @type {any} */
    let seen;
    /** @type {any} */
    let given;
    return function () {
      if (this !== shadow && this === mirror) return seen;
      const value = this === shadow ? original[key] : Reflect.get(original, key, this);
      if (value === seen) return given;
      // Not by spread, which would reserve room for 17.
      const wrapped = host.wrap(value, path.concat(key), original);
      seen = value;
      given = wrapped;
      return wrapped;
    };
  }

  /** @param {PropertyKey} key @param {Getter} get the getter beside it */
  #setter(key, get) {
    const mirror = this;
    return /** @this {any} @param {any} value */ function (value) {
      if (this === mirror.#shadow) mirror.#write(key, value);
      // An object that merely inherits from the shadow gets a property of its own, as from a plain object.
      else if (!Reflect.set(mirror.#original, key, value, this) && !writeCopy(this, key, get, value)) throw readOnly(key);
    };
  }

  /** @param {PropertyKey} key @param {any} value */
  #write(key, value) {
    if (!Object.isExtensible(this.#shadow)) this.reconcile();
    this.#host.keep(value);
    if (Reflect.set(this.#original, key, unwrap(value))) {
      this.#lookAfter(key);
      return this.#host.wrote([...this.#path, key], [unwrap(value)]);
    }
    this.#settle(key);
    throw readOnly(key);
  }

  getPrototypeOf() {
    return this.#shownAs;
  }

  /** @param {any} target @param {PropertyKey} key @param {any} receiver */
  get(target, key, receiver) {
    if (receiver === this.#proxy) return Reflect.get(target, key);
    this.#settle(key);
    const own = Object.getOwnPropertyDescriptor(this.#shadow, key);
    if (own !== undefined) return Reflect.get(this.#shadow, key, receiver);
    if (this.#methods !== null && Object.hasOwn(this.#methods, key)) return this.#method(key);
    const value = Reflect.get(this.#original, key, receiver === this.#shadow ? this.#original : receiver);
    if (key === INSPECT && value === undefined) return (this.#inspect ??= inspectorOf(this.#original));
    return value;
  }

  /** @param {any} target @param {PropertyKey} key @param {any} value @param {any} receiver */
  set(target, key, value, receiver) {
    if (receiver === this.#proxy) return Reflect.set(target, key, value);
    this.#settle(key);
    if (receiver !== this.#shadow) return Reflect.set(this.#original, key, value, receiver);
    if (!Object.isExtensible(this.#shadow)) return false;
    this.#host.keep(value);
    if (!Reflect.set(this.#original, key, unwrap(value))) return false;
    this.#host.wrote([...this.#path, key], [unwrap(value)]);
    this.#settle(key);
    this.#lookAfter(key);
    return true;
  }

  /** @param {any} _ @param {PropertyKey} key */
  has(_, key) {
    this.#settle(key);
    return Object.hasOwn(this.#shadow, key) || Reflect.has(this.#original, key);
  }

  /** Once one of these was read, they are found before the Proxy is asked. @param {PropertyKey} key */
  #method(key) {
    const methods = /** @type {any} */ (this.#methods);
    // A function that must keep its prototype goes on asking the Proxy.
    if (Reflect.setPrototypeOf(this.#shadow, create(this.#proxy, methods))) this.#methods = null;
    return methods[key].value;
  }
}

/** Makes `console.log` of a wrapper print what it would print for the original, not a list of accessors. @param {any} original */
function inspectorOf(original) {
  return /** @param {number | null} depth that is left @param {any} options @param {typeof inspect} show */ (
    depth,
    options,
    show = inspect,
  ) => (typeof original === 'function' ? show(original, { ...options, depth }) : original);
}

/** @param {object} holder @returns {any} its own `prototype`; undefined if that is not a plain value */
const prototypeOf = (holder) => Object.getOwnPropertyDescriptor(holder, 'prototype')?.value;

/** @param {PropertyKey} key */
function readOnly(key) {
  return new TypeError(`Cannot assign to read only property '${String(key)}' of object`);
}

exports.Mirror = Mirror;
