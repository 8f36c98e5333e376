'use strict';
/*
 * The error classes of modules at home, by name: an error that a replica throws is one of them again. In: exports. Out: classes. It runs no getter.
 */
const { IgnisError } = require('../errors');

/**
 * @param {() => any[]} modules gives home's own copies of them
 * @returns {(name: string) => Function | undefined} finds an error class in them
 */
function errorClassesOf(modules) {
  return (name) => {
    if (name === 'IgnisError') return IgnisError;
    for (const candidate of modules().flatMap((exports) => [exports, ...shallow(exports)])) {
      if (typeof candidate === 'function' && candidate.name === name && candidate.prototype instanceof Error) return candidate;
    }
    return undefined;
  };
}

/** @param {any} exports @returns {any[]} values of its plain properties; getters are not run */
function shallow(exports) {
  if (exports === null || (typeof exports !== 'object' && typeof exports !== 'function')) return [];
  return Object.values(Object.getOwnPropertyDescriptors(exports)).map((descriptor) => descriptor.value);
}

exports.errorClassesOf = errorClassesOf;
