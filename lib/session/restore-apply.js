'use strict';
/*
 * Makes at home the changes that a callee made to its copies of arguments (restore-base.js says what a change is). In: the caller's
 * objects, and changes from the wire, which cannot be trusted: a change that does not fit its object is IGNIS_BAD_FRAME. Names become own
 * members; they are never assigned through a prototype. A change that the caller's object does not allow is an error, never skipped.
 */
const types = require('node:util/types');
const { IgnisError, badFrame } = require('../errors');
const { LEVEL, close } = require('./level');
const { bytesOf } = require('./shape');
const { Map, Object, Reflect, Set, isArray, isInteger } = require('../engine');

/**
 * @param {object[]} objects the caller's, by number
 * @param {any} changes number, change, ...
 * @throws {IgnisError} IGNIS_BAD_FRAME when they do not fit; IGNIS_UNMARSHALABLE when an object refuses a change: all others are changed by
 *   then
 */
function applyChanges(objects, changes) {
  if (!isArray(changes) || changes.length % 2 !== 0) throw badFrame('changes are number, change, ...');
  for (let i = 0; i < changes.length; i += 2) checkChange(isInteger(changes[i]) ? objects[changes[i]] : undefined, changes[i + 1]);
  let failure = null;
  for (let i = 0; i < changes.length; i += 2) failure = applyOne(/** @type {any} */ (objects[changes[i]]), changes[i + 1]) ?? failure;
  // Last, since a closed object takes no more changes.
  for (let i = 0; i < changes.length; i += 2) close(objects[changes[i]], changes[i + 1][4]);
  if (failure !== null) throw new IgnisError('IGNIS_UNMARSHALABLE', `an argument was changed in the replica, and ${failure}`);
}

/** @param {any} object @param {any} change */
function checkChange(object, change) {
  if (object === undefined) throw badFrame('a change of what is no argument');
  if (!isArray(change) || change.length !== 5) throw badFrame('a change has five parts');
  const [, removed, set, inner, level] = change;
  if (!isFull(removed) || !removed.every(isName)) throw badFrame('names are missing');
  if (!isArray(set) || set.length % 3 !== 0) throw badFrame('members are name, value, shown');
  for (let i = 0; i < set.length; i += 3) if (!isName(set[i]) || isOfContents(object, set[i])) throw badFrame('a name is missing');
  if (ArrayBuffer.isView(object) && level === LEVEL.FROZEN && bytesOf(object).length > 0) throw badFrame('bytes that cannot be written');
  if (inner !== null && !fits(object, inner)) throw badFrame('contents of another kind');
}

/** Whether it belongs to the contents, which do not take every value. @param {any} object @param {PropertyKey} name @returns {boolean} */
function isOfContents(object, name) {
  if (isArray(object)) return name === 'length';
  return ArrayBuffer.isView(object) && typeof name !== 'symbol' && String(Number(name)) === String(name);
}

/** @param {any} object @param {any} inner */
function fits(object, inner) {
  if (!isArray(inner)) return false;
  if (isArray(object)) return isInteger(inner[0]) && inner[0] >= 0 && inner[0] < 2 ** 32;
  if (types.isMap(object)) return inner.length === 3 && isFull(inner[1]) && isFull(inner[2]) && inner[2].length % 2 === 0;
  if (types.isSet(object)) return inner.length === 3 && isFull(inner[1]) && isFull(inner[2]);
  if (types.isDate(object)) return typeof inner[0] === 'number';
  if (ArrayBuffer.isView(object) || types.isArrayBuffer(object)) return arePieces(inner, bytesOf(object).length);
  return object instanceof URL && typeof inner[0] === 'string' && URL.canParse(inner[0]);
}

/**
 * A list with holes would be walked through for its whole claimed length.
 *
 * @param {any} list
 * @returns {boolean} whether it is a list of elements
 */
function isFull(list) {
  if (!isArray(list)) return false;
  for (let i = 0; i < list.length; i++) if (!Object.hasOwn(list, i)) return false;
  return true;
}

/** @param {any[]} pieces @param {number} length */
function arePieces(pieces, length) {
  if (pieces.length % 2 !== 0) return false;
  for (let i = 0; i < pieces.length; i += 2) {
    const [offset, bytes] = [pieces[i], pieces[i + 1]];
    if (!isInteger(offset) || offset < 0 || !(bytes instanceof Uint8Array)) return false;
    // The caller gave this memory away meanwhile, so it cannot be written; the frame is not at fault.
    if (length > 0 && offset + bytes.length > length) return false;
  }
  return true;
}

/** @param {any} object @param {any[]} change checked @returns {string | null} an error: what could not be done */
function applyOne(object, [, removed, set, inner]) {
  let failure = null;
  for (const name of removed) if (!Reflect.deleteProperty(object, name)) failure = `'${String(name)}' of it cannot be deleted`;
  for (let i = 0; i < set.length; i += 3) {
    if (!setMember(object, set[i], set[i + 1], set[i + 2] === true)) failure = `'${String(set[i])}' of it cannot be written`;
  }
  if (inner !== null && !setInner(object, inner)) failure = 'its contents cannot be written';
  return failure;
}

/** @param {any} object @param {PropertyKey} name @param {any} value @param {boolean} enumerable */
function setMember(object, name, value, enumerable) {
  const own = Reflect.getOwnPropertyDescriptor(object, name);
  if (own === undefined) return Reflect.defineProperty(object, name, { value, writable: true, enumerable, configurable: true });
  // If the caller's object has an accessor, run its setter, as the callee would have.
  if (!('value' in own)) return Reflect.set(object, name, value);
  return Reflect.defineProperty(object, name, own.enumerable === enumerable ? { value } : { value, enumerable });
}

/** @param {any} object @param {any} inner checked @returns {boolean} */
function setInner(object, inner) {
  if (isArray(object)) return Reflect.set(object, 'length', inner[0]);
  if (types.isMap(object)) {
    for (const key of inner[1]) Map.prototype.delete.call(object, key);
    for (let i = 0; i < inner[2].length; i += 2) Map.prototype.set.call(object, inner[2][i], inner[2][i + 1]);
  } else if (types.isSet(object)) {
    for (const item of inner[1]) Set.prototype.delete.call(object, item);
    for (const item of inner[2]) Set.prototype.add.call(object, item);
  } else if (types.isDate(object)) Date.prototype.setTime.call(object, inner[0]);
  else if (object instanceof URL) object.href = inner[0];
  else return setBytes(object, inner);
  return true;
}

/** @param {any} object @param {any[]} pieces @returns {boolean} */
function setBytes(object, pieces) {
  const bytes = bytesOf(object);
  for (let i = 0; i < pieces.length; i += 2) {
    if (pieces[i] + pieces[i + 1].length > bytes.length) return false;
    bytes.set(pieces[i + 1], pieces[i]);
  }
  return true;
}

/** @param {any} name */
const isName = (name) => typeof name === 'string' || typeof name === 'symbol' || (isInteger(name) && name >= 0 && name < 2 ** 32 - 1);

exports.applyChanges = applyChanges;
