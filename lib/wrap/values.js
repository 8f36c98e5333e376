'use strict';

// Classifies values for the membrane: to be wrapped as a function, copied with accessors, or left alone. In: any value of another module.
// Out: facts about it. It must run no getter and trigger no Proxy.

const { types } = require('node:util');
const { isView, originals } = require('./originals');
const { readsThis } = require('./source');
const { Set } = require('../engine');

/** How deep, and through how many objects, we look for a function before a plain object counts as data. */
const DEEPEST = 4;
const MOST_OBJECTS = 500;

/** How names of classes begin. */
const CAPITAL = /^[A-Z]/;

const STANDARD_FUNCTION_PROTOTYPES = new Set([
  Function.prototype,
  Object.getPrototypeOf(async function () {}),
  Object.getPrototypeOf(function* () {}),
  Object.getPrototypeOf(async function* () {}),
]);

/**
 * The engine's name spaces, and plumbing that modules re-export (`exports.EventEmitter = require('events')`): all mean the very same
 * object.
 */
const INTRINSICS = new Set([
  ...[globalThis, Atomics, Intl, JSON, Math, Reflect, /** @type {any} */ (globalThis).WebAssembly, console, process],
  ...['events', 'stream', 'util', 'path', 'url', 'buffer'].map((name) => require(`node:${name}`)),
]);

/**
 * Globals are looked up by name, one by one: many are made only on first access, and `fetch` alone would cost a program 100 ms.
 * @param {any} value
 * @returns {boolean} whether it belongs to the engine or Node: a module that re-exports such a thing means the very same
 */
function isIntrinsic(value) {
  if (INTRINSICS.has(value)) return true;
  if (typeof value !== 'function') return false;
  const name = Object.getOwnPropertyDescriptor(value, 'name')?.value;
  return typeof name === 'string' && Object.hasOwn(globalThis, name) && Object.getOwnPropertyDescriptor(globalThis, name)?.value === value;
}

/** @param {any} value @returns {boolean} true for a Proxy that is not ours: nobody knows what looking at it does */
function isForeignProxy(value) {
  return types.isProxy(value) && !isView(value);
}

/**
 * @param {any} value
 * @returns {value is Function} true if a wrapper can behave like it
 */
function isWrappableFunction(value) {
  return typeof value === 'function' && !isForeignProxy(value) && !isIntrinsic(value);
}

/** @param {object} value @returns {boolean} true if it is no Proxy, and not the engine's own */
function isWrappableObject(value) {
  return !types.isProxy(value) && !isIntrinsic(value) && !types.isModuleNamespaceObject(value);
}

/**
 * Whether a function is a class to its users: it has class syntax, or a prototype with members or a parent of its own, and no functions
 * beside it. (lodash's `_` has both members and functions: its users call it, so it is not one.)
 * @param {Function} fn
 * @returns {boolean}
 */
function isClassLike(fn) {
  return makesItsOwn(fn) && (Object.getOwnPropertyDescriptor(fn, 'prototype')?.writable === false || !hasOwnFunction(fn));
}

/**
 * @param {Function} fn
 * @returns {boolean} whether objects that `new` makes get members or a parent from it: true for classes, and for functions that are both
 *   called and inherited from
 */
function makesItsOwn(fn) {
  const property = Object.getOwnPropertyDescriptor(fn, 'prototype');
  if (property === undefined || !('value' in property)) return false;
  const { value: prototype } = property;
  if (typeof prototype !== 'object' || prototype === null) return false;
  if (property.writable === false) return true;
  // The prototype of a generator has no constructor and inherits from Generator: not a class.
  if (types.isGeneratorFunction(fn) || types.isProxy(prototype)) return false;
  const hasParent = Object.getPrototypeOf(prototype) !== Object.prototype;
  const hasMembers = Reflect.ownKeys(prototype).some((key) => key !== 'constructor');
  return hasParent || hasMembers;
}

/**
 * Whether a function is a class to its users, judged also by its name. Before there was class syntax, they were written as `function
 * Point(x) { this.x = x }`, with or without functions beside it. It is the `constructor` of what it makes, and programs compare that.
 * @param {Function} fn
 * @param {PropertyKey[]} path under which its module exports it
 * @returns {boolean}
 */
function isNamedAsClass(fn, path) {
  const names = [path.at(-1), Object.getOwnPropertyDescriptor(fn, 'name')?.value];
  if (!names.some((name) => typeof name === 'string' && CAPITAL.test(name))) return false;
  return makesItsOwn(fn) || (Object.hasOwn(fn, 'prototype') && !types.isGeneratorFunction(fn) && readsThis(fn));
}

/** `util.inherits` leaves the parent class under `super_`. @param {Function} fn */
function hasOwnFunction(fn) {
  return Reflect.ownKeys(fn).some(
    (key) =>
      key !== 'prototype' &&
      key !== 'arguments' &&
      key !== 'caller' &&
      key !== 'super_' &&
      typeof Object.getOwnPropertyDescriptor(fn, key)?.value === 'function',
  );
}

/**
 * @param {object} value
 * @returns {boolean} whether objects of a class inherit from it, so that it gets compared (`Map.prototype`)
 */
function isPrototype(value) {
  const constructor = Object.getOwnPropertyDescriptor(value, 'constructor')?.value;
  return typeof constructor === 'function' && Object.getOwnPropertyDescriptor(constructor, 'prototype')?.value === value;
}

/**
 * @param {any} value
 * @param {boolean} [isPartial] exports of a module that is still loading
 * @returns {boolean} true for a plain object: no class or prototype of one, no array, no internal slots that we know of
 */
function isPlainObject(value, isPartial = false) {
  if (typeof value !== 'object' || value === null || isForeignProxy(value) || isIntrinsic(value) || isPrototype(value)) return false;
  const prototype = Object.getPrototypeOf(value);
  // In a circle, Node gives the exports a Proxy as prototype, to warn of missing names. Wrappers of ours have one, too. With any other
  // Proxy there, it may be an instance of a class.
  const mayBeProxy = isPartial || originals.has(value);
  if (prototype !== Object.prototype && prototype !== null && !(mayBeProxy && types.isProxy(prototype))) return false;
  return !types.isModuleNamespaceObject(value) && !types.isArgumentsObject(value) && !types.isExternal(value);
}

/**
 * @param {any} value
 * @returns {boolean} true for a plain object that leads to a function, or to a getter, which may give one
 */
function isContainer(value) {
  if (!isPlainObject(value)) return false;
  const seen = new Set([value]);
  let level = [value];
  for (let depth = 0; depth < DEEPEST && level.length > 0; depth++) {
    const next = [];
    for (const object of level) {
      for (const key of Reflect.ownKeys(object)) {
        const property = /** @type {PropertyDescriptor} */ (Object.getOwnPropertyDescriptor(object, key));
        if (!('value' in property) || isWrappableFunction(property.value)) return true;
        if (seen.size > MOST_OBJECTS || seen.has(property.value) || !isPlainObject(property.value)) continue;
        seen.add(property.value);
        next.push(property.value);
      }
    }
    level = next;
  }
  return false;
}

/** @param {Function} fn @returns {boolean} whether nothing is between it and the engine's own prototypes */
function hasStandardPrototype(fn) {
  return STANDARD_FUNCTION_PROTOTYPES.has(Object.getPrototypeOf(fn));
}

exports.makesItsOwn = makesItsOwn;
exports.isWrappableFunction = isWrappableFunction;
exports.isWrappableObject = isWrappableObject;
exports.isClassLike = isClassLike;
exports.isNamedAsClass = isNamedAsClass;
exports.isPlainObject = isPlainObject;
exports.isContainer = isContainer;
exports.hasStandardPrototype = hasStandardPrototype;
