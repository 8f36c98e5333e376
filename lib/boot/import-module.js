'use strict';
/*
 * `import()` for all of Ignis. In: an address. Out: a promise of the namespace. This file alone is loaded by Node itself, for which it must
 * not be among those that `own-require.js` loads: code that was kept has lost who may import (V8 before 12, Node 20).
 */

/** @param {string} address absolute @returns {Promise<any>} */
function importModule(address) {
  return import(address);
}

exports.importModule = importModule;
