'use strict';

// Makes a closure look like the function that it stands in front of. In: the two. Out: the closure with the same name and length, and what
// it is to inherit. Behind it is a mirror (mirror.js), which knows all other names.

const { originals } = require('./originals');
const { hasStandardPrototype } = require('./values');
const { Set, Symbol } = require('../engine');

/** Properties that each closure has by itself; each is copied once, when the closure is made. */
const FIXED_OF_FUNCTIONS = new Set(['length', 'name', 'prototype', 'arguments', 'caller']);

const call = Function.prototype.call;
const apply = Function.prototype.apply;
const bind = Function.prototype.bind;
const hasInstance = Function.prototype[Symbol.hasInstance];

/** @this {any} @returns {string} the source of the original */
function toString() {
  return Function.prototype.toString.call(originals.get(this) ?? this);
}

/** Properties that every function has, and that should be found without a trap. */
const METHODS_OF_FUNCTIONS = Object.freeze({
  call: hidden(call),
  apply: hidden(apply),
  bind: hidden(bind),
  toString: hidden(toString),
  [Symbol.hasInstance]: hidden(hasInstance),
});

/** @param {any} fn @returns {typeof METHODS_OF_FUNCTIONS | undefined} undefined: a parent class may define any of them itself */
function methodsOf(fn) {
  return hasStandardPrototype(fn) ? METHODS_OF_FUNCTIONS : undefined;
}

/**
 * Gives a closure the name, the length and the `prototype` of its original.
 * @param {any} shadow @param {any} fn
 */
function dress(shadow, fn) {
  for (const key of ['length', 'name']) {
    const property = Object.getOwnPropertyDescriptor(fn, key);
    if (property === undefined) Reflect.deleteProperty(shadow, key);
    else Object.defineProperty(shadow, key, property);
  }
  const property = Object.getOwnPropertyDescriptor(fn, 'prototype');
  if (property !== undefined) Object.defineProperty(shadow, 'prototype', property);
  else if ('prototype' in shadow) shadow.prototype = undefined;
}

/**
 * The target of a Proxy for the closure. A Proxy must show properties that its target cannot lose, such as `prototype`. A bound function
 * has none, yet can be called with `new`; it has no `this` either.
 * @param {Function} closure @param {Function} fn @returns {Function}
 */
function targetFor(closure, fn) {
  return Object.hasOwn(closure, 'prototype') && !Object.hasOwn(fn, 'prototype') ? closure.bind(undefined) : closure;
}

/** @param {any} value */
function hidden(value) {
  return { value, writable: true, configurable: true, enumerable: false };
}

exports.FIXED_OF_FUNCTIONS = FIXED_OF_FUNCTIONS;
exports.dress = dress;
exports.methodsOf = methodsOf;
exports.targetFor = targetFor;
