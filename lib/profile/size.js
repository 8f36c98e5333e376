'use strict';

// A rough guess at how many bytes a value would be on a wire.
// In: any value. Out: a number. It looks at no more than 256 values, runs no getter, and touches no Proxy.

const { types } = require('node:util');

const MOST_VALUES = 256;
const BYTES_OF_A_NUMBER = 8;
const BYTES_OF_A_HEAD = 2;

/**
 * @param {unknown} value
 * @returns {number} bytes; what lies beyond the limit counts as if it were like what was seen
 */
function sizeOf(value) {
  const queue = [value];
  let bytes = 0;
  let next = 0;
  for (; next < queue.length && next < MOST_VALUES; next++) bytes += sizeOfOne(queue[next], queue);
  return next === 0 ? 0 : Math.round((bytes * queue.length) / next);
}

/** @param {unknown} value @param {unknown[]} queue gets what lies inside */
function sizeOfOne(value, queue) {
  if (typeof value === 'string') return value.length + BYTES_OF_A_HEAD;
  if (typeof value === 'number') return BYTES_OF_A_NUMBER;
  if (typeof value !== 'object' || value === null || types.isProxy(value)) return 1;
  if (ArrayBuffer.isView(value) || types.isAnyArrayBuffer(value)) return value.byteLength + BYTES_OF_A_HEAD;
  if (queue.length > 4 * MOST_VALUES) return BYTES_OF_A_HEAD;
  if (Array.isArray(value)) {
    for (let index = 0; index < value.length; index++) {
      if (index === MOST_VALUES) return BYTES_OF_A_HEAD + (value.length - index) * BYTES_OF_A_NUMBER;
      queue.push(value[index]);
    }
    return BYTES_OF_A_HEAD;
  }
  return BYTES_OF_A_HEAD + sizeOfOwn(value, queue);
}

/** @param {object} value @param {unknown[]} queue */
function sizeOfOwn(value, queue) {
  let bytes = 0;
  let seen = 0;
  for (const key in value) {
    if (seen++ === MOST_VALUES) break;
    const property = Object.getOwnPropertyDescriptor(value, key);
    if (property === undefined || !('value' in property)) continue;
    bytes += key.length + 1;
    queue.push(property.value);
  }
  return bytes;
}

exports.sizeOf = sizeOf;
