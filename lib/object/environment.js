'use strict';
/*
 * One environment for home and its processes with resident modules: threads share theirs, processes do not. In: how to tell the other side.
 * Out: a `process.env` for this thread that tells each change at once, while reading stays as fast as ever; changes told by the other side
 * are made. A program that replaces `process.env` has its own from then on.
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
/** Node's own `process.loadEnvFile`, which writes past every Proxy; undefined if there is none. @type {any} */
let load;

/** @param {PropertyKey} name @param {Tell} [source] the side that made the change; it need not be told */
function changed(name, source) {
  // Code that kept `process.env` may still write to it when nobody watches any more.
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

/** In place of Node's. */
const { loadEnvFile } = {
  loadEnvFile(/** @type {any[]} */ ...args) {
    const before = new Set(Object.keys(original ?? {}));
    try {
      return Reflect.apply(load, process, args);
    } finally {
      // It does not overwrite existing variables.
      for (const name of Object.keys(original ?? {})) if (!before.has(name)) changed(name);
    }
  },
};

/**
 * @param {Tell} tell called for changes from now on
 * @returns {{take: (name: any, value: any) => void, leave: () => void}} `take`: makes a change of the other side
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
