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

/** In a replica, before its module is loaded. @param {(key: object) => void} listener */
function watchKeys(listener) {
  if (onKey === null) {
    const { set } = WeakMap.prototype;
    const { add } = globalThis.WeakSet.prototype;
    /** @type {any} */
    const watched = {
      /** @this {any} @param {any} key @param {any} value */
      set(key, value) {
        Reflect.apply(set, this, [key, value]);
        if (typeof key !== 'symbol') note(key);
        return this;
      },
      /** @this {any} @param {any} value */
      add(value) {
        Reflect.apply(add, this, [value]);
        if (typeof value !== 'symbol') note(value);
        return this;
      },
    };
    Object.defineProperty(WeakMap.prototype, 'set', { value: watched.set });
    Object.defineProperty(globalThis.WeakSet.prototype, 'add', { value: watched.add });
  }
  onKey = listener;
}

/** @param {object} object */
const isKey = (object) => keys.has(object);

exports.isKey = isKey;
exports.watchKeys = watchKeys;
