'use strict';

// Finds the recipes that Ignis ships, one file a package in recipes/. In: a ModuleId. Out: its recipe if that file of the package was
// examined in that version, else null. A shipped recipe states facts (pure, state, setup, cold), and must never say that a module may be
// distributed. It holds for what the package's name loads, and for the files it names: another file may export another `parse`.

const fs = require('node:fs');
const path = require('node:path');
const { Map, Object } = require('../engine');

/** @typedef {import('../types').ModuleId} ModuleId */
/** @typedef {import('../types').ShippedRecipe} ShippedRecipe */

const FOLDER = path.join(__dirname, '..', '..', 'recipes');

/** @type {Map<string, ShippedRecipe[]>} by package: recipes for it and for single files of it, once loaded */
const found = new Map();
/** @type {string[] | null} file names in the folder, sorted; read once */
let names = null;

/**
 * @param {string} name 'uri-js', 'node:crypto', '@scope/name', 'csv-parse/sync'
 * @returns {string} 'uri-js.js', 'node-crypto.js', '@scope+name.js', 'csv-parse+sync.js'
 */
function fileNameOf(name) {
  return `${name.replace(/^node:/, 'node-').replaceAll('/', '+')}.js`;
}

function fileNames() {
  names ??= fs
    .readdirSync(FOLDER)
    .filter((file) => file.endsWith('.js'))
    .sort();
  return names;
}

/**
 * @param {string} name of a package or built-in
 * @returns {ShippedRecipe[]}
 */
function load(name) {
  let recipes = found.get(name);
  if (recipes === undefined) {
    const own = fileNameOf(name);
    const below = fileNameOf(`${name}/`).slice(0, -'.js'.length);
    try {
      recipes = fileNames()
        .filter((file) => file === own || file.startsWith(below))
        .map((file) => require(path.join(FOLDER, file)));
    } catch {
      // An installation that is being replaced under a running program (`npm ci`), or no free descriptors: the program's imports must not
      // fail because of that, and nothing that these recipes could forbid can start then.
      return [];
    }
    found.set(name, recipes);
  }
  return recipes;
}

/**
 * @param {readonly string[]} versions by their beginning: '2', '2.1', '2.1.1'
 * @param {string | null} version
 * @returns {boolean}
 */
function covers(versions, version) {
  return version !== null && versions.some((start) => version === start || version.startsWith(`${start}.`));
}

/**
 * @param {ShippedRecipe} shipped
 * @param {ModuleId} module of the same package
 * @returns {boolean} whether the recipe was written for that file of the package
 */
function isFor(shipped, { packageName, inside }) {
  return (inside === '' && shipped.package === packageName) || shipped.files?.includes(inside) === true;
}

/**
 * @param {ModuleId} module
 * @returns {(ShippedRecipe & { where: string }) | null}
 */
function findShipped(module) {
  if (module.kind === 'file') return null;
  const candidates = load(module.packageName ?? module.name);
  const shipped =
    module.kind === 'builtin'
      ? candidates.find((candidate) => candidate.package === module.name)
      : candidates.find((candidate) => covers(candidate.versions, module.version) && isFor(candidate, module));
  return shipped === undefined ? null : { ...shipped, where: `recipes/${fileNameOf(shipped.package)} of Ignis` };
}

/** @returns {ShippedRecipe[]} all of them, by the name of their file */
function allShipped() {
  return fileNames().map((file) => require(path.join(FOLDER, file)));
}

/**
 * @param {ShippedRecipe} shipped
 * @returns {string[]} the functions it declares pure, by their path in the exports
 */
function pureFunctions({ recipe }) {
  return Object.keys(recipe.functions ?? {}).filter((name) => recipe.functions?.[name].pure === true);
}

/**
 * @param {import('../types').ModuleId} module
 * @returns {{evidence: string, pure: string[], cold: boolean} | null} what is known about it, for proposals of a recipe
 */
function toldOf(module) {
  const found = findShipped(module);
  return found === null ? null : { evidence: found.evidence, pure: pureFunctions(found), cold: found.recipe.cold === true };
}

exports.allShipped = allShipped;
exports.fileNameOf = fileNameOf;
exports.findShipped = findShipped;
exports.pureFunctions = pureFunctions;
exports.toldOf = toldOf;
