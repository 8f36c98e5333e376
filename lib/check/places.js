'use strict';
/*
 * Regular expressions that keep a place: with the flag `g` or `y`, `test` and `exec` go on from where the last one ended, and with `y` also
 * `match` and `replace`. In: a value. Out: whether it is one, or holds one.
 */
const types = require('node:util/types');
const { isObject } = require('../engine');

const flagsOf = /** @type {() => string} */ (Reflect.getOwnPropertyDescriptor(RegExp.prototype, 'flags')?.get);
/** What holds more may hold one. */
const MOST_VALUES = 5000;

/** @param {any} value @param {RegExp} flags @returns {boolean} no code of the value is run */
const isPlaced = (value, flags) => types.isRegExp(value) && flags.test(flagsOf.call(value));

/**
 * @param {any} root
 * @param {RegExp} flags
 * @returns {boolean} whether it is, or somewhere holds, one with one of the flags, as far as that can be seen
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
