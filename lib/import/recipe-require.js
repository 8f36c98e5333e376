'use strict';

// Gives files a `require` that takes a recipe as second argument: `require('uri-js', { call: 'await' })`. (For a `require` that a program
// makes itself see created-require.js.) In: a module object of Node. Out: a `require` function for it, and the compilation of files that
// use one. Node's own `require` drops the second argument, so such files are compiled here; all others stay on Node's own path. A package
// may pass what it likes to a `require` of its own. Without a hook the recipe is dropped, as Node does.

const Module = require('node:module');
const path = require('node:path');
const vm = require('node:vm');
const { isApplicationFile } = require('./module-id');
const { registerMap } = require('./source-maps');
const { withoutTypes } = require('./strip-types');

/**
 * @typedef {object} Given
 * @property {any} module that requires; null: one made up by `module.createRequire`, which is in no cache
 * @property {string} request
 * @property {unknown} recipe
 */

/** CALL finds a call of `require` up to its arguments. STEP steps through these; a comment or a text, with all in it, is one step. */
const CALL = /\brequire\s*\(/g;
const STEP = /[^()[\]{},'"`/]+|\/\*[^]*?(?:\*\/|$)|\/\/.*|'(?:[^'\\\n]|\\[^])*'|"(?:[^"\\\n]|\\[^])*"|`(?:[^`\\]|\\[^])*(?:`|$)|[^]/gy;
/** Nobody writes a longer first argument, in characters. */
const MOST_LOOKED = 2000;

/** The values of the field `call`. */
const CALLS = Object.freeze(['await', 'block', 'local']);

/** A comment that looks like one does no harm. */
const IMPORTS = /\bimport\s*\(/;

/** What was given at the import that is about to begin. @type {Given | null} */
let given = null;

/**
 * @param {string} content of a file
 * @returns {boolean} whether it may pass a recipe; a comment that looks like it makes it true, which does no harm
 */
function mayPassRecipe(content) {
  if (!content.includes('require')) return false;
  CALL.lastIndex = 0;
  while (CALL.test(content)) if (hasSecond(content, CALL.lastIndex)) return true;
  return false;
}

/**
 * @param {string} content
 * @param {number} from where the arguments of a call begin
 * @returns {boolean} whether there is more than one, as far as one can tell without parsing
 */
function hasSecond(content, from) {
  const text = content.slice(from, from + MOST_LOOKED);
  STEP.lastIndex = 0;
  let depth = 0;
  for (let step = STEP.exec(text)?.[0]; step !== undefined; step = STEP.exec(text)?.[0]) {
    if (step === '(' || step === '[' || step === '{') depth++;
    else if (step === ')' || step === ']' || step === '}') depth--;
    if (depth < 0) return false;
    // A list as the only first argument is an AMD call.
    if (depth === 0 && step === ',') return !/^\s*\[[^\]]*\]\s*,$/.test(text.slice(0, STEP.lastIndex));
  }
  return false;
}

/**
 * @param {string} content of a file
 * @param {unknown} format what Node takes it for; up to Node 20 it does not say
 * @returns {string | null} as JavaScript, at the same lines and columns; null when it is not CommonJS, or in a language that only Node can
 *   read
 */
function commonJsOf(content, format) {
  if (format === undefined || format === null || format === 'commonjs') return content;
  if (format !== 'commonjs-typescript' && format !== 'typescript') return null;
  return withoutTypes(content);
}

/**
 * @param {any} module a CommonJS module object
 * @returns {NodeJS.Require} like the one Node makes for it, but with a second argument
 */
function makeRequire(module) {
  const api = /** @type {any} */ (Module);
  /** @type {any} */
  const require = function require(/** @type {string} */ id, /** @type {unknown} */ recipe) {
    // Through the prototype: others patch `Module.prototype.require` and expect to see every import.
    return withRecipe({ module, request: id, recipe }, () => module.require(id));
  };
  require.resolve = function resolve(/** @type {string} */ request, /** @type {any} */ options) {
    checkRequest(request);
    return api._resolveFilename(request, module, false, options);
  };
  require.resolve.paths = function paths(/** @type {string} */ request) {
    checkRequest(request);
    return api._resolveLookupPaths(request, module);
  };
  require.main = process.mainModule;
  require.extensions = api._extensions;
  require.cache = api._cache;
  return require;
}

/**
 * @param {Given} one
 * @param {() => any} load
 * @returns {any} what `load` returns; its first import by that module under that name is given the recipe, if it is one
 */
function withRecipe(one, load) {
  const before = given;
  given = isRecipe(one.recipe) ? one : null;
  try {
    return load();
  } finally {
    given = before;
  }
}

/**
 * Whether a second argument is a recipe. `names.map(require)`, for one, passes a number: dropped, as Node does. A word of `call` is a slip,
 * and refused like any wrong recipe.
 * @param {unknown} given as a second argument
 */
function isRecipe(given) {
  if (typeof given === 'string') return CALLS.includes(given);
  return typeof given === 'object' && given !== null && !Array.isArray(given);
}

/** @param {unknown} request */
function checkRequest(request) {
  if (typeof request === 'string') return;
  // Let Node check it, for Node's own error.
  Module.createRequire(__filename).resolve(/** @type {any} */ (request));
}

/**
 * @param {any} parent the module that imports
 * @param {string} request
 * @returns {unknown} the recipe given at this very import, only once; undefined when there was none
 */
function takeRecipe(parent, request) {
  if (given === null || given.request !== request || given.module !== moduleOf(parent)) return undefined;
  const { recipe } = given;
  given = null;
  return isApplicationFile(parent?.filename ?? '') ? recipe : undefined;
}

/** @param {any} parent @returns {any} see Given */
function moduleOf(parent) {
  const isMadeUp =
    given?.module === null && typeof parent?.filename === 'string' && /** @type {any} */ (Module)._cache[parent.filename] !== parent;
  return isMadeUp ? null : parent;
}

let isSettled = false;

/**
 * When a file compiled by us uses `import()`, Node warns once that this way is experimental. The program did not ask for that, so the
 * warning is triggered while nobody listens.
 */
function settleWarning() {
  if (isSettled) return;
  isSettled = true;
  const { emitWarning } = process;
  process.emitWarning = () => {};
  try {
    const importModuleDynamically = vm.constants.USE_MAIN_CONTEXT_DEFAULT_LOADER;
    vm.compileFunction("return import('node:path')", [], { importModuleDynamically })().catch(() => {});
  } finally {
    process.emitWarning = emitWarning;
  }
}

/**
 * Compiles a file with our `require`, otherwise as Node does.
 * @param {any} module
 * @param {string} content
 * @param {string} filename absolute
 * @param {Record<string, unknown>} [more] names that the content may use besides those of every module
 * @returns {() => any} runs it
 * @throws {SyntaxError} when the file is not CommonJS; then nothing of it has run
 */
function compile(module, content, filename, more = {}) {
  if (IMPORTS.test(content)) settleWarning();
  registerMap(content, filename);
  const run = vm.compileFunction(content, ['exports', 'require', 'module', '__filename', '__dirname', ...Object.keys(more)], {
    filename,
    importModuleDynamically: vm.constants.USE_MAIN_CONTEXT_DEFAULT_LOADER,
  });
  const own = [module.exports, makeRequire(module), module, filename, path.dirname(filename)];
  return () => Reflect.apply(run, module.exports, [...own, ...Object.values(more)]);
}

/** The last answer of isNodes. @type {{fn: unknown, isNodes: boolean}} */
const asked = { fn: null, isNodes: false };

/**
 * @param {Function} fn found in the place of `require`
 * @returns {boolean} whether it is Node's own: told by its source, since others may have replaced it before us
 */
function isNodes(fn) {
  if (asked.fn !== fn) Object.assign(asked, { fn, isNodes: /\brequireDepth\b/.test(Function.prototype.toString.call(fn)) });
  return asked.isNodes;
}

exports.commonJsOf = commonJsOf;
exports.isNodes = isNodes;
exports.makeRequire = makeRequire;
exports.mayPassRecipe = mayPassRecipe;
exports.takeRecipe = takeRecipe;
exports.withRecipe = withRecipe;
exports.compile = compile;
