'use strict';
/*
 * What a module in a replica knows an object by: the keys of its WeakMaps and WeakSets. Where such an object has a copy at home, the replica's copy must not be collected before
 * home's: another one, made when home sends it again, would be a stranger to the module. In: the keys, as they are set. Out: whether an object is one; word of each new one.
 * It keeps none alive. Home's own program is not watched.
 */
const engine = require('../engine');

const { Object, Reflect, WeakSet } = engine;

const keys = new WeakSet();
/** @type {((key: object) => void) | null} */
let onKey = null;

/** @param {any} key */
function note(key) {
  keys.add(key);
  onKey?.(key);
}

/** @param {any} prototype @param {string} name of a method that makes its first argument a key; two of WeakMap exist since Node 26 */
function watch(prototype, name) {
  const native = prototype[name];
  if (native === undefined) return;
  const { length } = native;
  /** @type {any} */
  const watched = {
    /** @this {any} @param {any[]} args */
    [name](...args) {
      const result = Reflect.apply(native, this, args);
      if (typeof args[0] !== 'symbol') note(args[0]);
      return result;
    },
  };
  Object.defineProperty(watched[name], 'length', { value: length });
  Object.defineProperty(prototype, name, { value: watched[name] });
}

/** In a replica, before its module is loaded. @param {(key: object) => void} listener */
function watchKeys(listener) {
  if (onKey === null) {
    for (const name of ['set', 'getOrInsert', 'getOrInsertComputed']) watch(WeakMap.prototype, name);
    watch(globalThis.WeakSet.prototype, 'add');
  }
  onKey = listener;
}

/** @param {object} object */
const isKey = (object) => keys.has(object);

exports.isKey = isKey;
exports.watchKeys = watchKeys;
