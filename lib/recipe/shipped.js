'use strict';

// The recipes that Ignis ships, one file a package in recipes/.
// In: a ModuleId. Out: its recipe if the package was examined in that version, else null.
// A shipped recipe says what is so (pure, state, cold) and never that a module may be distributed.

const fs = require('node:fs');
const path = require('node:path');

/** @typedef {import('../types').ModuleId} ModuleId */
/** @typedef {import('../types').ShippedRecipe} ShippedRecipe */

const FOLDER = path.join(__dirname, '..', '..', 'recipes');

/** @type {Map<string, ShippedRecipe | null>} package to what was found, once looked for */
const found = new Map();

/**
 * @param {string} name 'uri-js', 'node:crypto', '@scope/name'
 * @returns {string} 'uri-js.js', 'node-crypto.js', '@scope+name.js'
 */
function fileNameOf(name) {
  return `${name.replace(/^node:/, 'node-').replaceAll('/', '+')}.js`;
}

/**
 * @param {string} name
 * @returns {ShippedRecipe | null}
 */
function load(name) {
  let shipped = found.get(name);
  if (shipped === undefined) {
    const file = path.join(FOLDER, fileNameOf(name));
    shipped = fs.existsSync(file) ? /** @type {ShippedRecipe} */ (require(file)) : null;
    found.set(name, shipped);
  }
  return shipped;
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
 * @param {ModuleId} module
 * @returns {(ShippedRecipe & { where: string }) | null}
 */
function findShipped(module) {
  if (module.kind === 'file') return null;
  const name = module.kind === 'builtin' ? module.name : (module.packageName ?? module.name);
  const shipped = load(name);
  if (shipped === null || (module.kind === 'package' && !covers(shipped.versions, module.version))) return null;
  return { ...shipped, where: `recipes/${fileNameOf(name)} of Ignis` };
}

/** @returns {ShippedRecipe[]} all of them, by the name of their file */
function allShipped() {
  return fs
    .readdirSync(FOLDER)
    .filter((file) => file.endsWith('.js'))
    .sort()
    .map((file) => require(path.join(FOLDER, file)));
}

exports.allShipped = allShipped;
exports.fileNameOf = fileNameOf;
exports.findShipped = findShipped;
