'use strict';

// What a file is handed with the option `exact`: nothing tells it from the original, except `util.types.isProxy`, and a comparison with one
// that came another way. In: an original, and how to wrap what is read. Out: a Proxy. The original answers every question, and every change
// is made to it, at once.
//
// The engine checks a Proxy against what its target shows as never changing (ECMA-262, 10.5). So the target is an object of ours rather
// than the original: functions of a frozen original could never be wrapped. Whatever can never change again on the original is put on the
// target, with the wrapper as its value, before anybody is told.

const { inspect } = require('node:util');
const { hasOwnText } = require('../object/own-text');
const { register, unwrap } = require('./originals');

// The program may replace these globals while we run.
const { Map, Proxy, WeakMap, WeakSet } = globalThis;

const INSPECT = inspect.custom;
/** What Node reads from the target of a Proxy, past all traps; hidden from the program. @type {readonly PropertyKey[]} */
const HIDDEN = Object.freeze([INSPECT, 'toString']);

/** How many names have their values remembered. */
const MOST_READ = 1024;
const sourceOf = Function.prototype.toString;

/** For functions: what a function is compared by is never wrapped as a part of the module. */
const NEVER_WRAPPED = Object.freeze(['prototype', 'arguments', 'caller']);

/**
 * @typedef {object} Host what a view needs of its membrane
 * @property {(value: any, path: PropertyKey[], holder: object) => any} wrap
 * @property {(path: PropertyKey[], values: any[]) => void} wrote the user has written to the original: a value, or none for a name deleted
 * @property {(name: string) => void} missed the user has changed the original in a way that no replica can repeat
 * @property {(value: any) => void} keep the user wrote this value: it is handed back unwrapped
 * @property {(value: any) => boolean} isKept
 * @property {(original: object) => any} wrapperOf undefined if it has none
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
  /** @type {Map<PropertyKey, {seen: any, given: any}>} what was read last, and what was handed out for it */
  #read = new Map();
  /** @type {WeakMap<Function, Function>} by getter or setter of the original: ours */
  #accessors = new WeakMap();
  /** @type {any} */
  proxy;

  /**
   * @param {object} given
   * @param {any} given.original
   * @param {any} given.target ours: an empty object, or a function that can be called like the original
   * @param {Host} given.host
   * @param {PropertyKey[]} given.path from the exports to the original
   */
  constructor({ original, target, host, path }) {
    this.#original = original;
    this.#target = target;
    this.#host = host;
    this.#path = path;
    this.#isFunction = typeof original === 'function';
    // `console.log` looks at the target of a Proxy, past all traps. If it is given an object instead, it shows that in the same place; a
    // function it shows only as text.
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
      // Calls need no trap, and so no more stack frames than without a view.
      construct: (target, args, newTarget) => Reflect.construct(target, args, newTarget === this.proxy ? target : newTarget),
    };
  }

  /** If the parent class is one of the module's, the user gets the wrapper of it. */
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
    // A getter of the module sees the module itself.
    const value = receiver === this.proxy ? original[key] : Reflect.get(original, key, receiver);
    if ((typeof value !== 'object' || value === null) && typeof value !== 'function') return value;
    const known = this.#read.get(key);
    if (known !== undefined && known.seen === value) return known.given;
    const property = Reflect.getOwnPropertyDescriptor(original, key);
    if (property === undefined) return this.#isFunction && value === sourceOf ? toString : value;
    const fixed = Reflect.getOwnPropertyDescriptor(this.#target, key);
    // `arguments` of a function changes while it runs, although the engine says that it never does.
    if (fixed?.configurable === false && fixed.writable === false) return fixed.value;
    // What the program's own getter returns is the program's.
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
    // An object that merely inherits from the exports gets a property of its own, as from a plain object.
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
   * Brings the target in line with the original for one name, where the engine will compare the two.
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

  /** Forgets names that the original no longer has. */
  #forget() {
    for (const key of Reflect.ownKeys(this.#target)) {
      const isHidden = HIDDEN.includes(key) && Reflect.isExtensible(this.#target);
      if (!isHidden && !Object.hasOwn(this.#original, key)) Reflect.deleteProperty(this.#target, key);
    }
  }

  /** The original takes no more names, so neither may the target, which must have all of them by then. */
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

/** What boundaries share that hand out the same views. */
class Views {
  /** @type {WeakMap<object, any>} by original: its view */
  wrappers = new WeakMap();
  /** @type {WeakSet<object>} what the program wrote: it gets this back unwrapped */
  kept = new WeakSet();

  /**
   * @param {{staysHome?: boolean}} [how] staysHome: no call leaves, whatever the boundaries say, so values that a module got from another
   *   one and passes on stay the same
   */
  constructor({ staysHome = false } = {}) {
    this.staysHome = staysHome;
  }
}

/** @param {object} target @param {PropertyKey} key @returns {boolean} whether the engine requires a Proxy to give this very value */
function isFixed(target, key) {
  const property = Object.getOwnPropertyDescriptor(target, key);
  return property !== undefined && property.configurable === false && property.writable === false;
}

exports.isFixed = isFixed;
exports.viewOf = viewOf;
exports.Views = Views;
