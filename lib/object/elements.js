'use strict';
/*
 * The elements of an array as a flat list, as in contents.js: all of them, with HOLE for one that it does not have, or, of an array of
 * which most is not there, by index.
 */
const glance = require('./glance');
const { Property, defineMembers, readMember, readMembers, rereadMembers, sameMembers } = require('./members');
const engine = require('../engine');

const { Array, Object, Reflect, Symbol } = engine;
/** Called for each twin at each crossing. */
const { getPrototypeOf, hasOwn, is: isIdentical } = Object;
const { ownKeys } = Reflect;

/** @typedef {import('./contents').Form} Form */

/** Stands for an element that an array does not have. */
const HOLE = Symbol('hole');

/**
 * In an array up to this length an element may become more than a value (an accessor, one that cannot be written); in a longer one only
 * where its getter throws.
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
 * What can never change here, which the other side may not know yet, stays.
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
 * @param {any[]} base as long
 * @param {number} from
 * @param {boolean} isCommon
 * @returns {number} the next index whose value is another, or cannot be read
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
 * Elements are looked at and set by themselves: behind an array of a module's own class stands a prototype of the other side.
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
/** Not `-1` nor `1.5`. @param {PropertyKey} key */
const isIndex = (key) => typeof key === 'string' && String(Number(key) >>> 0) === key && Number(key) <= MOST_INDEX;

const isElement = (/** @type {PropertyKey} */ key) => typeof key === 'string' && key !== 'length';

/** @type {Form} length, then index or further name, value, ... */
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
