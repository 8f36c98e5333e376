'use strict';
/*
 * The cases of the recipe book. In: a shipped recipe. Out: what is tried and measured (the package, and the file of one's own that the
 * recipe shows), and what its functions are called with, from cases/<file of the recipe>:
 *
 *   functions  name -> sizes, the smallest first: { input: 'in words', args: (module) => [...], callback?: true when a callback comes last }
 *   wrong      [{ function, args }]: calls that throw or reject, by the same error everywhere
 *   mutates    name -> (module) => args of a call that changes the argument its recipe says
 *   setup      name -> { args: (module) => [...], or write: (module) => void, shows: { function, args } whose result it changes, staysHome?: true when no
 *              replica can have it }
 *   ownFile    as functions, for those of the recipe's own file
 */
const { isBuiltin } = require('node:module');
const fs = require('node:fs');
const path = require('node:path');
const { fileNameOf } = require('../../lib/recipe/shipped');
const { installed } = require('./installed');

/**
 * @typedef {(module: any) => any[]} MakeArgs
 * @typedef {{ input: string, args: MakeArgs, callback?: boolean }} Size
 * @typedef {{ function: string, args: MakeArgs }} Wrong
 * @typedef {{ args?: MakeArgs, write?: (module: any) => void, shows: { function: string, args: MakeArgs }, staysHome?: true }} Setting
 * @typedef {object} Cases
 * @property {Record<string, Size[]>} functions
 * @property {Wrong[]} [wrong]
 * @property {Record<string, MakeArgs>} [mutates]
 * @property {Record<string, Setting>} [setup]
 * @property {Record<string, Size[]>} [ownFile]
 *
 * @typedef {{ file: string, recipe: object, functions: Record<string, Size[]>, suffix: string }} Target something that an importer imports
 */

/** @param {{ package: string }} shipped @returns {Cases | null} */
function casesOf(shipped) {
  const file = path.join(__dirname, 'cases', fileNameOf(shipped.package));
  return fs.existsSync(file) ? require(file) : null;
}

/** @param {{ package: string }} shipped @returns {string} what `require` loads: an absolute file name, or a built-in */
const fileOf = ({ package: name }) => (isBuiltin(name) ? name : require.resolve(name, { paths: [installed()] }));

/**
 * @param {import('../../lib/types').ShippedRecipe} shipped
 * @returns {Target[]} the package itself, and the file of one's own
 */
function targetsOf(shipped) {
  const { functions, ownFile } = casesOf(shipped) ?? { functions: {} };
  const targets = [{ file: fileOf(shipped), recipe: shipped.recipe, functions, suffix: '' }];
  if (shipped.ownFile !== undefined && ownFile !== undefined) {
    // Where the packages are found, and nobody else looks.
    const file = path.join(installed(), 'node_modules', '.own', fileNameOf(shipped.package));
    fs.mkdirSync(path.dirname(file), { recursive: true });
    fs.writeFileSync(file, shipped.ownFile);
    targets.push({ file, recipe: { pure: true }, functions: ownFile, suffix: ' (own file)' });
  }
  return targets.filter((target) => Object.keys(target.functions).length > 0);
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
exports.fileOf = fileOf;
exports.functionAt = functionAt;
exports.targetsOf = targetsOf;
