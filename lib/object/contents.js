'use strict';
/*
 * The contents of one copied object as a flat list of values. In: an object and its FORM. Out: `read` gives the list, `isSame` tells
 * whether the object still has it, `make` and `fill` build an object from it. One level only: members stay what they are. Pure, except
 * `fill`.
 */
const { Buffer } = require('node:buffer');
const types = require('node:util/types');
const { argumentsForm } = require('./arguments');
const { array, sparse } = require('./elements');
const { makeKey, readKey } = require('./clonable');
const { map, set } = require('./collections');
const { arrayBuffer, buffer, getterOf, makeView, prototypeOfView, readView } = require('./memory');
const { Property, define, fillMembers, hasSameMembers, isExact, readMembers, rereadMembers, sameList, sameMembers } = require('./members');
const { FORM } = require('./tags');
const { makeEngineValue, readEngineValue } = require('../session/engine-values');
const { makeWebError, readWebError, webClassOf } = require('../session/web-errors');
const engine = require('../engine');

const { Date, Map, Object, Promise, Reflect, Set, Symbol, globalOf } = engine;
const [ArrayBuffer, Error, RegExp, SharedArrayBuffer, URL] = ['ArrayBuffer', 'Error', 'RegExp', 'SharedArrayBuffer', 'URL'].map(globalOf);
/** Since Node 22. */
const { rawJSON: rawJson } = globalOf('JSON');
/** Called for each twin at each crossing. */
const { getOwnPropertyDescriptor: descriptorOf, is: isIdentical, isExtensible } = Object;
const { propertyIsEnumerable: isShown } = Object.prototype;

/**
 * @typedef {object} Form
 * @property {(object: any) => any[]} read
 * @property {(object: any) => any[]} [reread] reads an object that may no longer be only data
 * @property {(object: any, base: any[]) => boolean} isSame as far as a quick look shows
 * @property {(object: any, base: any[]) => boolean} [isExact] with a close look; no accessor runs
 * @property {(contents: any[]) => any} make an object of this form, filled as far as it cannot be filled later
 * @property {(object: any, contents: any[]) => void} fill gives it exactly these contents
 */

const ownKeys = Reflect.ownKeys;

/** @type {Form} */
const members = {
  read: (object) => readMembers(object),
  reread: rereadMembers,
  isSame: hasSameMembers,
  isExact,
  make: () => ({}),
  fill: fillMembers,
};

const sourceOf = getterOf(RegExp.prototype, 'source');
/** @type {[string, (regexp: any) => boolean][]} */
const FLAGS = [
  ['d', getterOf(RegExp.prototype, 'hasIndices')],
  ['g', getterOf(RegExp.prototype, 'global')],
  ['i', getterOf(RegExp.prototype, 'ignoreCase')],
  ['m', getterOf(RegExp.prototype, 'multiline')],
  ['s', getterOf(RegExp.prototype, 'dotAll')],
  ['u', getterOf(RegExp.prototype, 'unicode')],
  ['v', 'unicodeSets' in RegExp.prototype ? getterOf(RegExp.prototype, 'unicodeSets') : () => false],
  ['y', getterOf(RegExp.prototype, 'sticky')],
];

/** @param {any} regexp */
const flagsOf = (regexp) => FLAGS.map(([letter, isSet]) => (isSet(regexp) ? letter : '')).join('');

/** For objects that never change. @param {(object: any) => any[]} read @param {(contents: any[]) => any} make @returns {Form} */
const constant = (read, make) => ({ read, isSame: () => true, make, fill: () => {} });

/**
 * For objects with few contents, which are read again each time.
 *
 * @param {(object: any) => any[]} read
 * @param {(contents: any[]) => any} make
 * @param {(object: any, contents: any[]) => void} fill
 * @returns {Form}
 */
const small = (read, make, fill) => ({ read, isSame: (object, base) => sameList(read(object), base), make, fill });

/** Throws for objects that URL did not make. */
const hrefOf = getterOf(URL.prototype, 'href');
const { set: setHref } = /** @type {any} */ (descriptorOf(URL.prototype, 'href'));

/** @type {Form} name, value or Property, whether it is enumerable, ... */
const error = {
  read(object) {
    const isWritable = !Object.isFrozen(object);
    const isConfigurable = !Object.isSealed(object);
    const list = [];
    for (const key of ownKeys(object)) {
      // The engine computes the stack even when its descriptor is read; on newer Nodes it is an accessor of the engine.
      if (key === 'stack') {
        list.push(key, readStack(object), Object.prototype.propertyIsEnumerable.call(object, key));
        continue;
      }
      const property = /** @type {PropertyDescriptor} */ (Object.getOwnPropertyDescriptor(object, key));
      const isPlain = property.writable === isWritable && property.configurable === isConfigurable;
      list.push(key, isPlain ? property.value : new Property(property), property.enumerable);
    }
    return list;
  },
  isSame: (object, base) => hasSameNames(object, base, 0) || sameMembers(error.read(object), base),
  make() {
    const made = new Error();
    for (const key of ownKeys(made)) delete (/** @type {any} */ (made)[key]);
    return made;
  },
  fill(object, list) {
    const keys = new Set(list.filter((_item, i) => i % 3 === 0));
    for (const key of ownKeys(object)) if (!keys.has(key)) delete object[key];
    for (let i = 0; i + 2 < list.length; i += 3) {
      if (Property.is(list[i + 1])) Object.defineProperty(object, list[i], list[i + 1].descriptor);
      else if (list[i] === 'stack' && hasSealedStack(object)) object.stack = list[i + 1];
      else define(object, list[i], list[i + 1], list[i + 2] === true);
    }
  },
};

/** On newer Nodes, the stack of a sealed error remains an accessor, which still takes a value. @param {object} object */
function hasSealedStack(object) {
  const property = descriptorOf(object, 'stack');
  return property?.configurable === false && property.set !== undefined;
}

/**
 * A quick look, since a program may keep thousands of errors from the other side. What a DOMException's class says of it, its message and
 * its name never change.
 *
 * @param {any} object an error
 * @param {any[]} base
 * @param {number} from where its own names begin in the base
 * @returns {boolean} whether they are exactly these, all plain values; false may also mean that they are no plain values
 */
function hasSameNames(object, base, from) {
  const keys = ownKeys(object);
  if (keys.length * 3 + from !== base.length || !isExtensible(object)) return false;
  for (let i = 0, at = from; i < keys.length; i++, at += 3) {
    const key = keys[i];
    if (key !== base[at]) return false;
    if (key === 'stack') {
      if (readStack(object) !== base[at + 1] || isShown.call(object, key) !== base[at + 2]) return false;
      continue;
    }
    const property = /** @type {PropertyDescriptor} */ (descriptorOf(object, key));
    const isPlain = property.writable === true && property.configurable === true && property.enumerable === base[at + 2];
    if (!isPlain || !isIdentical(property.value, base[at + 1])) return false;
  }
  return true;
}

/** How many entries come before the own names of an error of the web. */
const SAID = 4;

/** @param {any} object @returns {any[]} what its class says of it; undefined for what it lacks */
function saidBy(object) {
  const [message, name, quota, requested] = /** @type {any[]} */ (readWebError(object));
  return [message, name, quota, requested];
}

/** @type {Form} first what its class says of it */
const webError = {
  read: (object) => [...saidBy(object), ...error.read(object)],
  isSame: (object, base) => hasSameNames(object, base, SAID) || sameMembers(webError.read(object), base),
  make: (said) => makeWebError(/** @type {any} */ (said)),
  fill: (object, list) => error.fill(object, list.slice(SAID)),
};

/** @type {object | null} the error whose stack the engine is computing */
let outermost = null;
/** @type {Set<object>} errors whose stacks are computed meanwhile */
const worded = new Set();

/**
 * For some errors the engine cannot compute the stack. And it may have to ask the other side for the error's name, if its class is there,
 * which sends the error itself.
 *
 * @param {any} object
 */
function readStack(object) {
  const isOutermost = outermost === null;
  if (object === outermost || (!isOutermost && worded.has(object))) return undefined;
  if (isOutermost) outermost = object;
  else worded.add(object);
  try {
    return object.stack;
  } catch {
    return undefined;
  } finally {
    if (isOutermost) outermost = null;
    else worded.delete(object);
  }
}

/** @param {any} box @returns {any} */
function unbox(box) {
  if (types.isNumberObject(box)) return Number.prototype.valueOf.call(box);
  if (types.isStringObject(box)) return String.prototype.valueOf.call(box);
  if (types.isBooleanObject(box)) return Boolean.prototype.valueOf.call(box);
  return types.isBigIntObject(box) ? BigInt.prototype.valueOf.call(box) : Symbol.prototype.valueOf.call(box);
}

/** @type {Record<number, Form>} */
const FORMS = Object.freeze({
  [FORM.PLAIN]: members,
  [FORM.BARE]: { ...members, make: () => Object.create(null) },
  [FORM.ARRAY]: array,
  [FORM.SPARSE]: sparse,
  [FORM.MAP]: map,
  [FORM.SET]: set,
  [FORM.DATE]: small(
    (object) => [Date.prototype.getTime.call(object)],
    ([ms]) => new Date(ms),
    (object, [ms]) => void Date.prototype.setTime.call(object, ms),
  ),
  [FORM.REGEXP]: small(
    (object) => [sourceOf(object), flagsOf(object), object.lastIndex],
    ([source, flags]) => new RegExp(source, flags),
    (object, [, , lastIndex]) => void (object.lastIndex = lastIndex),
  ),
  [FORM.BOXED]: constant(
    (object) => [unbox(object)],
    ([primitive]) => engine.toObject(primitive),
  ),
  [FORM.ARGUMENTS]: argumentsForm,
  [FORM.ERROR]: error,
  [FORM.DOM_EXCEPTION]: webError,
  [FORM.ARRAY_BUFFER]: arrayBuffer,
  [FORM.VIEW]: constant(readView, makeView),
  [FORM.BUFFER]: buffer,
  [FORM.URL]: small(
    (object) => [hrefOf(object)],
    ([href]) => new URL(href),
    (object, [href]) => Reflect.apply(setHref, object, [href]),
  ),
  [FORM.SHARED]: constant(
    (object) => [object],
    ([shared]) => shared,
  ),
  [FORM.RAW_JSON]: constant(
    (object) => [object.rawJSON],
    ([json]) => rawJson(json),
  ),
  [FORM.KEY]: constant((object) => readKey(object) ?? [], makeKey),
  [FORM.ENGINE_VALUE]: constant((object) => readEngineValue(object, Object.getPrototypeOf(object)) ?? [], makeEngineValue),
  [FORM.PROMISE]: constant(
    () => [],
    () => {
      throw new TypeError('a promise is made by whoever settles it');
    },
  ),
});

/** The usual prototype of an object of each form. @type {Record<number, any>} */
const PROTOTYPES = Object.freeze({
  [FORM.PLAIN]: Object.prototype,
  [FORM.BARE]: null,
  [FORM.RAW_JSON]: null,
  [FORM.ARRAY]: Array.prototype,
  [FORM.SPARSE]: Array.prototype,
  [FORM.MAP]: Map.prototype,
  [FORM.SET]: Set.prototype,
  [FORM.DATE]: Date.prototype,
  [FORM.REGEXP]: RegExp.prototype,
  [FORM.ARGUMENTS]: Object.prototype,
  [FORM.ERROR]: Error.prototype,
  [FORM.ARRAY_BUFFER]: ArrayBuffer.prototype,
  [FORM.BUFFER]: Buffer.prototype,
  [FORM.URL]: URL.prototype,
  [FORM.PROMISE]: Promise.prototype,
});

/** @param {number} form @param {any} object @returns {any} */
function standardPrototypeOf(form, object) {
  if (form === FORM.VIEW) return prototypeOfView(object);
  if (form === FORM.DOM_EXCEPTION) return webClassOf(object).prototype;
  if (form === FORM.SHARED && types.isSharedArrayBuffer(object)) return SharedArrayBuffer.prototype;
  // Their classes cannot be reached.
  if (form === FORM.SHARED || form === FORM.KEY || form === FORM.ENGINE_VALUE) return Object.getPrototypeOf(object);
  if (form === FORM.BOXED) return Object.getPrototypeOf(engine.toObject(unbox(object)));
  return PROTOTYPES[form];
}

exports.FORMS = FORMS;
exports.SAID = SAID;
exports.hrefOf = hrefOf;
exports.readStack = readStack;
exports.standardPrototypeOf = standardPrototypeOf;
