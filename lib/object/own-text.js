'use strict';
/*
 * What `%s` of `util.format` and `console.log` makes of an object: its own text (`String(object)`) if a program has given it one, otherwise
 * what `util.inspect` shows. Node decides that by the shadow of a stub, past the Proxy. In: an object. Out: what Node would decide for the
 * object itself (lib/internal/util/inspect.js, `hasBuiltInToString`, the same from 20 to 26).
 */
const vm = require('node:vm');
const engine = require('../engine');

const { Object, Set, Symbol } = engine;
const { getPrototypeOf, hasOwn } = Object;

/** @type {Set<string> | null} */
let classes = null;

/** Node looks these up by name, here in a realm of our own: a program may have replaced them. @param {string} name */
function isOfTheEngine(name) {
  classes ??= new Set(
    vm.runInNewContext('Object.getOwnPropertyNames(globalThis)').filter((/** @type {string} */ one) => /^[A-Z]/.test(one)),
  );
  return classes.has(name);
}

/** @param {any} object @returns {boolean} */
function hasOwnText(object) {
  const keys = ['toString', Symbol.toPrimitive].filter((key) => typeof object[key] === 'function');
  if (keys.length === 0) return false;
  let at = object;
  while (at !== null && !keys.some((key) => hasOwn(at, key))) at = getPrototypeOf(at);
  if (at === object || at === null) return true;
  const constructor = Object.getOwnPropertyDescriptor(at, 'constructor')?.value;
  return typeof constructor !== 'function' || !isOfTheEngine(constructor.name);
}

exports.hasOwnText = hasOwnText;
