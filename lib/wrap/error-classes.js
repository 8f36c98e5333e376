'use strict';
/*
 * The error classes of a module at home, by name: an error that a replica throws is one of them again. In: exports. Out: classes. It runs no getter.
 */
const { IgnisError } = require('../errors');

/**
 * @param {any} exports home's own copy of a module
 * @returns {(name: string) => Function | undefined} finds an error class in it
 */
function errorClassesOf(exports) {
  return (name) => {
    if (name === 'IgnisError') return IgnisError;
    for (const candidate of [exports, ...shallow(exports)]) {
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
