'use strict';

// A rough guess at what a value would be on a wire.
// In: any value. Out: how many bytes, in how many values, and how deep in it there is a function, which no copy has. It looks at no more than 256 values, runs no getter, and touches no Proxy.

const { types } = require('node:util');

const MOST_LOOKS = 256;
/** Of one list or object; few enough that what they hold is looked at, too: of a list, whose members are mostly alike, so many that each can have some looks. */
const MOST_MEMBERS = 32;
const LEAST_MEMBERS = 8;
const LOOKS_EACH = 16;
const MOST_DEPTH = 16;
const BYTES_OF_A_NUMBER = 8;
const BYTES_OF_A_HEAD = 2;

let looks = 0;
let bytes = 0;
let values = 0;
let functionAt = -1;

/**
 * @param {unknown} value
 * @returns {{bytes: number, values: number, functionAt: number}} what is not looked at counts as if it were like what was; functionAt: the deepest level at which a function was seen, 0 for the value itself; -1: none was
 */
function sizeOf(value) {
  looks = MOST_LOOKS;
  bytes = values = 0;
  functionAt = -1;
  look(value, 0, 0);
  return { bytes: Math.round(bytes), values: Math.round(values), functionAt };
}

/** @param {unknown} value @param {number} depth @param {number} floor looks that are left for others */
function look(value, depth, floor) {
  looks--;
  values++;
  if (typeof value === 'string') bytes += value.length + BYTES_OF_A_HEAD;
  else if (typeof value === 'number') bytes += BYTES_OF_A_NUMBER;
  else if (typeof value !== 'object' || value === null || types.isProxy(value)) {
    bytes += 1;
    if (typeof value === 'function' && depth > functionAt) functionAt = depth;
  } else if (ArrayBuffer.isView(value) || types.isAnyArrayBuffer(value)) bytes += value.byteLength + BYTES_OF_A_HEAD;
  else {
    bytes += BYTES_OF_A_HEAD;
    if (depth < MOST_DEPTH) lookInto(value, depth + 1, floor);
  }
}

/** @param {object} value @param {number} depth @param {number} floor */
function lookInto(value, depth, floor) {
  const [bytesBefore, valuesBefore] = [bytes, values];
  let seen = 0;
  let all;
  let most = MOST_MEMBERS;
  if (Array.isArray(value)) {
    all = value.length;
    most = Math.min(all, most, Math.max(LEAST_MEMBERS, Math.floor((looks - floor) / LOOKS_EACH)));
    for (; seen < most && looks > floor; seen++) look(value[seen], depth, floorFor(most - seen, floor));
  } else {
    all = namesIn(value);
    most = Math.min(all, most);
    for (const key in value) {
      if (seen >= most || looks <= floor) break;
      const property = Object.getOwnPropertyDescriptor(value, key);
      bytes += key.length + 1;
      if (property !== undefined && 'value' in property) look(property.value, depth, floorFor(most - seen, floor));
      seen++;
    }
  }
  if (seen === all) return;
  const factor = all / Math.max(1, seen);
  bytes = bytesBefore + Math.max(bytes - bytesBefore, 1) * factor;
  values = valuesBefore + Math.max(values - valuesBefore, 1) * factor;
}

/** @param {object} value @returns {number} cheap to count, up to a point */
function namesIn(value) {
  let all = 0;
  // @ts-ignore
  // eslint-disable-next-line no-unused-vars
  for (const name in value) if (++all > MOST_LOOKS) break;
  return all;
}

/**
 * A member takes no more than its part of the looks, so that those behind it are seen, too: what is not seen counts as if it were like what is, and a tree that leads back to
 * itself, or of which only the first branches are seen, would have that again at each level.
 *
 * @param {number} left members to be looked at @param {number} floor @returns {number}
 */
const floorFor = (left, floor) => looks - Math.max(1, Math.floor((looks - floor) / left));

exports.sizeOf = sizeOf;
