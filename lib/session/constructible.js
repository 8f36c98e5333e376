'use strict';
/*
 * Whether a function can be called with `new`. In: any function. Out: yes or no; nothing of it runs. Asked of each function of each module:
 * an error that the engine makes for one that cannot takes some 300 us where the program is large, since it looks for the place in the
 * source. So it is asked to make one only for those of which nothing else tells.
 */
const types = require('node:util/types');

const { Object, Reflect } = require('../engine');

// The program may put another in the place of this while we run.
const { Proxy } = globalThis;
const { hasOwn } = Object;
const { toString } = Function.prototype;

/** Ends the text of the engine's own functions, of bound ones and of Proxies, and of nobody else's: it is no JavaScript. */
const NATIVE = '[native code] }';

/** @param {any} value @returns {boolean} */
function isConstructor(value) {
  if (typeof value !== 'function' || types.isGeneratorFunction(value)) return false;
  if (!types.isProxy(value) && !hasOwn(value, 'prototype') && !Reflect.apply(toString, value, []).endsWith(NATIVE)) return false;
  try {
    // The trap answers instead of the function, but exists only if the function has [[Construct]].
    return typeof new new Proxy(value, { construct: () => ({}) })() === 'object';
  } catch {
    return false;
  }
}

exports.isConstructor = isConstructor;
