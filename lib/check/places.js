'use strict';
/*
 * Regular expressions that keep a place: with the flag `g` or `y`, `test` and `exec` continue from where the last one ended; with `y`,
 * `match` and `replace` too. In: a value. Out: whether it is one, or holds one.
 */
const types = require('node:util/types');
const { isObject } = require('../engine');

const flagsOf = /** @type {() => string} */ (Reflect.getOwnPropertyDescriptor(RegExp.prototype, 'flags')?.get);
/** A value that holds more than this may hold one. */
const MOST_VALUES = 5000;

/** @param {any} value @param {RegExp} flags @returns {boolean} runs no code of the value */
const isPlaced = (value, flags) => types.isRegExp(value) && flags.test(flagsOf.call(value));

/**
 * @param {any} root
 * @param {RegExp} flags
 * @returns {boolean} whether it is one with one of the flags, or holds one anywhere, as far as that can be seen
 */
function holdsPlaced(root, flags) {
  const seen = new Set([root]);
  for (const value of seen) {
    if (!isObject(value) || types.isProxy(value)) continue;
    if (isPlaced(value, flags)) return true;
    if (seen.size > MOST_VALUES) return true;
    if (ArrayBuffer.isView(value)) continue;
    if (types.isMap(value)) for (const pair of Map.prototype.entries.call(value)) for (const part of pair) seen.add(part);
    if (types.isSet(value)) for (const part of Set.prototype.values.call(value)) seen.add(part);
    for (const key of Reflect.ownKeys(value)) seen.add(Reflect.getOwnPropertyDescriptor(value, key)?.value);
  }
  return false;
}

exports.holdsPlaced = holdsPlaced;
exports.isPlaced = isPlaced;
