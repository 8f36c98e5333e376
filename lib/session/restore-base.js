'use strict';
/*
 * What one received object was like before the callee got it, and how it differs now. In: the object. Out: null, or a change as plain
 * lists, which restore-apply.js makes to the original. It has only the members that differ, so the caller's own changes to others stay. It
 * looks one level deep.
 *
 *      change: [isReset, removed names, set: name, value, shown, ..., inner, level]
 *      inner:  null | array: [length] | Map: [isReset, removed, set: key, value, ...] | Set: [isReset, removed, added]
 *              | Date: [ms] | URL: [href] | bytes: [offset, bytes, offset, bytes, ...]
 */
const types = require('node:util/types');
const { Buffer } = require('node:buffer');
const { levelOf } = require('./level');
const { bytesOf, copyArray, looksSparse, namesBesides } = require('./shape');
const { Map, Object, Reflect, Set, isArray } = require('../engine');

/** Changed bytes that are no further apart than this travel in one piece. */
const GAP_BYTES = 16;

/** @typedef {{prototype: any, level: number, names: PropertyKey[], values: any[], hidden: PropertyKey[], inner: any}} Base */
/** @typedef {{clone: any}} PlainBase of a plain object that is not closed: V8 clones it faster than it lists its names */

/** Only its owner aborts a signal: what happens to it here changes nothing there. @type {any} */
const NO_BASE = Object.freeze({ isSignal: true });

/** @param {any} object @returns {Base | PlainBase} */
function takeBase(object) {
  if (object instanceof AbortSignal) return NO_BASE;
  const isPlain = Object.getPrototypeOf(object) === Object.prototype && Object.isExtensible(object) && !types.isArgumentsObject(object);
  return isPlain ? { clone: { ...object } } : baseOf(object);
}

/** @param {Base | PlainBase} base @returns {Base} */
function wholeBase(base) {
  return 'clone' in base ? baseOf(base.clone) : base;
}

/** @param {any} object @param {any} clone @returns {boolean} */
function isLikeClone(object, clone) {
  const names = Object.keys(object);
  const before = Object.keys(clone);
  if (names.length !== before.length) return false;
  for (let i = 0; i < names.length; i++) if (names[i] !== before[i] || !Object.is(object[names[i]], clone[before[i]])) return false;
  if (Object.getPrototypeOf(object) !== Object.prototype || !Object.isExtensible(object)) return false;
  const all = Reflect.ownKeys(object);
  const own = Object.getOwnPropertySymbols(clone);
  if (all.length === names.length) return own.length === 0;
  const symbols = all.slice(names.length);
  return symbols.length === own.length && symbols.every((symbol, i) => symbol === own[i] && Object.is(object[symbol], clone[symbol]));
}

/** @param {any} object @returns {Base} */
function baseOf(object) {
  const names = namesOf(object, isArray(object) && looksSparse(object));
  const values = new Array(names.length);
  for (let i = 0; i < names.length; i++) values[i] = object[names[i]];
  const level = Object.isExtensible(object) ? 0 : levelOf(object);
  const hidden = names.filter((name) => !Object.prototype.propertyIsEnumerable.call(object, name));
  return { prototype: Object.getPrototypeOf(object), level, names, values, hidden, inner: innerOf(object) };
}

/**
 * Array elements and bytes do not count as names, unless most are missing.
 *
 * @param {any} object
 * @param {boolean} isSparse
 * @returns {PropertyKey[]}
 */
function namesOf(object, isSparse) {
  if (isSparse) return Object.keys(object);
  if (isArray(object))
    return looksSparse(object) ? Object.keys(object).filter((key) => !isIndex(key)) : (namesBesides(object, countOf(object)) ?? []);
  if (types.isArgumentsObject(object)) return Object.keys(object);
  return ArrayBuffer.isView(object) ? [] : Reflect.ownKeys(object);
}

/** @param {string} key */
const isIndex = (key) => String(Number(key) >>> 0) === key && key !== '4294967295';

/** @param {any[]} array @returns {number} how many elements are there, without holes */
function countOf(array) {
  let count = 0;
  for (let i = 0; i < array.length; i++) if (array[i] !== undefined || Object.hasOwn(array, i)) count += 1;
  return count;
}

/** @param {any} object @returns {any} */
function innerOf(object) {
  if (isArray(object)) return looksSparse(object) ? object.length : copyOf(object);
  if (types.isMap(object)) return new Map(object);
  if (types.isSet(object)) return new Set(object);
  if (types.isDate(object)) return object.getTime();
  const bytes = bytesIn(object);
  if (bytes !== null) return bytes.slice();
  return object instanceof URL ? object.href : null;
}

/** The array's `constructor` may be the user's, and slice() would call it. @param {any[]} array */
const copyOf = (array) => (array.constructor === Array ? array.slice() : copyArray(array));

/** @param {any} object @returns {Uint8Array | null} the memory itself, not a copy; null: it has none */
const bytesIn = (object) => (ArrayBuffer.isView(object) || types.isArrayBuffer(object) ? bytesOf(object) : null);

/**
 * @param {any} object
 * @param {Base | PlainBase} taken
 * @param {(what: string) => Error} refuse
 * @returns {any[] | null} the change
 * @throws what `refuse` gives for changes that home cannot make
 */
function changeOf(object, taken, refuse) {
  if (taken === NO_BASE || ('clone' in taken && isLikeClone(object, taken.clone))) return null;
  const base = wholeBase(taken);
  if (Object.getPrototypeOf(object) !== base.prototype) throw refuse('was given another prototype');
  const isSparse = isArray(object) && typeof base.inner === 'number';
  const members = changedMembers(object, namesOf(object, isSparse), base, refuse);
  if (isArray(object) && !isSparse) changedElements(object, base.inner, members);
  const inner = isArray(object) ? changedLength(object, base.inner) : changedInner(object, base.inner, refuse);
  const level = Object.isExtensible(object) ? 0 : levelOf(object);
  const [isReset, removed, set] = members;
  if (!isReset && removed.length === 0 && set.length === 0 && inner === null && level === base.level) return null;
  return [isReset, removed, set, inner, level === base.level ? 0 : level];
}

/** @typedef {[isReset: boolean, removed: any[], set: any[]]} Members */

/**
 * @param {any} object
 * @param {PropertyKey[]} now its names
 * @param {Base} base
 * @param {(what: string) => Error} refuse
 * @returns {Members}
 */
function changedMembers(object, now, { names, values, hidden }, refuse) {
  const isShown = (/** @type {PropertyKey} */ name) => Object.prototype.propertyIsEnumerable.call(object, name);
  const isLikeBefore = (/** @type {PropertyKey} */ name) => isShown(name) !== hidden.includes(name);
  if (now.length === names.length && now.every((name, i) => name === names[i] && Object.is(object[name], values[i]) && isLikeBefore(name)))
    return [false, [], []];
  const before = new Map(names.map((name, i) => [name, values[i]]));
  const present = new Set(now);
  const removed = names.filter((name) => !present.has(name));
  // A name that was removed and added again comes last.
  const isReset = !keepsOrder(names, now, present, 'string') || !keepsOrder(names, now, present, 'symbol');
  /** @type {any[]} */
  const set = [];
  for (const name of now) {
    const property = /** @type {PropertyDescriptor} */ (Object.getOwnPropertyDescriptor(object, name));
    if (!('value' in property)) throw refuse(`was given an accessor, '${String(name)}'`);
    const isSame = before.has(name) && Object.is(before.get(name), property.value) && isLikeBefore(name);
    if (isReset || !isSame) set.push(name, property.value, property.enumerable === true);
  }
  return [isReset, isReset ? [...names] : removed, set];
}

/**
 * @param {PropertyKey[]} names before
 * @param {PropertyKey[]} now
 * @param {Set<PropertyKey>} present
 * @param {string} type strings come before symbols, and indices before both
 */
function keepsOrder(names, now, present, type) {
  const isOrdered = (/** @type {PropertyKey} */ name) => typeof name === type && !(typeof name === 'string' && isIndex(name));
  return beginsWith(
    now.filter(isOrdered),
    names.filter((name) => isOrdered(name) && present.has(name)),
  );
}

/** @param {any[]} array @param {any[]} before @param {Members} members indices are added to these */
function changedElements(array, before, [, removed, set]) {
  const indices = looksSparse(array) ? Object.keys(array).filter(isIndex).map(Number) : null;
  const count = indices === null ? array.length : indices.length;
  for (let at = 0; at < count; at++) {
    const i = indices === null ? at : indices[at];
    if (array[i] === undefined && !Object.hasOwn(array, i)) continue;
    if (i >= before.length || !Object.is(array[i], before[i]) || (array[i] === undefined && !Object.hasOwn(before, i)))
      set.push(i, array[i], true);
  }
  for (let i = 0; i < before.length && i < array.length; i++) {
    if (array[i] === undefined && !Object.hasOwn(array, i) && Object.hasOwn(before, i)) removed.push(i);
  }
}

/** @param {any[]} array @param {any} before its elements, or only its length @returns {any[] | null} */
function changedLength(array, before) {
  const length = typeof before === 'number' ? before : before.length;
  return array.length === length ? null : [array.length];
}

/** @param {any} object @param {any} before @param {(what: string) => Error} refuse @returns {any[] | null} */
function changedInner(object, before, refuse) {
  if (before === null) return null;
  if (types.isMap(object)) return changedEntries(object, before);
  if (types.isSet(object)) return changedItems(object, before);
  if (types.isDate(object)) return Object.is(object.getTime(), before) ? null : [object.getTime()];
  const bytes = bytesIn(object);
  if (bytes !== null) return changedBytes(bytes, before, refuse);
  return object.href === before ? null : [object.href];
}

/** @param {Map<any, any>} map @param {Map<any, any>} before @returns {any[] | null} */
function changedEntries(map, before) {
  const removed = [...before.keys()].filter((key) => !map.has(key));
  const isReset = !beginsWith(
    [...map.keys()],
    [...before.keys()].filter((key) => map.has(key)),
  );
  const set = [];
  for (const [key, value] of map) if (isReset || !before.has(key) || !Object.is(before.get(key), value)) set.push(key, value);
  return isReset || removed.length + set.length > 0 ? [isReset, isReset ? [...before.keys()] : removed, set] : null;
}

/** @param {Set<any>} set @param {Set<any>} before @returns {any[] | null} */
function changedItems(set, before) {
  const removed = [...before].filter((item) => !set.has(item));
  const isReset = !beginsWith(
    [...set],
    [...before].filter((item) => set.has(item)),
  );
  const added = [...set].filter((item) => isReset || !before.has(item));
  return isReset || removed.length + added.length > 0 ? [isReset, isReset ? [...before] : removed, added] : null;
}

/** @param {any[]} list @param {any[]} start */
const beginsWith = (list, start) => start.every((item, i) => Object.is(item, list[i]));

/** @param {Uint8Array} bytes @param {Uint8Array} before @param {(what: string) => Error} refuse @returns {any[] | null} */
function changedBytes(bytes, before, refuse) {
  if (bytes.length !== before.length) throw refuse('has memory of another size');
  if (Buffer.compare(bytes, before) === 0) return null;
  const pieces = [];
  for (let i = 0; i < bytes.length; i++) {
    if (bytes[i] === before[i]) continue;
    const from = i;
    let end = i + 1;
    for (i = end; i < bytes.length && i - end < GAP_BYTES; i++) if (bytes[i] !== before[i]) end = i + 1;
    pieces.push(from, bytes.slice(from, end));
  }
  return pieces;
}

/**
 * Whether an original is still what its copy was.
 *
 * @param {any} object the original; what cannot be compared (an accessor, a Proxy) counts as changed
 * @param {Base | PlainBase} taken of the copy
 * @param {(value: any) => any} nameOf gives the same for an original and its copy
 */
function isLike(object, taken, nameOf) {
  if (taken === NO_BASE) return true;
  const base = wholeBase(taken);
  if (types.isProxy(object)) return false;
  const isSame = (/** @type {any} */ a, /** @type {any} */ b) => Object.is(a, b) || (isNamed(a) && Object.is(nameOf(a), nameOf(b)));
  const isAll = (/** @type {any[]} */ a, /** @type {any[]} */ b) => a.length === b.length && a.every((value, i) => isSame(value, b[i]));
  const names = namesOf(object, isArray(object) && looksSparse(object));
  if (!isAll(names, base.names)) return false;
  for (const [i, name] of names.entries()) {
    const property = /** @type {PropertyDescriptor} */ (Object.getOwnPropertyDescriptor(object, name));
    if (!('value' in property) || !isSame(property.value, base.values[i])) return false;
  }
  const { inner } = base;
  if (isArray(object)) return isArray(inner) ? isAll([...object], [...inner]) : object.length === inner;
  if (types.isMap(object) || types.isSet(object))
    return types.isMap(inner) === types.isMap(object) && isAll([...object].flat(1), [...inner].flat(1));
  const bytes = bytesIn(object);
  return bytes === null ? Object.is(innerOf(object), inner) : Buffer.compare(bytes, inner) === 0;
}

/** @param {any} value */
const isNamed = (value) => typeof value === 'symbol' || (typeof value === 'object' && value !== null);

exports.isLike = isLike;
exports.takeBase = takeBase;
exports.changeOf = changeOf;
