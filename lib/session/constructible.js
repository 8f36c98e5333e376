'use strict';
/*
 * Whether a function can be called with `new`. In: any function. Out: yes or no; none of its code runs. This is asked for each function of
 * each module. To find out, one can let the engine throw; but that takes some 300 us in a large program, since the engine looks for the
 * place in the source. So that is done only if nothing else tells.
 */
const types = require('node:util/types');

const { Object, Reflect } = require('../engine');

// The program may put another in the place of this while we run.
const { Proxy } = globalThis;
const { hasOwn } = Object;
const { toString } = Function.prototype;

/** How the text ends for the engine's own functions, bound functions and Proxies, and for no others: it is not JavaScript. */
const NATIVE = '[native code] }';

/** @param {any} value @returns {boolean} */
function isConstructor(value) {
  if (typeof value !== 'function' || types.isGeneratorFunction(value)) return false;
  if (!types.isProxy(value) && !hasOwn(value, 'prototype') && !Reflect.apply(toString, value, []).endsWith(NATIVE)) return false;
  try {
    // The trap answers in place of the function, but exists only if the function has [[Construct]].
    return typeof new new Proxy(value, { construct: () => ({}) })() === 'object';
  } catch {
    return false;
  }
}

exports.isConstructor = isConstructor;
