'use strict';
/*
 * The members of a plain object as a flat list: name, value, name, value ... In: an object, or such a list. Out: the other; whether two are
 * equal. A member that is more than a value (an accessor, or hidden, or read-only) is in the list as a Property. No accessor of a program
 * runs, except the read with which a quick look notices that there is one.
 */
const glance = require('./glance');
const engine = require('../engine');

const { Object, Reflect } = engine;
/** Called for each twin at each crossing. */
const { getPrototypeOf, is: isIdentical } = Object;
const { ownKeys } = Reflect;

/**
 * A member of a plain object that is more than a value anybody may change: an accessor, or hidden, or read-only. In `contents` it takes the
 * place of a value; no object of a program ever holds it.
 */
class Property {
  #isProperty = true;

  /** @param {PropertyDescriptor} descriptor */
  constructor(descriptor) {
    this.descriptor = descriptor;
  }

  /** Not `instanceof`, which asks a Proxy. @param {any} value @returns {value is Property} */
  static is(value) {
    return typeof value === 'object' && value !== null && #isProperty in value && value.#isProperty;
  }

  /** @param {any} a @param {any} b */
  static areSame(a, b) {
    if (!Property.is(a) || !Property.is(b)) return Object.is(a, b);
    const [one, two] = [a.descriptor, b.descriptor];
    return KEYS_OF_DESCRIPTORS.every((key) => Object.is(one[key], two[key]));
  }
}

const KEYS_OF_DESCRIPTORS = /** @type {const} */ (['value', 'get', 'set', 'writable', 'enumerable', 'configurable']);

/**
 * Whether this still holds, as far as a quick look shows: hidden names and symbols are looked for only in objects that are sent again
 * (`isExact`).
 *
 * @param {any} object
 * @param {any[]} base name, value, ...
 */
function hasSameMembers(object, base) {
  // A look along the chain of prototypes could ask the other side.
  const prototype = getPrototypeOf(object);
  if (prototype !== Object.prototype && prototype !== null) return isExact(object, base);
  return hasSameValues(object, base) || isExact(object, base);
}

/** @param {any} object @param {any[]} base name, value, ... @returns {boolean} false may also mean that a quick look cannot tell */
function hasSameValues(object, base) {
  let at = 0;
  glance.begin();
  try {
    for (const key in object) {
      const value = base[at + 1];
      if (key !== base[at] || (typeof value === 'object' && Property.is(value)) || !isIdentical(object[key], value)) return false;
      at += 2;
    }
    return at === base.length;
  } catch {
    return false;
  } finally {
    glance.end();
  }
}

/** @param {any} object @param {any[]} base name, value, ... @returns {boolean} whether these are exactly its members; no accessor runs */
function isExact(object, base) {
  return sameMembers(rereadMembers(object), base);
}

/** @param {any[]} a name, value or Property, ... @param {any[]} b */
function sameMembers(a, b) {
  return a.length === b.length && a.every((value, i) => Property.areSame(value, b[i]));
}

/** @param {any[]} a @param {any[]} b */
function sameList(a, b) {
  return a.length === b.length && a.every((value, i) => Object.is(value, b[i]));
}

/** @param {any} object @param {(key: PropertyKey) => boolean} [isWanted] @returns {any[]} name, value, ... */
function readMembers(object, isWanted) {
  const list = [];
  for (const key of ownKeys(object)) if (isWanted === undefined || isWanted(key)) list.push(key, object[key]);
  return list;
}

/**
 * The same for an object whose members may be of any kind by now.
 *
 * @param {any} object
 * @param {(key: PropertyKey) => boolean} [isWanted]
 * @returns {any[]} name, value or Property, ...
 */
function rereadMembers(object, isWanted) {
  const isWritable = !Object.isFrozen(object);
  const isConfigurable = !Object.isSealed(object);
  const list = [];
  for (const key of ownKeys(object))
    if (isWanted === undefined || isWanted(key)) list.push(key, readMember(object, key, isWritable, isConfigurable));
  return list;
}

/**
 * @param {any} object
 * @param {PropertyKey} key
 * @param {boolean} [isWritable] what a member without a Property has
 * @param {boolean} [isConfigurable] likewise
 * @returns {any} its value, or a Property
 */
function readMember(object, key, isWritable = !Object.isFrozen(object), isConfigurable = !Object.isSealed(object)) {
  const property = /** @type {PropertyDescriptor} */ (Object.getOwnPropertyDescriptor(object, key));
  const isPlain =
    'value' in property && property.enumerable && property.writable === isWritable && property.configurable === isConfigurable;
  return isPlain ? property.value : new Property(property);
}

/** Makes these its members, exactly and in this order. @param {any} object @param {any[]} list name, value, ... */
function fillMembers(object, list) {
  const keys = ownKeys(object);
  const isPrefix = keys.length * 2 <= list.length && keys.every((key, i) => key === list[2 * i]);
  if (!isPrefix) for (const key of keys) Reflect.deleteProperty(object, key);
  defineMembers(object, list);
}

/** @param {any} object keeps what else it has @param {any[]} list name, value or Property, ... */
function defineMembers(object, list) {
  for (let i = 0; i < list.length; i += 2) {
    const value = list[i + 1];
    if (Property.is(value)) Object.defineProperty(object, list[i], value.descriptor);
    else define(object, list[i], value, true);
  }
}

/**
 * Never assigns: a name such as `__proto__` becomes an own property.
 *
 * @param {any} object
 * @param {PropertyKey} key
 * @param {any} value
 * @param {boolean} enumerable
 */
function define(object, key, value, enumerable) {
  // In a sealed object it takes another value, and nothing else can change.
  if (!Reflect.defineProperty(object, key, { value, writable: true, enumerable, configurable: true }))
    Object.defineProperty(object, key, { value });
}

exports.Property = Property;
exports.define = define;
exports.defineMembers = defineMembers;
exports.fillMembers = fillMembers;
exports.readMember = readMember;
exports.hasSameMembers = hasSameMembers;
exports.isExact = isExact;
exports.readMembers = readMembers;
exports.rereadMembers = rereadMembers;
exports.sameList = sameList;
exports.sameMembers = sameMembers;
