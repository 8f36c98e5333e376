'use strict';
/*
 * How a value travels: as a copy that both sides keep equal (a twin), or as a reference to the one object. In: any object of the program.
 * Out: the FORM of its copy, or null for a reference. Data is copied: plain objects, arrays, and what the engine recognizes by its brand
 * (Map, Date, Error, bytes). What has behaviour is referred to: functions, class instances, accessors, Proxies. It runs no code of the
 * program.
 */
const { Buffer } = require('node:buffer');
const types = require('node:util/types');
const { isClonable, readKey } = require('./clonable');
const { hrefOf } = require('./contents');
const { MANY, hasNames } = require('./extras');
const { isBeyond } = require('./memory');
const { FORM, SHAPE } = require('./tags');
const { isConstructor } = require('../session/constructible');
const { readEngineValue } = require('../session/engine-values');
const { readWebError } = require('../session/web-errors');
const engine = require('../engine');

const { Math, Object, Promise, Reflect, Set, globalOf, isArray } = engine;
const [ArrayBuffer, URL] = ['ArrayBuffer', 'URL'].map(globalOf);

/** Since Node 22. */
const { isRawJSON: isRawJson } = globalOf('JSON');

const SPARSE_FROM = 4096;

const hasOwn = Object.prototype.hasOwnProperty;

/**
 * @param {object} value no Proxy of ours
 * @returns {number | null} its FORM; null: it goes by reference
 */
function formOf(value) {
  if (types.isProxy(value)) return null;
  if (isArray(value)) return arrayFormOf(value);
  const prototype = Object.getPrototypeOf(value);
  if (prototype === Object.prototype) return types.isArgumentsObject(value) ? FORM.ARGUMENTS : plainFormOf(value, FORM.PLAIN);
  return prototype === null ? bareFormOf(value) : brandOf(value, prototype);
}

/** @param {any[]} value @returns {number | null} */
function arrayFormOf(value) {
  if ((value.length <= MANY || hasNames(value)) && !isData(value, 'length')) return null;
  const { writable } = /** @type {PropertyDescriptor} */ (Object.getOwnPropertyDescriptor(value, 'length'));
  if (!writable && !Object.isFrozen(value)) return null;
  return isSparse(value) ? FORM.SPARSE : FORM.ARRAY;
}

/** @param {any} value @param {number} form @returns {number | null} */
const plainFormOf = (value, form) => (types.isExternal(value) || !isData(value, '') ? null : form);

/** Any object may have lost its prototype, but keeps its brand. @param {any} value @returns {number | null} */
function bareFormOf(value) {
  if (types.isArgumentsObject(value)) return FORM.ARGUMENTS;
  if (types.isModuleNamespaceObject(value) || types.isPromise(value) || types.isGeneratorObject(value)) return null;
  if (types.isWeakMap(value) || types.isWeakSet(value) || types.isMapIterator(value) || types.isSetIterator(value)) return null;
  if (isRawJson?.(value)) return FORM.RAW_JSON;
  return brandOf(value, null) ?? plainFormOf(value, FORM.BARE);
}

/** @param {any} value @param {any} prototype @returns {number | null} */
function brandOf(value, prototype) {
  if (WEB_ERRORS.has(prototype)) return isOfTheWeb(value) ? FORM.DOM_EXCEPTION : null;
  // Since Node 22, these are native errors; one of a subclass stays with its class, since only that finds its message.
  if (types.isNativeError(value)) return !ENGINES_ERRORS.has(prototype) && isOfTheWeb(value) ? null : FORM.ERROR;
  if (types.isMap(value)) return FORM.MAP;
  if (types.isSet(value)) return FORM.SET;
  if (types.isDate(value)) return FORM.DATE;
  if (types.isRegExp(value)) return FORM.REGEXP;
  if (types.isArrayBuffer(value)) return FORM.ARRAY_BUFFER;
  if (types.isSharedArrayBuffer(value)) return FORM.SHARED;
  if (ArrayBuffer.isView(value)) return viewFormOf(value, prototype);
  if (types.isBoxedPrimitive(value)) return FORM.BOXED;
  if (types.isPromise(value)) return prototype === Promise.prototype && Reflect.ownKeys(value).every(isEnginesOwn) ? FORM.PROMISE : null;
  // Never `instanceof`: the chain of prototypes may lead to the other side.
  if (prototype === URL.prototype) return isUrl(value) ? FORM.URL : null;
  if (isClonable(value, prototype)) return FORM.SHARED;
  return readEngineValue(value, prototype) === null ? null : FORM.ENGINE_VALUE;
}

/**
 * @param {object} value shared with threads
 * @returns {number | null | undefined} its FORM for another process; undefined: it can neither go there nor stay
 */
function apartFormOf(value) {
  if (types.isSharedArrayBuffer(value)) return undefined;
  return readKey(value) === null ? null : FORM.KEY;
}

/** The prototype of a subclass only inherits from URL. @param {object} value @returns {boolean} whether URL made it */
function isUrl(value) {
  try {
    hrefOf(value);
    return true;
  } catch {
    return false;
  }
}

/** @type {Set<object>} */
const ENGINES_ERRORS = new Set(
  ['Error', 'AggregateError', 'EvalError', 'RangeError', 'ReferenceError', 'SyntaxError', 'TypeError', 'URIError'].map(
    (name) => globalOf(name).prototype,
  ),
);

/** @type {Set<object>} the second since Node 26 */
const WEB_ERRORS = new Set(['DOMException', 'QuotaExceededError'].map((name) => globalOf(name)?.prototype).filter(Boolean));

/** @param {object} error @returns {boolean} whether DOMException made it; this is not true of its prototype */
const isOfTheWeb = (error) => readWebError(error) !== null;

/** Node marks promises with symbols of its own (async_hooks). @param {PropertyKey} key */
function isEnginesOwn(key) {
  return typeof key === 'symbol';
}

/** A small Buffer is a piece of a shared pool: only the piece travels. @param {any} view @param {any} prototype */
function viewFormOf(view, prototype) {
  if (isBeyond(view)) return null;
  return prototype === Buffer.prototype && view.buffer.byteLength > view.byteLength ? FORM.BUFFER : FORM.VIEW;
}

/**
 * @param {any} value
 * @param {string} except an own name that is never enumerable
 * @returns {boolean} whether all members are values that anybody may read and write (read-only, if it is frozen)
 */
function isData(value, except) {
  const keys = Reflect.ownKeys(value);
  const isFrozen = !Object.isExtensible(value) && Object.isFrozen(value);
  const isSealed = !Object.isExtensible(value) && Object.isSealed(value);
  for (const key of keys) {
    if (key === except) continue;
    const property = /** @type {PropertyDescriptor} */ (Object.getOwnPropertyDescriptor(value, key));
    if (!property.enumerable || !('value' in property)) return false;
    if (property.writable === isFrozen || property.configurable === isSealed) return false;
  }
  return true;
}

/** An array whose elements are mostly missing is written by index. @param {any[]} array */
function isSparse(array) {
  const { length } = array;
  if (length < SPARSE_FROM) return false;
  for (let i = 0; i < MANY; i++) if (!(Math.floor((i * length) / MANY) in array)) return Object.keys(array).length * 2 < length;
  return false;
}

/**
 * @param {any} twin
 * @param {number} form in which both sides know it
 * @returns {number} the form to send it in again: an array may have been long from the start, and hold no more than it did
 */
const formAgain = (twin, form) => (form === FORM.ARRAY && isSparse(twin) ? FORM.SPARSE : form);

const isArrayForm = (/** @type {number} */ form) => form === FORM.ARRAY || form === FORM.SPARSE;

/**
 * Both sides may change an array at the same time.
 *
 * @param {number} form in which both sides know the twin
 * @param {number} other
 * @returns {boolean} whether it may be sent again in the other form
 */
const canBecome = (form, other) => form === other || (isArrayForm(form) && isArrayForm(other));

/**
 * @param {any} value that goes by reference
 * @returns {number} the SHAPE of its stub
 */
function shapeOf(value) {
  if (typeof value !== 'function') return isList(value) ? SHAPE.ARRAY : SHAPE.OBJECT;
  if (!isConstructor(value)) return SHAPE.CALLABLE;
  return !types.isProxy(value) && hasOwn.call(value, 'prototype') ? SHAPE.CONSTRUCTIBLE : SHAPE.BOUND;
}

/** For a revoked Proxy, this cannot be known. @param {object} value */
function isList(value) {
  try {
    return isArray(value);
  } catch {
    return false;
  }
}

exports.apartFormOf = apartFormOf;
exports.canBecome = canBecome;
exports.formAgain = formAgain;
exports.formOf = formOf;
exports.shapeOf = shapeOf;
