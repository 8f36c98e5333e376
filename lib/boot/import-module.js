'use strict';
/*
 * `import()` for all of Ignis. In: an address. Out: a promise of the namespace. Node itself must load this file, so `own-require.js` leaves
 * it out: in code from a cache, `import()` no longer works (V8 before 12, Node 20).
 */

/** @param {string} address absolute @returns {Promise<any>} */
function importModule(address) {
  return import(address);
}

exports.importModule = importModule;
