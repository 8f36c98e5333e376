'use strict';
/*
 * Finds error classes of modules at home by name, so that an error thrown in a replica is again one of them. In: exports. Out: classes,
 * also those below a name of the exports (`errors.Bad`, `Parser.Bad`). It must run no getter, except those that merely read a variable, as
 * bundlers write them for every export.
 */
const types = require('node:util/types');
const { IgnisError } = require('../errors');
const { Map, Set, isArray, performance } = require('../engine');
const { exported } = require('../session/exported');

/** A name that was not found below the exports, which may be thousands, is searched for again only after this time. */
const AGAIN_MS = 1000;
/** A module may make classes with ever new names. */
const MOST_MISSED = 1000;

/**
 * @param {() => any[]} modules gives home's copies of the modules
 * @returns {(name: string) => Function | undefined} finds an error class in them
 */
function errorClassesOf(modules) {
  /** @type {Map<string, number>} when, ms */
  const missed = new Map();
  return (name) => {
    if (name === 'IgnisError') return IgnisError;
    const all = modules();
    for (const candidate of all.flatMap((exports) => [exports, ...within(exports)])) if (isErrorClass(candidate, name)) return candidate;
    const now = performance.now();
    if (now < (missed.get(name) ?? -Infinity) + AGAIN_MS) return undefined;
    const deeper = all.flatMap((exports) => within(exports).flatMap((part) => (types.isProxy(part) ? [] : within(part))));
    const found = [...new Set(deeper.filter((candidate) => isErrorClass(candidate, name)))];
    // If two have the same name, nobody knows which one it was.
    if (found.length === 1) return found[0];
    if (missed.size >= MOST_MISSED) missed.clear();
    missed.set(name, now);
    return undefined;
  };
}

/** @param {any} candidate @param {string} name */
function isErrorClass(candidate, name) {
  try {
    return typeof candidate === 'function' && candidate.prototype instanceof Error && candidate.name === name;
  } catch {
    // A Proxy of the module's that does not answer.
    return false;
  }
}

/** @param {any} holder @returns {any[]} values of its plain properties, and of those whose getters may run */
function within(holder) {
  if (holder === null || (typeof holder !== 'object' && typeof holder !== 'function')) return [];
  try {
    if (ArrayBuffer.isView(holder) || isArray(holder)) return [];
    return Object.getOwnPropertyNames(holder).map((name) => exported(holder, name));
  } catch {
    // The same.
    return [];
  }
}

exports.errorClassesOf = errorClassesOf;
