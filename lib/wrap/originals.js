'use strict';

// Which true value stands behind each of our wrappers.
// In: wrappers as they are made. Out: the way back, for arguments and `this` that come through the membrane.
// Weak on both sides: it keeps nothing alive.

/** @type {WeakMap<object, any>} wrapper to original */
const originals = new WeakMap();

/** @type {WeakSet<object>} functions that the program wrote into a module through a wrapper of it */
const written = new WeakSet();

/**
 * @param {object} wrapper
 * @param {object} original
 */
function register(wrapper, original) {
  originals.set(wrapper, original);
}

/**
 * @template T
 * @param {T} value
 * @returns {T} what stands behind it, if it is a wrapper, else itself
 */
function unwrap(value) {
  if ((typeof value !== 'object' || value === null) && typeof value !== 'function') return value;
  return originals.get(value) ?? value;
}

/** @param {any} value that is no wrapper, and was written through one */
function noteWritten(value) {
  if (typeof value === 'function') written.add(value);
}

/**
 * @param {any} value
 * @returns {boolean} whether it came into its module by a write through a wrapper
 */
function isWritten(value) {
  return written.has(value);
}

exports.originals = originals;
exports.register = register;
exports.unwrap = unwrap;
exports.noteWritten = noteWritten;
exports.isWritten = isWritten;
