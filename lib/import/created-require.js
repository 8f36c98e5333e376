'use strict';
/*
 * Lets a `require` that a program makes itself (`module.createRequire`) take recipes, like that of a CommonJS file. Mostly ES modules make
 * one, since they have none. In: Node's `createRequire`. Out: one whose functions take a recipe. The patch is made once a process and
 * stays; it does what Node's function does while nobody takes recipes.
 */
const Module = require('node:module');
const { imitate } = require('../wrap/imitate');
const { withRecipe } = require('./recipe-require');

const api = /** @type {any} */ (Module);

let isPatched = false;

/** Call it before names of built-ins are made known to ES modules (built-in-names.js). Idempotent. */
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
