'use strict';
/*
 * `require` as a program makes it for a file, by `module.createRequire`: mostly in ES modules, which have none. In: Node's own. Out: one
 * that makes functions that take a recipe, as the `require` of a CommonJS file does. What stands in the place of Node's function stays
 * there: it is patched once for each process, and does what Node's does while nobody takes recipes.
 */
const Module = require('node:module');
const { imitate } = require('../wrap/imitate');
const { withRecipe } = require('./recipe-require');

const api = /** @type {any} */ (Module);

let isPatched = false;

/** To be called before names of built-ins are made known to ES modules (built-in-names.js). Idempotent. */
function patchCreateRequire() {
  if (isPatched) return;
  isPatched = true;
  const before = api.createRequire;
  api.createRequire = imitate(
    /** @this {any} */ function () {
      return takingRecipes(Reflect.apply(before, this, arguments));
    },
    before,
  );
}

/** @param {NodeJS.Require} made @returns {NodeJS.Require} */
function takingRecipes(made) {
  const require = /** @this {any} */ function (/** @type {string} */ id, /** @type {unknown} */ recipe) {
    return withRecipe({ module: null, request: id, recipe }, () => Reflect.apply(made, this, arguments));
  };
  return /** @type {any} */ (Object.defineProperties(require, Object.getOwnPropertyDescriptors(made)));
}

exports.patchCreateRequire = patchCreateRequire;
