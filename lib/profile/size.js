'use strict';

// Guesses roughly what a value would be on a wire. In: any value. Out: how many bytes, in how many values, and what it contains that cannot
// be copied: how deep there is a function, and an object of a class. It looks at no more than 256 values, and must run no getter, nor touch
// a Proxy, or what has one among its prototypes.

const { types } = require('node:util');
const { Math, Object, isArray } = require('../engine');

const MOST_LOOKS = 256;
/**
 * Members looked at in one list or object: few enough that their contents are looked at, too. Of a list, whose members are mostly alike,
 * only so many that each can have some looks.
 */
const MOST_MEMBERS = 32;
const LEAST_MEMBERS = 8;
const LOOKS_EACH = 16;
const MOST_DEPTH = 16;
const BYTES_OF_A_NUMBER = 8;
const BYTES_OF_A_HEAD = 2;

let looks = 0;
let bytes = 0;
let values = 0;
let functionAt = -1;
let instance = '';

/**
 * @typedef {object} Size
 * @property {number} bytes
 * @property {number} values
 * @property {number} functionAt deepest level at which a function was seen, 0 for the value itself; -1: none
 * @property {string} instance the first object of a class that was seen, in words; '': none
 */

/**
 * @param {unknown} value
 * @returns {Size} what was not looked at counts as if it were like what was
 */
function sizeOf(value) {
  looks = MOST_LOOKS;
  bytes = values = 0;
  functionAt = -1;
  instance = '';
  look(value, 0, 0);
  return { bytes: Math.round(bytes), values: Math.round(values), functionAt, instance };
}

/** @param {unknown} value @param {number} depth @param {number} floor looks to leave for others */
function look(value, depth, floor) {
  looks--;
  values++;
  if (typeof value === 'string') bytes += value.length + BYTES_OF_A_HEAD;
  else if (typeof value === 'number') bytes += BYTES_OF_A_NUMBER;
  else if (typeof value !== 'object' || value === null || isBehindProxy(value)) {
    bytes += 1;
    if (typeof value === 'function' && depth > functionAt) functionAt = depth;
  } else if (ArrayBuffer.isView(value) || types.isAnyArrayBuffer(value)) bytes += value.byteLength + BYTES_OF_A_HEAD;
  else {
    bytes += BYTES_OF_A_HEAD;
    if (instance === '') instance = instanceIn(value);
    if (depth < MOST_DEPTH) lookInto(value, depth + 1, floor);
  }
}

/**
 * @param {object} value
 * @returns {boolean} whether it is a Proxy, or has one among its prototypes: their traps run when names are listed
 */
function isBehindProxy(value) {
  for (let at = value; at !== null && at !== Object.prototype; at = Object.getPrototypeOf(at)) if (types.isProxy(at)) return true;
  return false;
}

/**
 * What the engine and Node make themselves counts as sendable, and so does a plain object of another realm.
 * @param {object} value not behind a Proxy @returns {string} what it is, if it is an object of a class; else ''
 */
function instanceIn(value) {
  const prototype = Object.getPrototypeOf(value);
  if (prototype === null || prototype === Object.prototype || prototype === Array.prototype) return '';
  let name = '';
  let last = prototype;
  for (let at = prototype; at !== null; at = Object.getPrototypeOf(at)) {
    if (Object.hasOwn(at, Symbol.toStringTag)) return '';
    name ||= nameOf(at);
    last = at;
  }
  const isBuiltIn = isArray(value) || types.isDate(value) || types.isRegExp(value) || types.isNativeError(value);
  if (isBuiltIn || last === prototype || types.isBoxedPrimitive(value)) return '';
  return name === '' || name === 'Object' ? 'an object with a prototype of its own' : `an instance of ${name}`;
}

/** @param {object} prototype @returns {string} of its class; '' if it has none of its own, or only by a getter */
function nameOf(prototype) {
  const made = Object.getOwnPropertyDescriptor(prototype, 'constructor')?.value;
  if (typeof made !== 'function' || types.isProxy(made)) return '';
  const name = Object.getOwnPropertyDescriptor(made, 'name')?.value;
  return typeof name === 'string' ? name : '';
}

/** @param {object} value @param {number} depth @param {number} floor */
function lookInto(value, depth, floor) {
  const [bytesBefore, valuesBefore] = [bytes, values];
  let seen = 0;
  let all;
  let most = MOST_MEMBERS;
  if (isArray(value)) {
    all = value.length;
    most = Math.min(all, most, Math.max(LEAST_MEMBERS, Math.floor((looks - floor) / LOOKS_EACH)));
    for (; seen < most && looks > floor; seen++) lookAt(value, seen, depth, floorFor(most - seen, floor));
  } else {
    all = namesIn(value);
    most = Math.min(all, most);
    for (const key in value) {
      if (seen >= most || looks <= floor) break;
      bytes += key.length + 1;
      lookAt(value, key, depth, floorFor(most - seen, floor));
      seen++;
    }
  }
  if (seen === all) return;
  const factor = all / Math.max(1, seen);
  bytes = bytesBefore + Math.max(bytes - bytesBefore, 1) * factor;
  values = valuesBefore + Math.max(values - valuesBefore, 1) * factor;
}

/**
 * @param {object} value
 * @param {string | number} key of an own property; an accessor is not looked at
 * @param {number} depth
 * @param {number} floor
 */
function lookAt(value, key, depth, floor) {
  const property = Object.getOwnPropertyDescriptor(value, key);
  if (property !== undefined && 'value' in property) look(property.value, depth, floor);
}

/** @param {object} value @returns {number} counted up to a limit, which is cheap */
function namesIn(value) {
  let all = 0;
  // @ts-ignore
  // eslint-disable-next-line no-unused-vars
  for (const name in value) if (++all > MOST_LOOKS) break;
  return all;
}

/**
 * A member takes no more than its share of the looks, so that those after it are seen, too. What is not seen counts as if it were like what
 * is. In a tree that leads back to itself, or of which only the first branches are seen, that would multiply at each level.
 * @param {number} left members to look at @param {number} floor @returns {number}
 */
const floorFor = (left, floor) => looks - Math.max(1, Math.floor((looks - floor) / left));

exports.isBehindProxy = isBehindProxy;
exports.sizeOf = sizeOf;
