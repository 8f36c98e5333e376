'use strict';

// What makes a closure look like the function that it stands before.
// In: the two. Out: the closure with the same name and length; what it shall inherit. Behind it stands a mirror (mirror.js), which knows
// all other names.

const { originals } = require('./originals');
const { hasStandardPrototype } = require('./values');

// The program may put others in the place of these while we run.
const { Set, Symbol } = globalThis;

/** What a closure has by itself; each is brought over once, when it is made. */
const FIXED_OF_FUNCTIONS = new Set(['length', 'name', 'prototype', 'arguments', 'caller']);

const call = Function.prototype.call;
const apply = Function.prototype.apply;
const bind = Function.prototype.bind;
const hasInstance = Function.prototype[Symbol.hasInstance];

/** @this {any} @returns {string} the source of the original */
function toString() {
  return Function.prototype.toString.call(originals.get(this) ?? this);
}

/** What every function has, and what is to be found without a trap. */
const METHODS_OF_FUNCTIONS = Object.freeze({
  call: hidden(call),
  apply: hidden(apply),
  bind: hidden(bind),
  toString: hidden(toString),
  [Symbol.hasInstance]: hidden(hasInstance),
});

/** @param {any} fn @returns {typeof METHODS_OF_FUNCTIONS | undefined} undefined: a parent class may have any of them as its own */
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
 * A Proxy has to show what its target cannot lose, and a bound function can be called with `new` but has no `prototype`; nor has it a
 * `this`.
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
