'use strict';
/*
 * Describes an object in a few words, for people who look for what keeps it alive. In: any object or function. Out: its kind, and its own
 * or its class's name. It runs nothing of the program: no getter, no trap.
 */
const types = require('node:util/types');
const engine = require('../engine');

const { Object } = engine;

/** @param {any} holder @param {PropertyKey} key @returns {any} undefined if it is no plain value */
function valueOf(holder, key) {
  return types.isProxy(holder) ? undefined : Object.getOwnPropertyDescriptor(holder, key)?.value;
}

/** @param {any} value @returns {string} */
function describe(value) {
  if (types.isProxy(value)) return 'a Proxy';
  if (typeof value === 'function') {
    const name = valueOf(value, 'name');
    return typeof name === 'string' && name !== '' ? `function ${name}` : 'a function without a name';
  }
  const prototype = Object.getPrototypeOf(value);
  const maker = prototype === null ? undefined : valueOf(prototype, 'constructor');
  const name = typeof maker === 'function' ? valueOf(maker, 'name') : undefined;
  return typeof name === 'string' && name !== '' ? `object of ${name}` : 'an object';
}

exports.describe = describe;
