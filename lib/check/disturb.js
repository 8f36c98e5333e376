'use strict';
/*
 * Changes a value a little, everywhere, as a caller may do to its own objects after a call. In: any value. Out: the same objects with other
 * contents, and whether there was anything to change. The change is mild on purpose: lists and numbers grow by one, texts by a letter, so
 * that a function that gets them next still ends.
 */
const types = require('node:util/types');

const MOST = 2000;

/** @param {any} root @returns {boolean} whether something was changed */
function disturb(root) {
  const seen = new Set();
  const open = [root];
  let isChanged = false;
  while (open.length > 0 && seen.size < MOST) {
    const value = open.pop();
    if (typeof value !== 'object' || value === null || seen.has(value)) continue;
    seen.add(value);
    open.push(...partsOf(value));
    isChanged = change(value) || isChanged;
  }
  return isChanged;
}

/** @param {any} value @returns {any[]} */
function partsOf(value) {
  if (ArrayBuffer.isView(value) || value instanceof Date) return [];
  if (value instanceof Map) return [...value.values()];
  if (value instanceof Set) return [...value];
  return Object.values(value);
}

/** @param {any} value @returns {boolean} */
function change(value) {
  try {
    if (value instanceof Map) {
      for (const [key, one] of value) value.set(key, other(one));
      return value.set('ignisCheck', 1) === value;
    }
    if (value instanceof Set) return value.add('ignisCheck') === value;
    if (value instanceof Date) return !Number.isNaN(value.setTime(value.getTime() + 86400000));
    if (types.isAnyArrayBuffer(value)) return change(new Uint8Array(value));
    if (types.isDataView(value)) return change(new Uint8Array(value.buffer, value.byteOffset, value.byteLength));
    if (types.isTypedArray(value)) {
      // The largest byte cannot grow.
      const next = value.BYTES_PER_ELEMENT === 1 ? (/** @type {any} */ byte) => byte ^ 1 : other;
      for (let i = 0; i < value.length; i++) value[i] = next(value[i]);
      return value.length > 0;
    }
    if (value instanceof RegExp || Object.isFrozen(value)) return false;
    for (const name of Object.keys(value)) value[name] = other(value[name]);
    if (Array.isArray(value)) value.push(value.length > 0 ? value[value.length - 1] : 'ignisCheck');
    else value.ignisCheck = 1;
    return true;
  } catch {
    // Part of it is closed.
    return true;
  }
}

/** @param {any} value */
function other(value) {
  if (typeof value === 'number') return value + 1;
  if (typeof value === 'bigint') return value + 1n;
  if (typeof value === 'string') return `${value}~`;
  return typeof value === 'boolean' ? !value : value;
}

exports.disturb = disturb;
