'use strict';
/*
 * Numbers the objects of received arguments in the order in which marshal.js met the originals: a number means the same object on both
 * sides without having travelled. In: the arguments, and the roots of parts that were nested too deep to travel in one piece. Out: object
 * -> number. It runs no code of the program: what was received has neither accessors nor traps. test/session/restore.test.js compares it
 * with marshal.js on random values.
 */
const types = require('node:util/types');
const { looksSparse, namesBesides } = require('./shape');
const { Map, Object, Set, isArray } = require('../engine');

/** @typedef {Map<object, number>} Numbers */

/**
 * @param {any[]} args
 * @param {object[]} roots of the parts, in order; each has its number from where it was met, and is looked into after what was met before
 * @returns {Numbers}
 */
function survey(args, roots) {
  /** @type {Numbers} */
  const numbers = new Map();
  const cut = new Set(roots);
  const visit = (/** @type {any} */ value) => {
    if (typeof value !== 'object' || value === null || numbers.has(value)) return;
    numbers.set(value, numbers.size);
    if (!cut.has(value)) eachMember(value, visit);
  };
  visit(args);
  for (const root of roots) eachMember(root, visit);
  return numbers;
}

/** @param {any} object @param {(value: any) => void} visit called in the order in which members are packed */
function eachMember(object, visit) {
  if (isArray(object)) eachElement(object, visit);
  // First, since most objects are plain, and the questions below cost more than the answer.
  else if (Object.getPrototypeOf(object) === Object.prototype) eachOwn(object, visit);
  else if (types.isMap(object)) {
    for (const [key, value] of object) {
      visit(key);
      visit(value);
    }
  } else if (types.isSet(object)) for (const item of object) visit(item);
  // Before Node 22, errors of the web were no native errors; they hide their cause as others do.
  else if (types.isNativeError(object) || object instanceof DOMException)
    for (const name of namesOfError(object)) visit(/** @type {any} */ (object)[name]);
  else if (!isLeaf(object)) eachOwn(object, visit);
}

/** @param {any} object @param {(value: any) => void} visit */
function eachOwn(object, visit) {
  const names = Object.keys(object);
  for (let i = 0; i < names.length; i++) {
    const value = object[names[i]];
    if (typeof value === 'object') visit(value);
  }
  for (const symbol of Object.getOwnPropertySymbols(object)) if (isShown(object, symbol)) visit(object[symbol]);
}

/** @param {any[]} array @param {(value: any) => void} visit */
function eachElement(array, visit) {
  const members = /** @type {any} */ (array);
  if (looksSparse(array)) return Object.keys(array).forEach((key) => visit(members[key]));
  let present = 0;
  for (let i = 0; i < array.length; i++) {
    const value = array[i];
    if (value !== undefined || Object.hasOwn(array, i)) present += 1;
    if (typeof value === 'object') visit(value);
  }
  for (const name of namesBesides(array, present) ?? []) visit(members[name]);
}

/** Hidden names first. @param {object} error @returns {(string | symbol)[]} */
function namesOfError(error) {
  const names = Object.getOwnPropertyNames(error);
  const symbols = Object.getOwnPropertySymbols(error).filter((symbol) => isShown(error, symbol));
  return [...names.filter((name) => !isShown(error, name)), ...names.filter((name) => isShown(error, name)), ...symbols];
}

/** @param {object} object @returns {boolean} whether it has no members of its own that travel */
function isLeaf(object) {
  return (
    ArrayBuffer.isView(object) ||
    types.isAnyArrayBuffer(object) ||
    types.isDate(object) ||
    types.isRegExp(object) ||
    types.isBoxedPrimitive(object) ||
    object instanceof URL ||
    object instanceof AbortSignal
  );
}

/** @param {object} object @param {PropertyKey} key */
const isShown = (object, key) => Object.prototype.propertyIsEnumerable.call(object, key);

exports.survey = survey;
