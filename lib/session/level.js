'use strict';
/*
 * How far an object is closed to changes (sealed, frozen ...). In: an object. Out: its level, or the object closed that far. Levels travel:
 * if a callee may not change an argument at home, it may not change its copy either.
 */
const engine = require('../engine');

const { Object, isArray } = engine;

const LEVEL = Object.freeze({ OPEN: 0, INEXTENSIBLE: 1, SEALED: 2, FROZEN: 3 });

/** @param {object} value @returns {number} */
function levelOf(value) {
  if (Object.isExtensible(value)) return LEVEL.OPEN;
  if (Object.isFrozen(value) && !hasLength(value)) return LEVEL.FROZEN;
  return Object.isSealed(value) ? LEVEL.SEALED : LEVEL.INEXTENSIBLE;
}

/** The engine calls an empty array frozen as soon as it is not extensible, though its `length` can be written. @param {object} value */
const hasLength = (value) => isArray(value) && Object.getOwnPropertyDescriptor(value, 'length')?.writable === true;

/** @param {object} object @param {any} level */
function close(object, level) {
  if (level === LEVEL.FROZEN) Object.freeze(object);
  else if (level === LEVEL.SEALED) seal(object);
  else if (level === LEVEL.INEXTENSIBLE) Object.preventExtensions(object);
}

/** A typed array that is not extensible counts as sealed, but newer engines refuse to seal one that has elements. @param {object} object */
function seal(object) {
  try {
    Object.seal(object);
  } catch (error) {
    if (!ArrayBuffer.isView(object)) throw error;
    Object.preventExtensions(object);
  }
}

exports.LEVEL = LEVEL;
exports.close = close;
exports.levelOf = levelOf;
