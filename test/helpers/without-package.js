'use strict';
/*
 * A package that is not installed. In: its name, and what is to run without it. Out: what that gives; `require` finds no such package until
 * it returns.
 */
const Module = require('node:module');

/** @template T @param {string} name @param {() => T} run @returns {T} */
function withoutPackage(name, run) {
  const loader = /** @type {any} */ (Module);
  const { _load } = loader;
  loader._load = function (/** @type {string} */ request, /** @type {any[]} */ ...rest) {
    if (request === name) throw Object.assign(new Error(`Cannot find module '${name}'`), { code: 'MODULE_NOT_FOUND' });
    return Reflect.apply(_load, this, [request, ...rest]);
  };
  try {
    return run();
  } finally {
    loader._load = _load;
  }
}

exports.withoutPackage = withoutPackage;
