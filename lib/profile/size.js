'use strict';

// A rough guess at what a value would be on a wire.
// In: any value. Out: how many bytes, in how many values. It looks at no more than 256 values, runs no getter, and touches no Proxy.

const { types } = require('node:util');

const MOST_LOOKS = 256;
/** Of one list or object; few enough that what they hold is looked at, too. */
const MOST_MEMBERS = 32;
const MOST_DEPTH = 16;
const BYTES_OF_A_NUMBER = 8;
const BYTES_OF_A_HEAD = 2;

let looks = 0;
let bytes = 0;
let values = 0;

/**
 * @param {unknown} value
 * @returns {{bytes: number, values: number}} what is not looked at counts as if it were like what was
 */
function sizeOf(value) {
  looks = MOST_LOOKS;
  bytes = values = 0;
  look(value, 0);
  return { bytes: Math.round(bytes), values: Math.round(values) };
}

/** @param {unknown} value @param {number} depth */
function look(value, depth) {
  looks--;
  values++;
  if (typeof value === 'string') bytes += value.length + BYTES_OF_A_HEAD;
  else if (typeof value === 'number') bytes += BYTES_OF_A_NUMBER;
  else if (typeof value !== 'object' || value === null || types.isProxy(value)) bytes += 1;
  else if (ArrayBuffer.isView(value) || types.isAnyArrayBuffer(value)) bytes += value.byteLength + BYTES_OF_A_HEAD;
  else {
    bytes += BYTES_OF_A_HEAD;
    if (depth < MOST_DEPTH) lookInto(value, depth + 1);
  }
}

/** @param {object} value @param {number} depth */
function lookInto(value, depth) {
  const [bytesBefore, valuesBefore] = [bytes, values];
  let seen = 0;
  let all;
  if (Array.isArray(value)) {
    all = value.length;
    for (; seen < all && maySee(seen); seen++) look(value[seen], depth);
  } else {
    all = 0;
    for (const key in value) {
      // Names alone are cheap to count, up to a point.
      if (++all > MOST_LOOKS) break;
      if (!maySee(seen)) continue;
      seen++;
      bytes += key.length + 1;
      const property = Object.getOwnPropertyDescriptor(value, key);
      if (property !== undefined && 'value' in property) look(property.value, depth);
    }
  }
  if (seen === all) return;
  const factor = all / Math.max(1, seen);
  bytes = bytesBefore + Math.max(bytes - bytesBefore, 1) * factor;
  values = valuesBefore + Math.max(values - valuesBefore, 1) * factor;
}

/** @param {number} seen members of one list or object so far */
const maySee = (seen) => seen < MOST_MEMBERS && looks > 0;

exports.sizeOf = sizeOf;
