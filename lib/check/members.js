'use strict';
/*
 * What hangs on a value, looked at without running anything: no getter, no trap of a `Proxy`. In: any value. Out: its properties, and the
 * functions that somebody who has it may call.
 */
const types = require('node:util/types');
const { readFunction } = require('./syntax');
const { isOfWorld } = require('./world');
const { isObject } = require('../engine');

/** Functions of the engine that change their first argument, whatever they are called. */
const ON_FIRST = new Set(
  [Object, Reflect].flatMap((holder) => {
    const names = Object.getOwnPropertyNames(holder).filter((name) => isOnFirst(name));
    return names.map((name) => /** @type {any} */ (holder)[name]);
  }),
);

/** Methods that the engine calls by itself. */
const IMPLICIT = ['toString', 'valueOf', 'toJSON', 'then'];

/** @param {string} name of a function of `Object` or `Reflect` @returns {boolean} whether it changes its first argument */
function isOnFirst(name) {
  return /^(?:assign|define\w*|set\w*|deleteProperty|freeze|seal|preventExtensions|__define\w+)$/.test(name);
}

/** @param {any} fn @returns {boolean} whether it is one of these */
const changesFirst = (fn) => ON_FIRST.has(fn);

/** Prototypes of the engine's own classes. @param {any} prototype */
const isEngines = (prototype) => {
  const maker = Reflect.getOwnPropertyDescriptor(prototype, 'constructor')?.value;
  return typeof maker === 'function' && readFunction(maker) === null;
};

/** @param {any} holder @param {string} name @returns {PropertyDescriptor | undefined} runs no getter and no trap */
function propertyOf(holder, name) {
  for (let one = holder; isObject(one); one = Object.getPrototypeOf(one)) {
    if (types.isProxy(one) && !isOfWorld(one)) return undefined;
    const property = Reflect.getOwnPropertyDescriptor(one, name);
    if (property !== undefined) return property;
  }
  return undefined;
}

/** @param {any} value @returns {any[]} functions on it, including its accessors: any of them may be meant */
function membersOf(value) {
  const found = [];
  for (let one = value; isObject(one) && !types.isProxy(one) && !isEngines(one); one = Object.getPrototypeOf(one)) {
    for (const key of Reflect.ownKeys(one)) {
      if (typeof one === 'function' && /^(?:prototype|arguments|caller)$/.test(String(key))) continue;
      const property = /** @type {PropertyDescriptor} */ (Reflect.getOwnPropertyDescriptor(one, key));
      found.push(...[property.value, property.get, property.set].filter((part) => typeof part === 'function'));
    }
  }
  return found;
}

/** @param {any} maker @returns {any} where its objects get their methods from */
const prototypeOf = (maker) => propertyOf(maker, 'prototype')?.value;

/** @param {Function} fn */
const nameOf = (fn) => String(propertyOf(fn, 'name')?.value);

/** @param {any} maker @returns {[string, any][]} methods and accessors of what it makes, including inherited ones */
function methodsOf(maker) {
  /** @type {[string, any][]} */
  const methods = [];
  for (let one = prototypeOf(maker); isObject(one) && !isEngines(one); one = Object.getPrototypeOf(one)) {
    for (const key of Reflect.ownKeys(one)) {
      const { value, get, set } = /** @type {PropertyDescriptor} */ (Reflect.getOwnPropertyDescriptor(one, key));
      if (key === 'constructor') continue;
      for (const part of [value, get, set]) if (typeof part === 'function') methods.push([String(key), part]);
    }
  }
  return methods;
}

/** @param {any} value @returns {any[]} what the engine may call on it when it is turned into text, or iterated */
function implicitOf(value) {
  if (!isObject(value) || typeof value === 'function' || types.isProxy(value)) return [];
  const symbols = [Symbol.iterator, Symbol.asyncIterator, Symbol.toPrimitive, Symbol.toStringTag, Symbol.hasInstance];
  return [...IMPLICIT, ...symbols].flatMap((name) => {
    const property = propertyOf(value, /** @type {string} */ (name));
    return [property?.value, property?.get].filter((fn) => typeof fn === 'function' && readFunction(fn) !== null);
  });
}

/**
 * @param {any} maker
 * @returns {boolean} whether its objects cannot be part of arguments that are sent: a class of the program's own, and not one of errors
 *   or below another class of the engine
 */
function isUnsendable(maker) {
  if (typeof maker !== 'function' || types.isProxy(maker) || readFunction(maker) === null) return false;
  if (propertyOf(maker, /** @type {any} */ (Symbol.hasInstance))?.value !== Function.prototype[Symbol.hasInstance]) return false;
  let one = propertyOf(maker, 'prototype')?.value;
  if (!isObject(one) || one === Object.prototype) return false;
  while (isObject(one) && one !== Object.prototype) {
    if (types.isProxy(one) || isEngines(one)) return false;
    one = Object.getPrototypeOf(one);
  }
  return true;
}

exports.changesFirst = changesFirst;
exports.implicitOf = implicitOf;
exports.isOnFirst = isOnFirst;
exports.isUnsendable = isUnsendable;
exports.membersOf = membersOf;
exports.methodsOf = methodsOf;
exports.nameOf = nameOf;
exports.propertyOf = propertyOf;
exports.prototypeOf = prototypeOf;
