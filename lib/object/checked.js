'use strict';
/*
 * Checks what came over the wire, which cannot be trusted. In: parts of messages. Out: the same parts, or what they stand for; what does
 * not fit is IGNIS_BAD_FRAME.
 */
const { LEVEL } = require('../session/level');
const { FORMS } = require('./contents');
const { HOLE } = require('./elements');
const { FOR_GOOD } = require('./memory');
const { IgnisError, badFrame } = require('../errors');
const { FORM } = require('./tags');
const engine = require('../engine');

const { Object, Symbol, isArray, isInteger, isObject, isSafeInteger } = engine;

/** @param {any} node @returns {any[]} */
function checkNode(node) {
  if (!isArray(node) || node.length !== 6) throw badFrame('a node has six parts');
  const [number, form, level, , extras, contents] = node;
  if (!isInteger(number) || number < 1 || !isInteger(form) || FORMS[form] === undefined) throw badFrame('a node without number or form');
  if (!isInteger(level) || level < LEVEL.OPEN || level > LEVEL.FROZEN) throw badFrame('a node without its level');
  if ((extras !== null && !isArray(extras)) || !isArray(contents)) throw badFrame('a node without its contents');
  return node;
}

/** @param {number} form */
const isBytes = (form) => form === FORM.ARRAY_BUFFER || form === FORM.BUFFER;

/** @param {any[]} contents of memory @returns {any[]} */
function checkBytes(contents) {
  const [bytes, most] = contents;
  if (contents.length > 0 && !(bytes instanceof Uint8Array)) throw badFrame('bytes are missing');
  if (contents.length > 1 && most !== FOR_GOOD && (!isSize(most) || most < bytes.length)) throw badFrame('memory without its most');
  return contents;
}

/** @param {any} size */
const isSize = (size) => isSafeInteger(size) && size >= 0;

/** @param {any[]} list @param {number} step */
function areKeys(list, step) {
  if (list.length % step !== 0) return false;
  for (let i = 0; i < list.length; i += step)
    if (typeof list[i] !== 'string' && (typeof list[i] !== 'symbol' || list[i] === HOLE)) return false;
  return true;
}

/** @param {any} length */
const isLength = (length) => isInteger(length) && length >= 0 && length < 2 ** 32;

/** @param {any} value */
function checkPrototype(value) {
  if (value !== null && !isObject(value)) throw badFrame('a prototype is an object or null');
  return value;
}

/** @param {any} value @returns {number} */
function id(value) {
  if (!isInteger(value) || value < 1) throw badFrame('an id is missing');
  return value;
}

/** @param {any} value @returns {string} */
function text(value) {
  if (typeof value !== 'string') throw badFrame('a text is missing');
  return value;
}

/** @param {any} value @returns {any} where a class is exported */
function checkWhence(value) {
  const isPlace = (/** @type {any} */ place) => isArray(place) && place.length === 2 && place.every((part) => typeof part === 'string');
  const isWhence = isArray(value) && typeof value[0] === 'string' && typeof value[1] === 'boolean' && value.slice(2).every(isPlace);
  if (!isWhence) throw badFrame('a class without its places');
  return value;
}

/** @param {any} hex */
function bigint(hex) {
  const digits = /^(-?)([0-9a-f]+)$/.exec(text(hex));
  if (digits === null) throw badFrame('a bigint without its digits');
  return digits[1] === '-' ? -BigInt(`0x${digits[2]}`) : BigInt(`0x${digits[2]}`);
}

/** @param {any} name @returns {symbol} */
function knownSymbol(name) {
  const symbol = typeof name === 'string' && Object.hasOwn(Symbol, name) ? /** @type {any} */ (Symbol)[name] : undefined;
  if (typeof symbol !== 'symbol') throw badFrame('no such symbol');
  return symbol;
}

/** @template T @param {() => T} make @returns {T} */
function attempt(make) {
  try {
    return make();
  } catch (cause) {
    if (cause instanceof IgnisError) throw cause;
    throw new IgnisError('IGNIS_BAD_FRAME', 'contents do not fit their form', { cause });
  }
}

/** @param {string} detail @returns {never} */
function fail(detail) {
  throw badFrame(detail);
}

exports.areKeys = areKeys;
exports.attempt = attempt;
exports.bigint = bigint;
exports.checkBytes = checkBytes;
exports.checkNode = checkNode;
exports.checkWhence = checkWhence;
exports.checkPrototype = checkPrototype;
exports.fail = fail;
exports.id = id;
exports.isBytes = isBytes;
exports.isLength = isLength;
exports.knownSymbol = knownSymbol;
exports.text = text;
