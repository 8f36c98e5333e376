'use strict';
/*
 * One environment for home and the processes in which its modules live: threads share theirs, processes do not. In: how to tell the other
 * side. Out: `process.env` of this thread, in which each change is told at once and reading costs what it costs; changes that the other
 * side told. A program that puts another object in the place of `process.env` has its own from then on.
 */
const engine = require('../engine');

const { Object, Proxy, Reflect, Set } = engine;

/** @typedef {(name: string, value: string | null) => void} Tell null: it was deleted */

/** @type {Set<Tell>} */
const listeners = new Set();
/** @type {any} the engine's own, while it is watched */
let original = null;
/** @type {any} */
let watched = null;
/** Node's own `process.loadEnvFile`, which writes past every Proxy; undefined where there is none. @type {any} */
let load;

/** @param {PropertyKey} name @param {Tell} [source] need not be told */
function changed(name, source) {
  // Who kept `process.env` may still write to it when nobody watches any more.
  if (typeof name !== 'string' || original === null) return;
  const value = original[name] ?? null;
  for (const tell of listeners) if (tell !== source) tell(name, value);
}

/** @type {ProxyHandler<any>} */
const HANDLER = {
  set(target, name, value) {
    const isDone = Reflect.set(target, name, value);
    changed(name);
    return isDone;
  },
  defineProperty(target, name, property) {
    const isDone = Reflect.defineProperty(target, name, property);
    changed(name);
    return isDone;
  },
  deleteProperty(target, name) {
    const isDone = Reflect.deleteProperty(target, name);
    changed(name);
    return isDone;
  },
};

/** In the place of Node's. */
const { loadEnvFile } = {
  loadEnvFile(/** @type {any[]} */ ...args) {
    const before = new Set(Object.keys(original ?? {}));
    try {
      return Reflect.apply(load, process, args);
    } finally {
      // It leaves alone what is there.
      for (const name of Object.keys(original ?? {})) if (!before.has(name)) changed(name);
    }
  },
};

/**
 * @param {Tell} tell hears of changes from now on
 * @returns {{take: (name: any, value: any) => void, leave: () => void}} `take`: the other side has changed it
 */
function shareEnvironment(tell) {
  if (listeners.size === 0) {
    original = process.env;
    process.env = watched = new Proxy(original, HANDLER);
    load ??= process.loadEnvFile;
    if (load !== undefined && process.loadEnvFile === load) process.loadEnvFile = loadEnvFile;
  }
  listeners.add(tell);
  return {
    take(name, value) {
      if (!listeners.has(tell)) return;
      if (value === null) delete original[String(name)];
      else original[String(name)] = String(value);
      changed(String(name), tell);
    },
    leave() {
      if (!listeners.delete(tell) || listeners.size > 0) return;
      if (process.env === watched) process.env = original;
      if (process.loadEnvFile === loadEnvFile) process.loadEnvFile = load;
      original = watched = null;
    },
  };
}

exports.shareEnvironment = shareEnvironment;
