'use strict';
/*
 * The objects that a module in a replica uses as keys without keeping them: keys of its WeakMaps and WeakSets, targets of its WeakRefs and
 * FinalizationRegistries. If home has a copy of such an object, the replica's copy must not be collected before home's: the module would
 * not recognize a new copy that home sends later, and a WeakRef would be empty though home uses its target. In: the keys, as they are set.
 * Out: whether an object is one; word of each new one. It keeps none alive. Home's own program is not watched.
 */
const { standIn } = require('./intrinsics');
const { keepsMore } = require('./known-classes');
const engine = require('../engine');

const { FinalizationRegistry, WeakMap } = globalThis;

const { Object, Proxy, Reflect, WeakRef, WeakSet } = engine;

const keys = new WeakSet();
/** @type {((key: any) => void) | null} */
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
      note(args[0]);
      return result;
    },
  };
  Object.defineProperty(watched[name], 'length', { value: length });
  // Impossible with `--frozen-intrinsics`: then the keys of a module are not seen.
  if (Reflect.defineProperty(prototype, name, { value: watched[name] })) standIn(native, watched[name]);
}

/** A WeakRef gets its target when it is made, so the class is replaced by one that looks at it. */
function watchWeakRefs() {
  const watched = new Proxy(WeakRef, {
    construct(native, args, newTarget) {
      const made = Reflect.construct(native, args, newTarget);
      note(args[0]);
      return made;
    },
  });
  globalThis.WeakRef = watched;
  standIn(WeakRef, watched);
  Reflect.defineProperty(WeakRef.prototype, 'constructor', { value: watched });
}

/** In a replica, before its module is loaded. @param {(key: any) => void} listener */
function watchKeys(listener) {
  if (onKey === null) {
    for (const name of ['set', 'getOrInsert', 'getOrInsertComputed']) watch(WeakMap.prototype, name);
    watch(globalThis.WeakSet.prototype, 'add');
    watch(FinalizationRegistry.prototype, 'register');
    watchWeakRefs();
  }
  onKey = listener;
}

/** @param {any} object or a symbol @returns {boolean} also true for an error with private members: its class knows it by these */
const isKey = (object) => keys.has(object) || (onKey !== null && keepsMore(object));

exports.isKey = isKey;
exports.watchKeys = watchKeys;
