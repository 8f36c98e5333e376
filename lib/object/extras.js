'use strict';
/*
 * Own names of an object besides the contents of its FORM: `index` of a match, something put on a Date, hidden or not, strings or symbols.
 * In: an object and its FORM, or such a list (name, value or Property, ...). Out: the list; whether two are equal; the object with these
 * names. No accessor of a program runs.
 */
const types = require('node:util/types');
const { isIndex } = require('./elements');
const { readMember, sameMembers } = require('./members');
const { sizeOfView } = require('./memory');
const { FORM } = require('./tags');
const engine = require('../engine');

const { Object, Reflect, Set } = engine;
const { getOwnPropertySymbols: symbolsOf, hasOwn, keys: keysOf } = Object;
const { ownKeys } = Reflect;

/** @type {Set<number>} */
const HAVE_NAMES = new Set([FORM.SPARSE, FORM.ARGUMENTS, FORM.ERROR, FORM.DOM_EXCEPTION, FORM.KEY, FORM.RAW_JSON]);
/** For some forms, the own names are the contents; for the others they are extras. @param {number} form */
const hasExtras = (form) => form >= FORM.ARRAY && !HAVE_NAMES.has(form);

/** Arrays up to this length are looked at name by name. */
const MANY = 64;
/**
 * The names of longer arrays would be a million strings. Up to this length, listing them takes a quarter of the time of sending the array.
 */
const MOST = 4096;

/**
 * Whether an array has names besides its elements: `columns` of a table, `raw` of a template's strings. It does not use Node's inspection,
 * which is fast, but asks values for their classes: that may ask the other side in the middle of a message.
 *
 * @param {any[]} array
 */
function hasNames(array) {
  return hasOwn(array, 'raw') || (array.length <= MOST && !hasElementsOnly(array));
}

/**
 * @param {number} form
 * @param {any} object
 * @returns {any[] | null} name, value or Property, ...
 */
function readExtras(form, object) {
  // The marks on a key are Node's own.
  if (!hasExtras(form) || (form === FORM.SHARED && !types.isSharedArrayBuffer(object))) return null;
  const isArray = form === FORM.ARRAY;
  const isBytes = form === FORM.VIEW || form === FORM.BUFFER;
  if (isArray && object.length > MANY && !hasNames(object)) return null;
  if (isBytes && sizeOfView(object) > MANY) return null;
  const isList = isArray || (isBytes && !types.isDataView(object));
  if (isList && hasElementsOnly(object)) return null;
  const keys = ownKeys(object);
  const isListed = isList || types.isStringObject(object);
  const list = keys
    .filter((key) => !isOfForm(form, object, key) && !(isListed && isIndex(key)))
    .flatMap((key) => [key, readMember(object, key)]);
  return list.length === 0 ? null : list;
}

/** Held bytes are looked at with each crossing, and listing only enumerable keys is four times as fast. @param {any} list */
function hasElementsOnly(list) {
  const shown = keysOf(list);
  return (shown.length === 0 || isIndex(shown[shown.length - 1])) && symbolsOf(list).length === 0;
}

/**
 * @param {number} form
 * @param {any} object
 * @param {PropertyKey} key
 * @returns {boolean} whether each object of this form may have that hidden name from the engine or Node
 */
function isOfForm(form, object, key) {
  if (key === 'length') return form === FORM.ARRAY || types.isStringObject(object);
  // Node marks promises with symbols of its own (async_hooks).
  if (form === FORM.PROMISE) return typeof key === 'symbol';
  return form === FORM.REGEXP && key === 'lastIndex';
}

/** @param {any[] | null} a @param {any[] | null} b */
function sameExtras(a, b) {
  return a === b || (a !== null && b !== null && sameMembers(a, b));
}

/**
 * Deletes those that are gone.
 *
 * @param {any} object
 * @param {any[]} before name, value, ...
 * @param {any[] | null} now name, value, ...
 */
function dropExtras(object, before, now) {
  for (let i = 0; i < before.length; i += 2)
    if (now === null || !now.some((key, at) => at % 2 === 0 && key === before[i])) delete object[before[i]];
}

exports.MANY = MANY;
exports.dropExtras = dropExtras;
exports.hasNames = hasNames;
exports.readExtras = readExtras;
exports.sameExtras = sameExtras;
