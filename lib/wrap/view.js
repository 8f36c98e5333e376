'use strict';

// What a file is handed with the option `exact`: nothing tells it from the original, but `util.types.isProxy` and what compares it with one
// that came by another way. In: an original, and how to wrap what is read. Out: a Proxy. Every question is answered by the original, every
// change is made to it, at once.
//
// The engine holds a Proxy to what its target shows as never changing (ECMA-262, 10.5). So the target is an object of ours, and not the
// original, whose functions could then never be wrapped once it is frozen; what of the original can never change again is put on it, with
// the wrapper for its value, before anybody is told.

const { inspect } = require('node:util');
const { hasOwnText } = require('../object/own-text');
const { register, unwrap } = require('./originals');

// The program may put others in the place of these while we run.
const { Map, Proxy, WeakMap, WeakSet } = globalThis;

const INSPECT = inspect.custom;
/** What Node reads from the target of a Proxy, past all traps: the program is not told of them. @type {readonly PropertyKey[]} */
const HIDDEN = Object.freeze([INSPECT, 'toString']);

/** Names whose values are remembered. */
const MOST_READ = 1024;
const sourceOf = Function.prototype.toString;

/** Of functions: what a function is compared by is never a part of the module to be wrapped. */
const NEVER_WRAPPED = Object.freeze(['prototype', 'arguments', 'caller']);

/**
 * @typedef {object} Host what a view needs of its membrane
 * @property {(value: any, path: PropertyKey[], holder: object) => any} wrap
 * @property {(path: PropertyKey[], values: any[]) => void} wrote the user has written to the original: a value, or none for a name deleted
 * @property {(name: string) => void} missed the user has changed the original in a way that no replica can repeat
 * @property {(value: any) => void} keep the user wrote this value: it is handed back as it is
 * @property {(value: any) => boolean} isKept
 * @property {(original: object) => any} wrapperOf undefined when it has none
 */

/** @this {any} @returns {string} the source of the original */
function toString() {
  return sourceOf.call(unwrap(this));
}

class View {
  #original;
  #target;
  #host;
  #path;
  #isFunction;
  /** @type {Map<PropertyKey, {seen: any, given: any}>} what was read last, and what was given for it */
  #read = new Map();
  /** @type {WeakMap<Function, Function>} getters and setters of the original to ours */
  #accessors = new WeakMap();
  /** @type {any} */
  proxy;

  /**
   * @param {object} given
   * @param {any} given.original
   * @param {any} given.target ours: an empty object, or a function that can be called as the original can
   * @param {Host} given.host
   * @param {PropertyKey[]} given.path from the exports to the original
   */
  constructor({ original, target, host, path }) {
    this.#original = original;
    this.#target = target;
    this.#host = host;
    this.#path = path;
    this.#isFunction = typeof original === 'function';
    // `console.log` looks at the target of a Proxy, past all traps; an object that it is given instead it shows in the same place, a
    // function only as text.
    const look = (/** @type {number | null} */ depth, /** @type {any} */ options, show = inspect) =>
      this.#isFunction ? show(original, { ...options, depth }) : original;
    Object.defineProperty(target, INSPECT, { value: look, configurable: true });
    const text = () => (hasOwnText(original) ? () => String(this.proxy) : undefined);
    if (!this.#isFunction) Object.defineProperty(target, 'toString', { get: text, configurable: true });
    this.proxy = new Proxy(target, this.#traps());
  }

  /** @returns {ProxyHandler<any>} */
  #traps() {
    const original = this.#original;
    return {
      get: (_, key, receiver) => this.#get(key, receiver),
      set: (_, key, value, receiver) => this.#set(key, value, receiver),
      has: (_, key) => {
        this.#settle(key);
        return Reflect.has(original, key);
      },
      deleteProperty: (_, key) => this.#delete(key),
      defineProperty: (_, key, property) => this.#define(key, property),
      getOwnPropertyDescriptor: (_, key) => this.#settle(key),
      ownKeys: () => {
        this.#forget();
        return Reflect.ownKeys(original);
      },
      getPrototypeOf: () => this.#prototype,
      setPrototypeOf: (_, prototype) => this.#setPrototype(prototype),
      isExtensible: () => {
        const isExtensible = Reflect.isExtensible(original);
        if (!isExtensible) this.#close();
        return isExtensible;
      },
      preventExtensions: () => {
        if (!Reflect.preventExtensions(original)) return false;
        this.#close();
        return true;
      },
      // Calls need no trap, so that they take no more frames of the stack than without a view.
      construct: (target, args, newTarget) => Reflect.construct(target, args, newTarget === this.proxy ? target : newTarget),
    };
  }

  /** A parent class of the module is what the user has for it. */
  get #prototype() {
    const prototype = Reflect.getPrototypeOf(this.#original);
    return prototype === null ? null : (this.#host.wrapperOf(prototype) ?? prototype);
  }

  /** @param {object | null} prototype */
  #setPrototype(prototype) {
    if (prototype === this.#prototype) return true;
    if (!Reflect.setPrototypeOf(this.#original, unwrap(prototype))) return false;
    this.#host.missed([...this.#path, '__proto__'].map(String).join('.'));
    return true;
  }

  /** @param {PropertyKey} key @param {any} receiver */
  #get(key, receiver) {
    const original = this.#original;
    // A getter of the module sees the module.
    const value = receiver === this.proxy ? original[key] : Reflect.get(original, key, receiver);
    if ((typeof value !== 'object' || value === null) && typeof value !== 'function') return value;
    const known = this.#read.get(key);
    if (known !== undefined && known.seen === value) return known.given;
    const property = Reflect.getOwnPropertyDescriptor(original, key);
    if (property === undefined) return this.#isFunction && value === sourceOf ? toString : value;
    const fixed = Reflect.getOwnPropertyDescriptor(this.#target, key);
    // `arguments` of a function is another while it runs, and the engine says that it never changes.
    if (fixed?.configurable === false && fixed.writable === false) return fixed.value;
    // What comes out of the program's own getter is the program's.
    if (property.get !== undefined && this.#host.isKept(property.get)) return value;
    const given = this.#give(key, value);
    // What is forgotten is found again: one original has one wrapper.
    if (this.#read.size >= MOST_READ) this.#read.clear();
    this.#read.set(key, { seen: value, given });
    return given;
  }

  /** @param {PropertyKey} key @param {any} value of the original @returns {any} what the user gets for it */
  #give(key, value) {
    if (this.#isFunction && NEVER_WRAPPED.includes(/** @type {string} */ (key))) return value;
    return this.#host.wrap(value, [...this.#path, key], this.#original);
  }

  /** @param {PropertyKey} key @param {any} value @param {any} receiver */
  #set(key, value, receiver) {
    // An object that only inherits from the exports gets a property of its own, as it would from plain ones.
    if (receiver !== this.proxy) return Reflect.set(this.#original, key, value, receiver);
    this.#host.keep(value);
    if (!Reflect.set(this.#original, key, unwrap(value))) return false;
    this.#settle(key);
    this.#host.wrote([...this.#path, key], [unwrap(value)]);
    return true;
  }

  /** @param {PropertyKey} key */
  #delete(key) {
    const isThere = Object.hasOwn(this.#original, key);
    if (!Reflect.deleteProperty(this.#original, key)) return false;
    this.#read.delete(key);
    this.#settle(key);
    if (isThere) this.#host.wrote([...this.#path, key], []);
    return true;
  }

  /** @param {PropertyKey} key @param {PropertyDescriptor} property */
  #define(key, property) {
    const given = [property.value, property.get, property.set].filter((value) => value !== undefined);
    for (const value of given) this.#host.keep(value);
    const mine = { ...property };
    for (const part of /** @type {const} */ (['value', 'get', 'set'])) if (part in mine) mine[part] = unwrap(mine[part]);
    if (!Reflect.defineProperty(this.#original, key, mine)) return false;
    this.#settle(key);
    if ('value' in mine || mine.get !== undefined) this.#host.wrote([...this.#path, key], [mine.get ?? mine.value]);
    return true;
  }

  /**
   * Brings the target to what the original shows of one name, where the engine will compare the two.
   * @param {PropertyKey} key
   * @returns {PropertyDescriptor | undefined} what the user is shown
   */
  #settle(key) {
    const property = Reflect.getOwnPropertyDescriptor(this.#original, key);
    if (property === undefined) {
      if (!HIDDEN.includes(key) || !Reflect.isExtensible(this.#target)) Reflect.deleteProperty(this.#target, key);
      return undefined;
    }
    const shown = this.#shown(key, property);
    if (!property.configurable || !Reflect.isExtensible(this.#target)) Reflect.defineProperty(this.#target, key, shown);
    return shown;
  }

  /** @param {PropertyKey} key @param {PropertyDescriptor} property of the original @returns {PropertyDescriptor} */
  #shown(key, property) {
    const { enumerable, configurable } = property;
    if ('value' in property) return { value: this.#give(key, property.value), writable: property.writable, enumerable, configurable };
    return { get: this.#getter(key, property.get), set: this.#setter(key, property.set), enumerable, configurable };
  }

  /** @param {PropertyKey} key @param {(() => any) | undefined} get */
  #getter(key, get) {
    if (get === undefined || this.#host.isKept(get)) return get;
    const give = (/** @type {any} */ value) => this.#give(key, value);
    const ours = {
      get() {
        return give(Reflect.apply(get, unwrap(this), []));
      },
    };
    return this.#accessor(get, ours.get);
  }

  /** @param {PropertyKey} key @param {((value: any) => void) | undefined} set */
  #setter(key, set) {
    if (set === undefined || this.#host.isKept(set)) return set;
    const host = this.#host;
    const wrote = (/** @type {any} */ self, /** @type {any} */ value) => {
      if (self === this.proxy) host.wrote([...this.#path, key], [unwrap(value)]);
    };
    const ours = {
      set(/** @type {any} */ value) {
        host.keep(value);
        Reflect.apply(set, unwrap(this), [unwrap(value)]);
        wrote(this, value);
      },
    };
    return this.#accessor(set, ours.set);
  }

  /** @param {Function} theirs @param {Function} ours @returns {any} ours, the same each time */
  #accessor(theirs, ours) {
    const known = this.#accessors.get(theirs);
    if (known !== undefined) return known;
    Object.defineProperty(ours, 'name', { value: theirs.name, configurable: true });
    this.#accessors.set(theirs, ours);
    register(ours, theirs);
    return ours;
  }

  /** Names that the original has no more. */
  #forget() {
    for (const key of Reflect.ownKeys(this.#target)) {
      const isHidden = HIDDEN.includes(key) && Reflect.isExtensible(this.#target);
      if (!isHidden && !Object.hasOwn(this.#original, key)) Reflect.deleteProperty(this.#target, key);
    }
  }

  /** The original takes no more names: nor does the target, which has to have all of them then. */
  #close() {
    const target = this.#target;
    if (!Reflect.isExtensible(target)) return;
    for (const key of Reflect.ownKeys(this.#original)) {
      const property = /** @type {PropertyDescriptor} */ (Reflect.getOwnPropertyDescriptor(this.#original, key));
      Reflect.defineProperty(target, key, this.#shown(key, property));
    }
    for (const key of HIDDEN) if (!Object.hasOwn(this.#original, key)) Reflect.deleteProperty(target, key);
    this.#forget();
    Reflect.setPrototypeOf(target, this.#prototype);
    Reflect.preventExtensions(target);
  }
}

/**
 * @param {ConstructorParameters<typeof View>[0]} given
 * @returns {any} the Proxy
 */
function viewOf(given) {
  return new View(given).proxy;
}

/** What all boundaries have in common that hand out the same views. */
class Views {
  /** @type {WeakMap<object, any>} original to its view */
  wrappers = new WeakMap();
  /** @type {WeakSet<object>} what the program wrote: it gets these back as they are */
  kept = new WeakSet();

  /**
   * @param {{staysHome?: boolean}} [how] staysHome: no call leaves, whatever the boundaries say, so what a module got from another one and
   *   hands on is the same there
   */
  constructor({ staysHome = false } = {}) {
    this.staysHome = staysHome;
  }
}

/** @param {object} target @param {PropertyKey} key @returns {boolean} whether the engine wants a Proxy to give the very same */
function isFixed(target, key) {
  const property = Object.getOwnPropertyDescriptor(target, key);
  return property !== undefined && property.configurable === false && property.writable === false;
}

exports.isFixed = isFixed;
exports.viewOf = viewOf;
exports.Views = Views;
