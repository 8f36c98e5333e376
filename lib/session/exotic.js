'use strict';
/*
 * Packs values that are neither lists nor plain objects (errors, maps, dates, bytes, boxed primitives) into what is sent. In: a packer that
 * has reached such a value. Out: what takes its place in the copy, with its special written down; or the error that names it.
 */
const { Buffer } = require('node:buffer');
const types = require('node:util/types');
const { placesOf } = require('./class-places');
const { readEngineValue } = require('./engine-values');
const shape = require('./shape');
const { hasTag, spell } = shape;
const { SharedBytes, ATTACHMENT_BYTES } = require('./shared-bytes');
const { readWebError } = require('./web-errors');
const engine = require('../engine');
const { CLONE_BYTES } = require('../wire/channel');

/** @typedef {import('./marshal').Packer} Packer */

const { Map, Set, isNaN } = engine;
const { getOwnPropertySymbols } = engine.Object;

/** @param {Packer} packer @param {any} value @param {any} prototype @returns {any} */
function packExotic(packer, value, prototype) {
  if (prototype === null && !types.isNativeError(value)) return packBare(packer, value);
  if (ArrayBuffer.isView(value) || types.isAnyArrayBuffer(value)) return packBytes(packer, value, prototype);
  if (types.isNativeError(value) || value instanceof Error) return packError(packer, value);
  if (types.isArgumentsObject(value)) return packList(packer, 'arguments', [...value]);
  if (types.isDate(value)) {
    checkClass(packer, prototype, Date);
    packer.lift('date', isNaN(value.getTime()) ? null : value.getTime());
    return null;
  }
  if (types.isRegExp(value)) {
    checkClass(packer, prototype, RegExp);
    packer.lift('regexp', spell(value.source), value.flags, Number(value.lastIndex));
    return null;
  }
  if (types.isMap(value)) {
    checkClass(packer, prototype, Map);
    return packList(packer, 'map', [...value].flat(1));
  }
  if (types.isSet(value)) {
    checkClass(packer, prototype, Set);
    return packList(packer, 'set', [...value]);
  }
  if (types.isBoxedPrimitive(value)) return packBoxed(packer, value, prototype);
  if (value instanceof URL) {
    checkClass(packer, prototype, URL);
    packer.lift('url', value.href);
    return null;
  }
  if (value instanceof AbortSignal && prototype === AbortSignal.prototype) return packSignal(packer, value);
  const parts = readEngineValue(value, prototype);
  if (parts !== null) {
    packer.lift('engine-value', ...parts);
    return null;
  }
  if (shape.isForeign(prototype, Object) && !hasTag(value)) return packer.packMembers(value);
  throw packer.refuse(shape.describe(value));
}

/** For most texts the engine knows, without looking, that they have none of these. */
const BEYOND_LATIN1 = /[\u0100-\uffff]/;

/** @param {Packer} packer @param {string} text that cannot be sent as it is @returns {Buffer} */
function packText(packer, text) {
  const encoding = BEYOND_LATIN1.test(text) ? 'utf16le' : 'latin1';
  packer.lift('text', encoding);
  // A structured clone would clone all of the pool that Node cut it from.
  packer.weight += CLONE_BYTES;
  return Buffer.from(text, encoding);
}

/** Since Node 22. */
const { isRawJSON: isRawJson } = /** @type {any} */ (JSON);

/** A value without a prototype; it may have lost it. @param {Packer} packer @param {any} value @returns {any} */
function packBare(packer, value) {
  if (isRawJson?.(value)) {
    packer.lift('raw-json', spell(value.rawJSON));
    return null;
  }
  // What compilers write for a module namespace is not this kind of object, and travels as what it is.
  if (Symbol.toStringTag in value && types.isModuleNamespaceObject(value)) throw packer.refuse('a module namespace');
  if (isBranded(value)) throw packer.refuse('an object of the engine whose prototype was taken away');
  return packer.packMembers(value, true);
}

/** Asking for each brand takes long, and branded objects have hardly any visible names. @param {any} value */
function isBranded(value) {
  if (ArrayBuffer.isView(value)) return true;
  for (const _name in value) return false;
  if (types.isMap(value) || types.isSet(value) || types.isDate(value) || types.isRegExp(value) || types.isPromise(value)) return true;
  if (types.isBoxedPrimitive(value) || types.isAnyArrayBuffer(value) || types.isGeneratorObject(value)) return true;
  return types.isWeakMap(value) || types.isWeakSet(value) || types.isMapIterator(value) || types.isSetIterator(value);
}

/** @param {Packer} packer @param {AbortSignal} signal @returns {null} */
function packSignal(packer, signal) {
  const data = packer.lend?.(signal) ?? null;
  if (data === null) throw packer.refuse('an AbortSignal');
  packer.lift('signal', ...data);
  return null;
}

/** An object of a subclass may keep what a copy would lose. @param {Packer} packer @param {any} prototype @param {Function} Class */
function checkClass(packer, prototype, Class) {
  if (prototype !== Class.prototype && !shape.isForeign(prototype, Class))
    throw packer.refuse(`an instance of a subclass of ${Class.name}`);
}

/**
 * @param {Packer} packer
 * @param {string} tag
 * @param {any[]} list
 */
function packList(packer, tag, list) {
  packer.lift(tag);
  packer.weight += list.length * 8;
  return list.map((item, i) => packer.packAt(i, item));
}

/** @param {Packer} packer @param {any} box @param {any} prototype */
function packBoxed(packer, box, prototype) {
  const primitive = box.valueOf();
  checkClass(packer, prototype, Object(primitive).constructor);
  // What the primitive needs is written down first, so that it is done first on arrival.
  const packed = packer.pack(primitive);
  packer.lift('boxed');
  return packed;
}

/** @param {Packer} packer @param {any} error */
function packError(packer, error) {
  const special = packer.lift('error', shape.classNames(error), spell(shape.asText(error.name)));
  /** @type {(string | symbol)[]} */
  const own = Object.getOwnPropertyNames(error);
  const [web, places] = [readWebError(error), placesOf(error)];
  if (web !== null) {
    const [message, ...more] = web;
    special.push(spell(message), places, more);
  } else {
    if (places !== null) special.push('', places);
    if (!own.includes('message') && error.message !== '') own.unshift('message');
  }
  const shown = getOwnPropertySymbols(error).filter((symbol) => Object.prototype.propertyIsEnumerable.call(error, symbol));
  if (shown.length > 0) own.push(...shown);
  const isShown = (/** @type {string | symbol} */ name) => Object.prototype.propertyIsEnumerable.call(error, name);
  const hidden = own.filter((name) => !isShown(name));
  return packer.packNamed([hidden.length], error, [...hidden, ...own.filter(isShown)]);
}

/** @param {Packer} packer @param {any} view @param {any} prototype */
function packBytes(packer, view, prototype) {
  if (types.isSharedArrayBuffer(view)) throw packer.refuse('a SharedArrayBuffer');
  const tag = prototype === Buffer.prototype ? 'Buffer' : view[Symbol.toStringTag];
  if (tag !== 'Buffer') checkClass(packer, prototype, /** @type {any} */ (globalThis)[tag]);
  const buffer = ArrayBuffer.isView(view) ? view.buffer : view;
  // A result simply arrives with its present length. In an argument, home would not see what a replica does to the length.
  if (buffer.resizable && packer.root === 'args') throw packer.refuse('a resizable ArrayBuffer');
  // A copy of it could be written to.
  if (/** @type {any} */ (buffer).immutable && packer.root === 'args') throw packer.refuse('an immutable ArrayBuffer');
  // Nor would home see what is written to it: such memory exists to be shared.
  if (types.isSharedArrayBuffer(buffer) && packer.root === 'args') throw packer.refuse('a view of a SharedArrayBuffer');
  if (buffer.byteLength === 0 && isDetached(buffer)) throw packer.refuse('a detached ArrayBuffer');
  const copy = packer.copyOf(types.isUint8Array(view) ? view : shape.bytesOf(view));
  const isSmall = copy.byteLength < ATTACHMENT_BYTES;
  if (isSmall) packer.weight += CLONE_BYTES + copy.byteLength;
  const entry = packer.lift('bytes', tag, -1);
  (packer.bytes ??= new SharedBytes(packer.copyOf)).add(view, entry, isSmall ? null : copy);
  return isSmall ? copy : null;
}

/** @param {ArrayBuffer} buffer */
function isDetached(buffer) {
  try {
    void new Uint8Array(buffer);
    return false;
  } catch {
    return true;
  }
}

exports.checkClass = checkClass;
exports.packExotic = packExotic;
exports.packText = packText;
