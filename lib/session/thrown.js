'use strict';
/*
 * Errors on their way between the sides. In: anything a module throws. Out, at the callee: a copy that can be sent, of the same class, with
 * as much of it as can travel. At the caller: an error with the stacks of both sides. Never throws.
 */
const path = require('node:path');
const types = require('node:util/types');
const { withhold } = require('./class-places');
const { checkCount, MOST_ARGS } = require('./link');
const { marshal } = require('./marshal');
const { makeWebError, readWebError } = require('./web-errors');
const engine = require('../engine');

const { Object, Reflect, isArray, stackTextOf, withoutStack } = engine;

/** Stack lines of our files say nothing to the caller. */
const OWN_FILES = path.join(__dirname, '..', path.sep);

/** Stands for what cannot be sent. */
const NONE = Object.freeze({});
/** Larger things (sockets, requests) hang on errors too, and are no part of what they tell. */
const MOST_VALUES = 200;
/** Kinds of objects that consist of more than their names. */
const HAVE_MORE = [
  types.isNativeError,
  types.isMap,
  types.isSet,
  types.isDate,
  types.isRegExp,
  types.isPromise,
  types.isAnyArrayBuffer,
  types.isWeakMap,
  types.isWeakSet,
  types.isGeneratorObject,
  types.isExternal,
];

/** @param {any[]} args of a callback; if even `lightenErrors` does not make them sendable, an error that says so takes their place */
function packArgs(args) {
  const pack = (/** @type {any[]} */ list) => marshal(list, null, 'callback args');
  try {
    checkCount(args);
    return pack(args);
  } catch (error) {
    try {
      return pack(lightenErrors(args) ?? [error]);
    } catch {
      return pack([error]);
    }
  }
}

/**
 * Keeps as much of an error given to a callback as of one that is thrown.
 *
 * @param {any[]} args
 * @returns {any[] | null} null: none of them is an error that must be lightened
 */
function lightenErrors(args) {
  if (args.length > MOST_ARGS) return null;
  const lightened = args.map((arg) => (types.isNativeError(arg) && !canSend(arg) ? lighten(arg, 0) : arg));
  return lightened.some((arg, i) => arg !== args[i]) ? lightened : null;
}

/** A property that cannot be sent must not hide the error itself. @param {any} error */
function packError(error) {
  for (const make of [() => error, () => lighten(error, 0)]) {
    try {
      return marshal(make(), null, 'error');
    } catch {
      // It cannot be sent, or throws when it is looked at.
    }
  }
  return marshal(describe(error), null, 'error');
}

/**
 * @param {any} error
 * @param {number} depth in the chain of causes
 * @returns {Error} of the same class, with those of its properties that can be sent
 */
function lighten(error, depth) {
  if (!(error instanceof Error) || depth > 8) return describe(error);
  const web = readWebError(error);
  const made = withoutStack(web === null ? undefined : () => makeWebError(web));
  const copy = Object.setPrototypeOf(made, Object.getPrototypeOf(error));
  let isWhole = true;
  for (const name of Object.getOwnPropertyNames(error)) {
    const isShown = Object.prototype.propertyIsEnumerable.call(error, name);
    try {
      const value = /** @type {any} */ (error)[name];
      const sent = value instanceof Error && !canSend(value) ? lighten(value, depth + 1) : asData(value, { left: MOST_VALUES });
      if (sent === NONE) isWhole &&= name === 'stack';
      else Object.defineProperty(copy, name, { value: sent, writable: true, enumerable: isShown, configurable: true });
    } catch {
      // A getter throws, or V8 cannot put the error in words for its stack.
    }
  }
  if (!isWhole) withhold(copy);
  return copy;
}

/**
 * Objects whose class holds nothing but data (such as `loc` of a parser's error) become plain ones.
 *
 * @param {any} value @param {{left: number}} room how many more values are allowed
 * @returns {any} the object itself if it can be sent; NONE if it, or anything in it, cannot
 */
function asData(value, room) {
  if (canSend(value)) return value;
  if (typeof value !== 'object' || types.isProxy(value) || ArrayBuffer.isView(value) || HAVE_MORE.some((is) => is(value))) return NONE;
  const isList = isArray(value);
  const names = Object.keys(value);
  // It shows nothing: it keeps its contents to itself.
  if (names.length === 0 && !isList) return NONE;
  /** @type {any} */
  const copy = isList ? [] : {};
  for (const name of names) {
    if (--room.left < 0) return NONE;
    const member = asData(value[name], room);
    if (member === NONE) return NONE;
    Object.defineProperty(copy, name, { value: member, writable: true, enumerable: true, configurable: true });
  }
  return copy;
}

/** @param {any} value */
function canSend(value) {
  try {
    marshal(value, null, '');
    return true;
  } catch {
    return false;
  }
}

/** Something thrown that is no error, in words. @param {any} thrown */
function describe(thrown) {
  let text = 'something that cannot be sent';
  try {
    text = String(thrown?.message ?? thrown);
  } catch {
    // Not even its text can be had.
  }
  const error = new Error(text);
  // A module may make stacks that are not text, and that hold what cannot be sent (`Error.prepareStackTrace`).
  if (stackTextOf(error) === '') Reflect.deleteProperty(error, 'stack');
  return error;
}

/**
 * Joins both stacks: first the replica's, then where home made the call.
 *
 * @param {any} error
 * @param {{stack?: string} | null | undefined} origin where the call was made, if that is known
 */
function joinStacks(error, origin) {
  const thrownAt = error instanceof Error ? stackTextOf(error) : '';
  if (thrownAt === '') return error;
  const calledFrom = stackTextOf(origin ?? {})
    .split('\n')
    .slice(1)
    .filter((line) => !line.includes(OWN_FILES));
  const value = [thrownAt, '    ---- in a replica; called from home ----', ...calledFrom].join('\n');
  // A frozen error keeps the replica's stack.
  Reflect.defineProperty(error, 'stack', { value, writable: true, enumerable: false, configurable: true });
  return error;
}

exports.lighten = lighten;
exports.lightenErrors = lightenErrors;
exports.packArgs = packArgs;
exports.packError = packError;
exports.joinStacks = joinStacks;
