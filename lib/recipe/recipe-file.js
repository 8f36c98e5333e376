'use strict';

// The recipe file: which one it is, and what it says.
// In: the program's root, or the name of a file. Out: what the file exports, as its author wrote it; it is checked elsewhere.
// A file that is missing, there twice, or cannot be loaded is an error that names it. Nothing is cached: what is loaded anew is read anew.

const fs = require('node:fs');
const path = require('node:path');
const { pathToFileURL } = require('node:url');
const { isModuleNamespaceObject } = require('node:util/types');
const { IgnisError } = require('../errors.js');

/** @typedef {{file: string, where: string}} RecipeFile absolute; how messages name it */

/** Looked for in the program's root, in this order. */
const FILE_NAMES = Object.freeze(['ignis.config.js', 'ignis.config.cjs', 'ignis.config.mjs', 'ignis.config.json']);

/** How often a file was loaded anew: an ES module is known by its address, so each time has one of its own. */
let times = 0;

/**
 * @param {string} appRoot absolute; where it is looked for
 * @param {string} [named] the file that was named instead, from the working directory; it must exist
 * @returns {RecipeFile | null} null: there is none
 * @throws {IgnisError} IGNIS_BAD_RECIPE when there are several
 */
function findRecipeFile(appRoot, named) {
  if (named !== undefined) return { file: path.resolve(named), where: named };
  const found = FILE_NAMES.filter((name) => fs.existsSync(path.join(appRoot, name)));
  if (found.length > 1)
    throw new IgnisError(
      'IGNIS_BAD_RECIPE',
      `there are ${found.length} recipe files, ${found.join(' and ')}; keep one, or name one with --recipe`,
      { where: appRoot },
    );
  return found.length === 0 ? null : { file: path.join(appRoot, found[0]), where: found[0] };
}

/**
 * @param {RecipeFile} recipeFile
 * @returns {unknown} what it exports
 * @throws {IgnisError} IGNIS_NOT_FOUND; IGNIS_BAD_RECIPE when it cannot be loaded
 */
function loadRecipeFile({ file, where }) {
  if (!fs.existsSync(file)) throw new IgnisError('IGNIS_NOT_FOUND', `the recipe file ${where}`, { path: file });
  try {
    // JSON is read here, since `require` knows it by the extension only.
    return isScript(file) ? defaultOf(requireScript(file)) : JSON.parse(fs.readFileSync(file, 'utf8').replace(/^\uFEFF/, ''));
  } catch (error) {
    throw unloadable(where, error);
  }
}

/**
 * @param {RecipeFile} recipeFile that was loaded before
 * @returns {Promise<unknown>} what it exports now
 * @throws {IgnisError} as loadRecipeFile
 */
async function loadRecipeFileAnew({ file, where }) {
  const loaded = isScript(file) ? require.cache[file]?.exports : undefined;
  const isModule = file.endsWith('.mjs') || isModuleNamespaceObject(loaded);
  if (!isModule) {
    forgetScript(file);
    return loadRecipeFile({ file, where });
  }
  try {
    // Node keeps an ES module for good under its address.
    return defaultOf(await import(`${pathToFileURL(file)}?ignis=${++times}`));
  } catch (error) {
    throw unloadable(where, error);
  }
}

/** @param {string} file */
const isScript = (file) => /\.[cm]?js$/.test(file);

/** @param {string} file @returns {any} */
function requireScript(file) {
  const canRequireModules = /** @type {any} */ (process.features).require_module === true;
  if (!file.endsWith('.mjs') || canRequireModules) return require(file);
  throw new Error('this Node cannot require an ES module; write it as ignis.config.cjs or ignis.config.json');
}

/** @param {any} loaded */
function defaultOf(loaded) {
  const isNamespace = loaded !== null && typeof loaded === 'object' && (loaded.__esModule === true || isModuleNamespaceObject(loaded));
  return isNamespace && loaded.default !== undefined ? loaded.default : loaded;
}

/** @param {string} where @param {unknown} error */
function unloadable(where, error) {
  const why = error instanceof Error ? error.message : String(error);
  return new IgnisError('IGNIS_BAD_RECIPE', `the file ${where} cannot be loaded: ${why}`, { cause: error, where });
}

/** Takes a file out of Node's cache, and what nobody but it required, packages aside. @param {string} file */
function forgetScript(file) {
  const leaving = new Set();
  const visit = (/** @type {NodeJS.Module | undefined} */ one) => {
    if (one === undefined || leaving.has(one)) return;
    leaving.add(one);
    for (const child of one.children) if (!/[\\/]node_modules[\\/]/.test(child.filename)) visit(child);
  };
  visit(require.cache[file]);
  const others = () => Object.values(require.cache).filter((one) => one !== undefined && !leaving.has(one));
  // Whoever stays keeps what it required, and what that required in turn.
  const keep = (/** @type {NodeJS.Module} */ one) => {
    if (one.filename === file || !leaving.delete(one)) return;
    one.children.forEach(keep);
  };
  for (const one of others()) one?.children.forEach(keep);
  for (const one of leaving) delete require.cache[one.filename];
  const own = /** @type {NodeJS.Module} */ (module);
  own.children = own.children.filter((child) => !leaving.has(child));
}

exports.FILE_NAMES = FILE_NAMES;
exports.findRecipeFile = findRecipeFile;
exports.loadRecipeFile = loadRecipeFile;
exports.loadRecipeFileAnew = loadRecipeFileAnew;
