'use strict';
/*
 * Own names that an object has beside the contents of its FORM: `index` of a match, what somebody put on a Date, hidden or not, under a text or a symbol. In: an object and
 * its FORM, or such a list (name, value or Property, ...). Out: the list; whether two are the same; the object with these names. No accessor of a program runs.
 */
const types = require('node:util/types');
const { isIndex, sameMembers } = require('./contents');
const { Property, define, readMember } = require('./members');
const { sizeOfView } = require('./memory');
const { FORM } = require('./tags');
const engine = require('../engine');

const { Object, Reflect, Set, Symbol } = engine;
const { ownKeys } = Reflect;

/** @type {Set<number>} */
const HAVE_NAMES = new Set([FORM.SPARSE, FORM.ERROR, FORM.DOM_EXCEPTION, FORM.PROMISE]);
/** Forms whose contents are not their own names; such names are extras. @param {number} form */
const hasExtras = (form) => form >= FORM.ARRAY && !HAVE_NAMES.has(form);

/** Arrays longer than this are not looked through for further names. */
const MANY = 64;

/**
 * @param {number} form
 * @param {any} object
 * @returns {any[] | null} name, value or Property, ...
 */
function readExtras(form, object) {
  if (!hasExtras(form)) return null;
  const isArray = form === FORM.ARRAY;
  if (isArray && object.length > MANY) return null;
  if ((form === FORM.VIEW || form === FORM.BUFFER) && sizeOfView(object) > MANY) return null;
  const keys = ownKeys(object);
  if (keys.length === 0 || (isArray && keys.length <= object.length + 1 && keys[keys.length - 1] === 'length')) return null;
  const isListed = isArray || form === FORM.ARGUMENTS || form === FORM.VIEW || form === FORM.BUFFER || types.isStringObject(object);
  const list = keys
    .filter((key) => !isOfForm(form, object, key) && !(isListed && isIndex(key)))
    .flatMap((key) => [key, readMember(object, key)]);
  return list.length === 0 ? null : list;
}

/** @param {number} form @param {any} object @param {PropertyKey} key @returns {boolean} whether each object of this form has that name, hidden, from the engine */
function isOfForm(form, object, key) {
  if (key === 'length') return form === FORM.ARRAY || form === FORM.ARGUMENTS || types.isStringObject(object);
  if (form === FORM.ARGUMENTS) return key === 'callee' || key === Symbol.iterator;
  return form === FORM.REGEXP && key === 'lastIndex';
}

/** @param {any} object @param {any[]} list */
function fillExtras(object, list) {
  for (let i = 0; i + 1 < list.length; i += 2) {
    if (Property.is(list[i + 1])) Object.defineProperty(object, list[i], list[i + 1].descriptor);
    else define(object, list[i], list[i + 1], true);
  }
}

/** @param {any[] | null} a @param {any[] | null} b */
function sameExtras(a, b) {
  return a === b || (a !== null && b !== null && sameMembers(a, b));
}

/** Takes away those that are no more. @param {any} object @param {any[]} before name, value, ... @param {any[] | null} now name, value, ... */
function dropExtras(object, before, now) {
  for (let i = 0; i < before.length; i += 2)
    if (now === null || !now.some((key, at) => at % 2 === 0 && key === before[i])) delete object[before[i]];
}

exports.dropExtras = dropExtras;
exports.fillExtras = fillExtras;
exports.readExtras = readExtras;
exports.sameExtras = sameExtras;
