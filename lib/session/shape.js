'use strict';
/*
 * Tells what kind of value it is, as far as that decides how it travels. In: values of the program. Out: facts and names. Pure; it reads
 * what it must and changes nothing.
 */
const { Buffer } = require('node:buffer');
const types = require('node:util/types');
const { isDeepStrictEqual } = require('node:util');
const { Math, isArray } = require('../engine');

const hasOwn = Object.prototype.hasOwnProperty;
const { getPrototypeOf, prototype: ObjectPrototype } = Object;

/** From this many members on, an object is wide. */
const MANY = 64;
/** Up to this length, all keys of an array are listed; beyond, that takes longer than the probe below. */
const SHORT = 48;

/**
 * The classes of an error, its own first, so that the other side can take the nearest that it knows.
 *
 * @param {any} error
 * @returns {any[]}
 */
function classesOf(error) {
  const classes = [];
  for (let at = getPrototypeOf(error); at !== null && at !== Object.prototype && classes.length < 16; at = getPrototypeOf(at)) {
    if (hasOwn.call(at, 'constructor')) classes.push(at.constructor);
  }
  return classes;
}

/** @param {any} error */
const classNames = (error) => classesOf(error).map((known) => spell(asText(known?.name)));

/** Names of errors and classes may be anything that their authors made them. @param {unknown} name */
function asText(name) {
  return typeof name === 'string' ? name : 'Error';
}

/** @param {any} error of a class whose getter may need what is missing @returns {unknown} undefined if that throws */
function nameOf(error) {
  try {
    return error.name;
  } catch {
    return undefined;
  }
}

/** @type {string[][]} for each length, the names last found fit: records in a list have the same names again and again */
const FIT = [];

/**
 * Whether some of these names cannot be those of a plain copy: a codec or an assignment would take them for something else. Assigning a
 * name that a frozen `Object.prototype` has throws; one that is an accessor there makes no member.
 *
 * @param {string[]} names
 */
function areLoaded(names) {
  const fit = FIT[names.length];
  let i = 0;
  if (fit !== undefined) while (i < names.length && names[i] === fit[i]) i++;
  for (; i < names.length; i++) {
    const name = names[i];
    // @ts-ignore isWellFormed is ES2024, present since Node 20
    if (name in ObjectPrototype || name === 'toJSON' || !name.isWellFormed()) return true;
  }
  if (names.length < MANY) FIT[names.length] = names;
  return false;
}

/**
 * Text from this length on is sampled: it is not sent as UTF-8 if too many of the sampled characters are beyond ASCII, since the engine
 * takes 2 to 5 ns to read each of these.
 */
const LONG_TEXT = 1024;
const LOOKS = 16;
const MOST_BEYOND = 1;

/** @param {string} text @returns {boolean} whether it can be sent as it is: UTF-8 has no lone surrogates */
function isFit(text) {
  // @ts-ignore isWellFormed is ES2024, present since Node 20
  return (text.length < LONG_TEXT || isMostlyAscii(text)) && text.isWellFormed();
}

/** @param {string} text */
function isMostlyAscii(text) {
  // Three more than a part: a text may repeat itself with the period of a part.
  const step = text.length / LOOKS + 3;
  let beyond = 0;
  for (let i = 0; i < LOOKS; i++) if (text.charCodeAt(i * step) > 127) beyond++;
  return beyond <= MOST_BEYOND;
}

/**
 * Text within a special: UTF-8 has no lone surrogates, so a text that has some goes as [its UTF-16 bytes as latin1].
 *
 * @param {string} text
 */
function spell(text) {
  // @ts-ignore isWellFormed is ES2024, present since Node 20
  return text.isWellFormed() ? text : [Buffer.from(text, 'utf16le').toString('latin1')];
}

/** @param {any} bytes @param {any} encoding @returns {string | undefined} undefined: they are no text */
function textOf(bytes, encoding) {
  if (!ArrayBuffer.isView(bytes) || (encoding !== 'latin1' && (encoding !== 'utf16le' || bytes.byteLength % 2 !== 0))) return undefined;
  return Buffer.from(bytes.buffer, bytes.byteOffset, bytes.byteLength).toString(encoding);
}

/** @param {any} text as `spell` gives it @returns {string | undefined} undefined: it is something else */
function unspell(text) {
  if (typeof text === 'string') return text;
  return isArray(text) && typeof text[0] === 'string' ? Buffer.from(text[0], 'latin1').toString('utf16le') : undefined;
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

/**
 * Whether it is what Class.prototype is here, but of another realm (a vm context, a frame): the same names all the way up.
 *
 * @param {any} prototype
 * @param {Function} Class built in
 */
function isForeign(prototype, Class) {
  let at = prototype;
  let own = Class.prototype;
  for (; at !== null && own !== null; at = getPrototypeOf(at), own = getPrototypeOf(own)) {
    if (at === own || !hasOwn.call(at, 'constructor') || at.constructor?.name !== own.constructor.name) return false;
  }
  return at === own && prototype.constructor.prototype === prototype;
}

/** Whether it has so many members that their paths had better be short. @param {any} value @returns {boolean} */
function isWide(value) {
  if (isArray(value)) return value.length > MANY;
  if (types.isMap(value) || types.isSet(value)) return value.size > MANY;
  return Object.keys(value).length > MANY;
}

/** Whether a large array has elements at fewer than a few of the sampled places: then it is worth counting them. @param {any[]} array */
function looksSparse(array) {
  const { length } = array;
  if (length <= MANY) return false;
  for (let i = 0; i < 8; i++) if (!(Math.floor((length * i) / 8) in array)) return true;
  return !(length - 1 in array);
}

/** @param {any[]} source @returns {any[]} an array of this realm, with the same holes and no further names */
function copyArray(source) {
  const copy = new Array(source.length);
  for (let i = 0; i < source.length; i++) if (i in source) copy[i] = source[i];
  return copy;
}

/** @param {(string | number)[]} path @returns {string} as a program would write it; of a very long one, only both ends */
function spellPath(path) {
  const spellName = (/** @type {string | number} */ name) => (typeof name === 'number' ? `[${name}]` : `.${name}`);
  if (path.length <= 128) return path.map(spellName).join('');
  return `${path.slice(0, 64).map(spellName).join('')}...(${path.length - 128} more)...${path.slice(-64).map(spellName).join('')}`;
}

let wasReached = false;
/** @type {any[]} gets the length of the array in question; tells when somebody looks into it */
const probe = Object.defineProperty([], 0, {
  enumerable: true,
  get() {
    wasReached = true;
    return undefined;
  },
});

/**
 * Listing the keys of a long array takes longer than copying it, and JavaScript has no other way to see whether it has names besides its
 * indices. Node's comparison does: it compares those names first, in constant time, and looks at elements only if they agree
 * (lib/internal/util/comparisons.js).
 *
 * @param {any[]} array whose first element is there
 */
function probeNames(array) {
  wasReached = false;
  probe.length = array.length;
  isDeepStrictEqual(array, probe);
  return !wasReached;
}

/** If a version of Node compares in another order, keys are listed instead. */
const CAN_PROBE = probeNames(Object.assign([1, 2], { name: 1 })) && !probeNames([1, 2]);

/**
 * @param {any[]} array
 * @param {number} present how many elements it has, without holes
 * @returns {string[] | null} names besides its indices
 */
function namesBesides(array, present) {
  if (array.length > SHORT && CAN_PROBE && hasOwn.call(array, 0) && !probeNames(array)) return hidesRaw(array) ? ['raw'] : null;
  const names = Object.keys(array);
  if (hidesRaw(array)) names.push('raw');
  return names.length === present ? null : names.slice(present);
}

/**
 * @param {any[]} array
 * @returns {boolean} whether it is what a template gives its tag function: it hides the raw texts
 */
function hidesRaw(array) {
  return Object.isFrozen(array) && hasOwn.call(array, 'raw') && !Object.prototype.propertyIsEnumerable.call(array, 'raw');
}

/**
 * @param {any} object a view of memory, or an ArrayBuffer
 * @returns {Uint8Array} the memory itself, not a copy; no bytes if that was given away (transferred)
 */
function bytesOf(object) {
  const buffer = ArrayBuffer.isView(object) ? object.buffer : object;
  if (buffer.byteLength === 0) return new Uint8Array(0);
  return buffer === object ? new Uint8Array(buffer) : new Uint8Array(buffer, object.byteOffset, object.byteLength);
}

exports.bytesOf = bytesOf;
exports.hidesRaw = hidesRaw;
exports.isFit = isFit;
exports.textOf = textOf;
exports.unspell = unspell;
exports.areLoaded = areLoaded;
exports.asText = asText;
exports.classNames = classNames;
exports.classesOf = classesOf;
exports.copyArray = copyArray;
exports.describe = describe;
exports.hasTag = hasTag;
exports.isForeign = isForeign;
exports.isWide = isWide;
exports.nameOf = nameOf;
exports.namesBesides = namesBesides;
exports.looksSparse = looksSparse;
exports.spell = spell;
exports.spellPath = spellPath;
