'use strict';
/*
 * The elements of an array as a flat list, as in contents.js: all elements, with HOLE for missing ones; or, if most are missing, index and
 * value.
 */
const glance = require('./glance');
const { Property, defineMembers, readMember, readMembers, rereadMembers, sameMembers } = require('./members');
const engine = require('../engine');

const { Array, Object, Reflect, Symbol } = engine;
/** Called for each twin at each crossing. */
const { getPrototypeOf, hasOwn, is: isIdentical } = Object;
const { ownKeys } = Reflect;

/** @typedef {import('./contents').Form} Form */

/** Stands for a missing element. */
const HOLE = Symbol('hole');

/**
 * In an array up to this length, an element that became more than a value (an accessor, or read-only) is noticed; in a longer one, only if
 * its getter throws.
 */
const MANY = 64;

/** @param {any[]} array @param {(index: number) => any} read @returns {any[]} */
function readElements(array, read) {
  const list = new Array(array.length);
  for (let i = 0; i < list.length; i++) list[i] = hasOwn(array, i) ? read(i) : HOLE;
  return list;
}

/** @param {any[]} array @returns {any[]} values and Properties; no accessor runs */
function readExactly(array) {
  const [isWritable, isConfigurable] = [!Object.isFrozen(array), !Object.isSealed(array)];
  return readElements(array, (i) => readMember(array, i, isWritable, isConfigurable));
}

/**
 * What can never change here, and the other side may not know yet, stays.
 *
 * @param {any[]} array
 * @param {number} index
 * @param {any} value
 */
function offer(array, index, value) {
  if (!Reflect.defineProperty(array, index, { value, writable: true, enumerable: true, configurable: true }))
    Reflect.defineProperty(array, index, { value });
}

/**
 * @param {any[]} array
 * @param {any[]} base of the same length
 * @param {number} from
 * @param {boolean} isCommon
 * @returns {number} the next index whose value differs, or cannot be read
 */
function firstOther(array, base, from, isCommon) {
  const isSmall = base.length <= MANY;
  let i = from;
  glance.begin();
  try {
    for (; i < base.length; i++) {
      const value = base[i];
      if (isSmall && typeof value === 'object' && Property.is(value)) break;
      if (isCommon && value !== undefined && value !== HOLE && isIdentical(array[i], value)) continue;
      if (!hasOwn(array, i) ? value !== HOLE : !isIdentical(array[i], value)) break;
    }
  } catch {
    // What a getter throws is the program's.
  } finally {
    glance.end();
  }
  return i;
}

/**
 * Elements are read and set directly: an array of a module's own class has a prototype on the other side.
 *
 * @type {Form}
 */
const array = {
  read: (object) => readElements(object, (i) => object[i]),
  reread: (object) =>
    object.length <= MANY
      ? readExactly(object)
      : glance.look(
          () => array.read(object),
          () => readExactly(object),
        ),
  isExact: (object, base) => object.length > MANY || sameMembers(readExactly(object), base),
  isSame(object, base) {
    if (object.length !== base.length) return false;
    const isCommon = getPrototypeOf(object) === Array.prototype;
    for (let i = 0; i < base.length; i++) {
      i = firstOther(object, base, i, isCommon);
      if (i < base.length && !Property.areSame(hasOwn(object, i) ? readMember(object, i) : HOLE, base[i])) return false;
    }
    return true;
  },
  make: (list) => new Array(list.length),
  fill(object, list) {
    object.length = list.length;
    const isQuick = list.length > MANY && getPrototypeOf(object) === Array.prototype;
    for (let i = 0; i < list.length; i++) {
      if (list[i] === HOLE) delete object[i];
      else if (Property.is(list[i])) Reflect.defineProperty(object, i, list[i].descriptor);
      else if (!isQuick || !Reflect.set(object, i, list[i])) offer(object, i, list[i]);
    }
  },
};

const MOST_INDEX = 2 ** 32 - 2;
/** `-1` and `1.5` are none. @param {PropertyKey} key */
const isIndex = (key) => typeof key === 'string' && String(Number(key) >>> 0) === key && Number(key) <= MOST_INDEX;

const isElement = (/** @type {PropertyKey} */ key) => typeof key === 'string' && key !== 'length';

/** @type {Form} length, then index or other name, value, ... */
const sparse = {
  read: (object) => [object.length, ...readMembers(object, isElement)],
  reread: (object) => [object.length, ...rereadMembers(object, isElement)],
  isSame: (object, base) => object.length === base[0] && sameMembers(/** @type {any} */ (sparse.reread)(object), base),
  make: ([length]) => new Array(length),
  fill(object, [length, ...list]) {
    for (const key of ownKeys(object)) if (isElement(key)) Reflect.deleteProperty(object, key);
    object.length = length;
    defineMembers(object, list);
  },
};

exports.HOLE = HOLE;
exports.array = array;
exports.isIndex = isIndex;
exports.sparse = sparse;
