'use strict';
/*
 * The cases of the recipe book. In: a shipped recipe. Out: what its functions are called with, from cases/<file of the recipe>:
 *
 *   functions  name -> sizes, the smallest first: { input: 'in words', args: (module) => [...], callback?: true when a callback comes last }
 *   wrong      [{ function, args }]: calls that throw or reject, by the same error everywhere
 *   mutates    name -> (module) => args of a call that changes the argument its recipe says
 *   setup      name -> { args: (module) => [...], shows: { function, args } } whose result it changes
 *   says       what a program may say of the package besides, as its evidence has it
 *   wrap       the same again for the file in the recipe's wrap: { functions, wrong }, with begin: [{ function, args }], called before all others, and
 *              before: async () => void, which makes what the arguments need
 */
const fs = require('node:fs');
const path = require('node:path');
const { fileNameOf } = require('../../lib/recipe/shipped');

/**
 * @typedef {(module: any) => any[]} MakeArgs
 * @typedef {{ input: string, args: MakeArgs, callback?: boolean }} Size
 * @typedef {{ function: string, args: MakeArgs }} Wrong
 * @typedef {{ args: MakeArgs, shows: { function: string, args: MakeArgs } }} Setting
 * @typedef {{ functions: Record<string, Size[]>, wrong?: Wrong[], mutates?: Record<string, MakeArgs>, setup?: Record<string, Setting> }} Given
 * @typedef {Given & { says?: import('../../lib/types').Recipe, wrap?: Given & { begin?: Wrong[], before?: () => Promise<void> } }} Cases
 */

/** @param {{ package: string }} shipped @returns {Cases | null} */
function casesOf(shipped) {
  const file = path.join(__dirname, 'cases', fileNameOf(shipped.package));
  return fs.existsSync(file) ? require(file) : null;
}

/** @param {{ package: string, recipe: import('../../lib/types').Recipe }} shipped @returns {import('../../lib/types').Recipe} with what a program may say besides */
function toldOf(shipped) {
  return { ...shipped.recipe, ...casesOf(shipped)?.says };
}

/** @param {any} exported @param {string} name 'parse', 'secretbox.open' @returns {{ fn: any, self: any }} as it is called */
function functionAt(exported, name) {
  let self;
  let fn = exported;
  for (const key of name === '' ? [] : name.split('.')) [self, fn] = [fn, fn[key]];
  return { fn, self };
}

/**
 * @param {any} exported of the package, or what an importer gets for it
 * @param {string} name
 * @param {any[]} args
 * @param {boolean} [isCallback]
 * @returns {any} the result, or a promise for it
 */
function callOf(exported, name, args, isCallback = false) {
  const { fn, self } = functionAt(exported, name);
  if (!isCallback) return Reflect.apply(fn, self, args);
  return new Promise((resolve, reject) => {
    Reflect.apply(fn, self, [...args, (/** @type {any} */ error, /** @type {any} */ value) => (error ? reject(error) : resolve(value))]);
  });
}

exports.callOf = callOf;
exports.casesOf = casesOf;
exports.functionAt = functionAt;
exports.toldOf = toldOf;
