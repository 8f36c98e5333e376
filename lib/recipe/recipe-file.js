'use strict';

// Finds and loads the recipe file. In: the program's root, or the name of a file. Out: what the file exports, as its author wrote it; it is
// checked elsewhere. A file that is missing, ambiguous, or cannot be loaded is an error that names it. Nothing is cached: a file loaded
// anew is read anew.

const fs = require('node:fs');
const { _extensions } = /** @type {any} */ (require('node:module'));
const path = require('node:path');
const { pathToFileURL } = require('node:url');
const { isModuleNamespaceObject } = require('node:util/types');
const { importModule } = require('../boot/import-module');
const { IgnisError } = require('../errors.js');
const { JSON, Object, Set } = require('../engine');

/** @typedef {{file: string, where: string}} RecipeFile file: absolute; where: how messages name it */

/** Searched for in the program's root, in this order. */
const FILE_NAMES = Object.freeze(['ignis.config.js', 'ignis.config.cjs', 'ignis.config.mjs', 'ignis.config.json']);

/** Tried if none of these exists and the program can load TypeScript: a plain file beside a typed one was compiled from it. */
const TYPED_NAMES = Object.freeze(['ignis.config.ts', 'ignis.config.cts', 'ignis.config.mts']);

/** How often a file was loaded anew. Node knows an ES module by its address, so each load needs a new one. */
let times = 0;

/**
 * @param {string} appRoot absolute; where to search
 * @param {string} [named] a file named instead, relative to the working directory, which must exist
 * @returns {RecipeFile | null} null: there is none
 * @throws {IgnisError} IGNIS_BAD_RECIPE when there are several files
 */
function findRecipeFile(appRoot, named) {
  if (named !== undefined) return { file: path.resolve(named), where: named };
  const thereOf = (/** @type {readonly string[]} */ names) => names.filter((name) => isThere(path.join(appRoot, name)));
  const plain = thereOf(FILE_NAMES);
  const found = plain.length > 0 || !readsTypes() ? plain : thereOf(TYPED_NAMES);
  if (found.length > 1)
    throw new IgnisError(
      'IGNIS_BAD_RECIPE',
      `there are ${found.length} recipe files, ${found.join(' and ')}; keep only one, or name one with --recipe`,
      { where: appRoot },
    );
  return found.length === 0 ? null : { file: path.join(appRoot, found[0]), where: found[0] };
}

/** @returns {readonly string[]} the names that a recipe file may have here */
const fileNames = () => (readsTypes() ? [...FILE_NAMES, ...TYPED_NAMES] : FILE_NAMES);

/** @returns {boolean} whether TypeScript can be loaded: by Node itself (22.18 on), or by what was loaded before Ignis (tsx, ts-node) */
const readsTypes = () => Boolean(/** @type {any} */ (process.features).typescript) || _extensions['.ts'] !== undefined;

/**
 * @param {string} file
 * @returns {boolean} false also where Node's `--permission` does not let this program look: it may be allowed some files, but not their
 *   folder
 */
function isThere(file) {
  try {
    return fs.existsSync(file);
  } catch {
    return false;
  }
}

/**
 * @param {RecipeFile} recipeFile
 * @returns {unknown} what it exports
 * @throws {IgnisError} IGNIS_NOT_FOUND; IGNIS_BAD_RECIPE when it cannot be loaded
 */
function loadRecipeFile({ file, where }) {
  if (!fs.existsSync(file)) throw new IgnisError('IGNIS_NOT_FOUND', `the recipe file ${where}`, { path: file });
  try {
    return isScript(file) ? defaultOf(requireScript(fs.realpathSync(file))) : readJson(file);
  } catch (error) {
    throw unloadable(fs.realpathSync(file), where, error);
  }
}

/**
 * @param {RecipeFile} recipeFile that was loaded before
 * @returns {Promise<unknown>} what it exports now
 * @throws {IgnisError} as loadRecipeFile
 */
async function loadRecipeFileAnew({ file, where }) {
  // A link may lead elsewhere now, and Node remembers where it led.
  const real = fs.existsSync(file) ? fs.realpathSync(file) : file;
  if (!/\.m[jt]s$/.test(real) && !isModuleNamespaceObject(require.cache[real]?.exports)) {
    forgetScript(real);
    const before = new Set(Object.keys(require.cache));
    try {
      return loadRecipeFile({ file, where });
    } catch (error) {
      // Otherwise files that it required before it failed would be found unchanged next time.
      for (const name of Object.keys(require.cache)) if (!before.has(name) && !isPackaged(name)) delete require.cache[name];
      throw error;
    }
  }
  try {
    // Node keeps an ES module forever under its address.
    return defaultOf(await importModule(`${pathToFileURL(real)}?ignis=${++times}`));
  } catch (error) {
    throw unloadable(real, where, error);
  }
}

/** @param {string} file */
const isPackaged = (file) => /[\\/]node_modules[\\/]/.test(file);

/** @param {string} file */
const isScript = (file) => /\.[cm]?js$/.test(file) || (/\.[cm]?ts$/.test(file) && readsTypes());

/** Not by `require`, which would recognize JSON only by its extension. @param {string} file @returns {unknown} */
function readJson(file) {
  const text = fs.readFileSync(file, 'utf8').replace(/^\uFEFF/, '');
  try {
    const recipe = JSON.parse(text);
    // Tells editors where the schema of such files is.
    if (typeof recipe?.$schema === 'string') delete recipe.$schema;
    return recipe;
  } catch (error) {
    if (file.endsWith('.json')) throw error;
    const why = /** @type {Error} */ (error).message;
    const ts = /\.[cm]?ts$/.test(file)
      ? '; this Node cannot load TypeScript (Node 22.18 and later can; older ones with tsx or ts-node loaded before Ignis)'
      : '';
    throw new Error(
      `the name of a recipe file must end in .js, .cjs, .mjs or .json, unless it holds JSON, and this file does not (${why})${ts}`,
      { cause: error },
    );
  }
}

/** @param {string} file @returns {any} */
function requireScript(file) {
  const canRequireModules = /** @type {any} */ (process.features).require_module === true;
  if (!/\.m[jt]s$/.test(file) || canRequireModules) return require(file);
  throw new Error('this Node cannot require an ES module; write it as ignis.config.cjs or ignis.config.json');
}

/** @param {any} loaded */
function defaultOf(loaded) {
  const isNamespace = loaded !== null && typeof loaded === 'object' && (loaded.__esModule === true || isModuleNamespaceObject(loaded));
  return isNamespace && loaded.default !== undefined ? loaded.default : loaded;
}

/** @param {string} file not a link @param {string} named how messages name it @param {unknown} error */
function unloadable(file, named, error) {
  // V8 quotes the lines around a mistake, with their line ends.
  const why = fs.statSync(file, { throwIfNoEntry: false })?.isDirectory()
    ? 'it is a folder'
    : `${wordsOf(file, error).replace(/\s*\n\s*/g, ' ')}${hintOf(file, error)}`;
  const line = lineIn(file, error);
  const where = line === undefined ? named : `${named}:${line}`;
  return new IgnisError('IGNIS_BAD_RECIPE', `the file ${where} cannot be loaded: ${why}`, { cause: error, where });
}

/** For Node, the nearest package.json decides what a .js or .ts file is. @param {string} file @param {any} error */
function hintOf(file, error) {
  const isModule = error instanceof SyntaxError && /^(?:Unexpected token 'export'|Cannot use import statement)/.test(error.message);
  return isModule && /\.[jt]s$/.test(file) ? `; name an ES module .m${file.slice(-2)} if its package does not say "type": "module"` : '';
}

/**
 * Node's message without its require stack, which would list files of Ignis as those that required the recipe file.
 * @param {string} file not a link
 * @param {unknown} error
 * @returns {string} what the error says, and which required file it is about, if it is not the recipe file itself
 */
function wordsOf(file, error) {
  const [what, stack = ''] = (error instanceof Error ? error.message : String(error)).split('\nRequire stack:\n');
  const files = stack.split('\n').map((entry) => entry.replace(/^- /, ''));
  return files.indexOf(file) > 0 ? `${what}, which ${files[0]} requires` : what;
}

/**
 * @param {string} file not a link
 * @param {unknown} error that came of it
 * @returns {number | string | undefined} undefined: the stack does not show it
 */
function lineIn(file, error) {
  const stack = error instanceof Error ? String(error.stack) : '';
  for (const address of [file, pathToFileURL(file).href]) {
    // The first matches may be in a sentence that names the file without a line.
    for (const rest of stack.split(address).slice(1)) {
      const [, line] = /^(?:\?ignis=\d+)?:(\d+)/.exec(rest) ?? [];
      if (line !== undefined) return line;
    }
  }
  return error instanceof SyntaxError ? lineOfMistake(file, error.message) : undefined;
}

/** For ES modules and JSON, Node does not give the line. @param {string} file @param {string} message @returns {number | undefined} */
function lineOfMistake(file, message) {
  try {
    const text = fs.readFileSync(file, 'utf8');
    const end = isScript(file) ? undefined : endOfRight(text, message);
    if (end !== undefined) return text.slice(0, end).split('\n').length;
    require('acorn').parse(isScript(file) ? text : `(${text}\n)`, { ecmaVersion: 'latest', sourceType: 'module', allowHashBang: true });
    return undefined;
  } catch (error) {
    return /** @type {any} */ (error).loc?.line;
  }
}

/**
 * @param {string} text of JSON
 * @param {string} message of the error
 * @returns {number | undefined} where the mistake is; undefined: the message does not say
 */
function endOfRight(text, message) {
  if (/^Unexpected end\b/.test(message)) return text.trimEnd().length;
  const [, position] = /\bat position (\d+)/.exec(message) ?? [];
  return position === undefined ? undefined : Number(position);
}

/** Removes a file from Node's cache, with all that only this file required, except packages. @param {string} file */
function forgetScript(file) {
  /** @type {Set<NodeJS.Module>} */
  const leaving = new Set();
  const visit = (/** @type {NodeJS.Module | undefined} */ one) => {
    if (one === undefined || leaving.has(one)) return;
    leaving.add(one);
    for (const child of childrenOf(one)) if (!isPackaged(child.filename)) visit(child);
  };
  visit(require.cache[file]);
  // Files that stay keep what they required, directly and indirectly.
  const keep = (/** @type {NodeJS.Module} */ one) => {
    if (one.filename !== file && leaving.delete(one)) childrenOf(one).forEach(keep);
  };
  // Files of Ignis are in there too, but no enumeration shows them.
  const all = Object.getOwnPropertyNames(require.cache).map((name) => require.cache[name]);
  const staying = all.filter((one) => one !== undefined && !leaving.has(one));
  for (const one of staying) childrenOf(one).forEach(keep);
  for (const one of leaving) delete require.cache[one.filename];
  const own = /** @type {NodeJS.Module} */ (module);
  own.children = own.children.filter((child) => !leaving.has(child));
}

/** Entries that others put into Node's cache may lack `children`. @param {NodeJS.Module | undefined} one @returns {NodeJS.Module[]} */
const childrenOf = (one) => one?.children ?? [];

exports.fileNames = fileNames;
exports.findRecipeFile = findRecipeFile;
exports.loadRecipeFile = loadRecipeFile;
exports.loadRecipeFileAnew = loadRecipeFileAnew;
