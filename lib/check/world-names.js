'use strict';
/*
 * The name under which a built-in function or object asks something of the world, or does something there, through whatever variable it is
 * reached. In: any value. Out: that name, or null.
 */
const { builtinModules, isBuiltin } = require('node:module');
const path = require('node:path');
const { SQLITE, stores } = require('./stores');
const { isObject } = require('../engine');

/** Built-in modules whose functions all reach outside, or depend on where they run. */
const OUTSIDE = /^(?:fs|child_process|net|https?|http2|dgram|dns|tls|cluster|worker_threads|readline|repl|inspector|vm|os)(?:\/promises)?$/;
const RANDOM = /^(?:random|generate|getRandom|pseudoRandom|createDiffie|createECDH)/;

/** @type {Map<any, string> | null} */
let names = null;
/** @type {Set<any> | null} */
let own = null;
/** Before a module can add to them. */
const NODES_GLOBALS = Object.getOwnPropertyNames(globalThis);

/** @returns {Map<any, string>} as they are now: a replica replaces some */
function makeNames() {
  /** @type {Map<any, string>} */
  const made = new Map();
  const add = (/** @type {any} */ value, /** @type {string} */ name) => {
    if (isObject(value)) made.set(value, name);
  };
  const addAll = (/** @type {any} */ holder, /** @type {(key: string) => string | null} */ nameOf) => {
    for (const key of Object.getOwnPropertyNames(holder)) {
      const name = nameOf(key);
      if (name !== null) add(Reflect.getOwnPropertyDescriptor(holder, key)?.value, name);
    }
  };
  for (const name of builtinModules.filter((one) => OUTSIDE.test(one))) {
    const exports = require(`node:${name}`);
    addAll(exports, (key) => (/^[A-Z]/.test(key) && !/^(?:Worker|Server|Socket|Agent|Script)$/.test(key) ? null : `${name}.${key}`));
    if (name !== 'os') add(exports, name);
  }
  for (const [prototype, name] of stores()) addAll(prototype, (key) => (key === 'constructor' ? null : name));
  if (isBuiltin(SQLITE)) addAll(require(SQLITE), (key) => (key === 'constants' ? null : `sqlite.${key}`));
  const crypto = require('node:crypto');
  addAll(crypto, (key) => (RANDOM.test(key) ? 'random numbers' : null));
  addAll(Object.getPrototypeOf(crypto.webcrypto), (key) => (RANDOM.test(key) ? 'random numbers' : null));
  for (const one of [path, path.posix, path.win32])
    for (const name of ['resolve', 'relative']) add(/** @type {any} */ (one)[name], 'process');
  add(Math.random, 'Math.random');
  add(Date.now, 'the time');
  add(performance, 'the time');
  for (let one = performance; one !== Object.prototype; one = Object.getPrototypeOf(one))
    addAll(one, (key) => (key === 'now' || key === 'mark' || key === 'measure' ? 'the time' : null));
  addAll(process, (key) =>
    /^(?:nextTick|constructor|version|versions|release|features|arch|platform|config)$/.test(key) ? null : 'process',
  );
  const { env, argv, execArgv, stdout, stderr, stdin } = process;
  for (const one of [env, argv, execArgv, stdout, stderr, stdin]) add(one, 'process');
  const { Temporal } = /** @type {any} */ (globalThis);
  if (Temporal !== undefined) addAll(Temporal.Now, () => 'the time');
  add(process.hrtime, 'the time');
  add(process.hrtime.bigint, 'the time');
  for (const [name, value] of Object.entries(console)) if (typeof value === 'function') add(value, `console.${name}`);
  for (const name of ['setTimeout', 'setInterval']) add(/** @type {any} */ (globalThis)[name], 'timers');
  for (const name of ['fetch', 'WebSocket', 'EventSource']) add(Reflect.getOwnPropertyDescriptor(globalThis, name)?.value, name);
  add(WeakRef, 'garbage collection');
  add(FinalizationRegistry, 'garbage collection');
  return made;
}

/** @returns {Set<any>} Node's own functions that users meet */
function makeOwn() {
  /** @type {Set<any>} */
  const own = new Set();
  const addAll = (/** @type {any} */ holder, /** @type {number} */ depth) => {
    for (const key of Reflect.ownKeys(holder)) {
      const { value, get } = /** @type {PropertyDescriptor} */ (Reflect.getOwnPropertyDescriptor(holder, key));
      if (get !== undefined) own.add(get);
      if (typeof value !== 'function') continue;
      own.add(value);
      if (depth > 0 && typeof value.prototype === 'object' && value.prototype !== null) addAll(value.prototype, 0);
      if (depth > 0) addAll(value, 0);
    }
  };
  const modules = builtinModules
    .filter((name) => !/^(?:_|trace_|punycode|sys|wasi|(?:node:)?test)/.test(name))
    .map((name) => require(name));
  for (const holder of [process, console, ...modules]) {
    if (typeof holder === 'function') own.add(holder);
    addAll(holder, 1);
  }
  for (const key of NODES_GLOBALS) {
    const value = Reflect.getOwnPropertyDescriptor(globalThis, key)?.value;
    if (typeof value === 'function') own.add(value);
  }
  return own;
}

/** @param {any} value @returns {boolean} whether it is a function of Node's own: what it does is known by name */
function isNodes(value) {
  own ??= makeOwn();
  return own.has(value);
}

/** @param {any} value @returns {string | null} 'Math.random', 'fs.readFileSync' */
function worldOf(value) {
  names ??= makeNames();
  return names.get(value) ?? null;
}

exports.isNodes = isNodes;
exports.worldOf = worldOf;
