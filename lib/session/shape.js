'use strict';
/*
 * What kind of value it is, as far as that decides how it travels. In: values of the program. Out: facts and names. Pure; it reads what it must and
 * changes nothing.
 */
const types = require('node:util/types');

const hasOwn = Object.prototype.hasOwnProperty;

/** The classes of an error, its own first, so that the other side can take the nearest that it knows. @param {any} error */
function classNames(error) {
  const names = [];
  for (let at = Object.getPrototypeOf(error); at !== null && at !== Object.prototype && names.length < 16; at = Object.getPrototypeOf(at)) {
    if (hasOwn.call(at, 'constructor')) names.push(spell(asText(at.constructor?.name)));
  }
  return names;
}

/** Names of errors and classes are what their authors made of them. @param {unknown} name */
function asText(name) {
  return typeof name === 'string' ? name : 'Error';
}

/** Whether a name cannot be one of a plain copy: a codec or an assignment would take it for something else. @param {string} name */
function isLoaded(name) {
  // @ts-ignore isWellFormed is ES2024, present since Node 20
  return name === 'constructor' || name === '__proto__' || name === 'toJSON' || !name.isWellFormed();
}

/** Text within a special: UTF-8 has no lone surrogates, so a text that has some goes as [its UTF-16 bytes as latin1]. @param {string} text */
function spell(text) {
  // @ts-ignore isWellFormed is ES2024, present since Node 20
  return text.isWellFormed() ? text : [Buffer.from(text, 'utf16le').toString('latin1')];
}

/** Whether a plain-looking object is of another kind: Math, JSON, a module namespace, `arguments`, an iterable. @param {object} value */
function hasTag(value) {
  return Symbol.toStringTag in value || Symbol.iterator in value;
}

/** @param {any} value */
function describe(value) {
  if (types.isPromise(value)) return 'a promise';
  if (types.isProxy(value)) return 'a Proxy';
  const name = value.constructor?.name;
  return name ? `an instance of ${name}` : 'an object with a prototype of its own';
}

exports.asText = asText;
exports.classNames = classNames;
exports.describe = describe;
exports.hasTag = hasTag;
exports.isLoaded = isLoaded;
exports.spell = spell;
