'use strict';
/*
 * Dispose methods of objects of the other side. In: what was read from an object, and under which name. Out: the same. But if this engine's
 * `using` and DisposableStack accept no Proxy as a function (V8 13.6, in Node 24): an ordinary function that does the same, always the same
 * one.
 */
const engine = require('../engine');

const { Proxy, Reflect, Symbol, WeakMap, globalOf } = engine;

// Node's own symbols on Node 20, which has no `using` itself.
const { dispose, asyncDispose } = /** @type {any} */ (Symbol);

/** @returns {boolean} whether this engine has such a `using` */
function isChoosy() {
  const DisposableStack = globalOf('DisposableStack');
  if (DisposableStack === undefined) return false;
  try {
    new DisposableStack().use({ [dispose]: new Proxy(() => {}, {}) });
    return false;
  } catch {
    return true;
  }
}

/** @type {WeakMap<Function, Function>} */
const ordinary = new WeakMap();

/** @param {Function} method a stub @returns {Function} */
function ordinaryOf(method) {
  let made = ordinary.get(method);
  if (made === undefined) {
    made = /** @this {any} */ function () {
      return Reflect.apply(method, this, arguments);
    };
    ordinary.set(method, made);
  }
  return made;
}

/** @type {(key: PropertyKey, value: any, shadow: object) => any} */
const asDisposer = isChoosy()
  ? (key, value, shadow) =>
      (key === dispose || key === asyncDispose) && typeof value === 'function' && isFree(shadow, key) ? ordinaryOf(value) : value
  : (_key, value) => value;

/** @param {object} shadow @param {PropertyKey} key @returns {boolean} whether the engine lets the Proxy answer otherwise than the shadow */
const isFree = (shadow, key) => Reflect.getOwnPropertyDescriptor(shadow, key)?.configurable !== false;

exports.asDisposer = asDisposer;
