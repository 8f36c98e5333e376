'use strict';
/*
 * Loads, in a replica, the module that it serves. In: where the module is, and the arguments of home. Out: its exports. The module must not
 * be able to tell from its arguments that it runs elsewhere.
 */
const { createRequire, isBuiltin } = require('node:module');
const { basename } = require('node:path');
const { isMainThread } = require('../engine');
const { pathToFileURL } = require('node:url');
const { hideOwn } = require('../boot/hidden');
const { importModule } = require('../boot/import-module');
const { loadLate, takeLate } = require('./late-modules');
const { findBy } = require('./resolver');
const { translateBy } = require('./sources');
const { catchUp } = require('./surroundings');

/**
 * @typedef {object} Target
 * @property {'file' | 'builtin'} kind
 * @property {string} name what people call it
 * @property {string} place absolute file name, or name of a built-in
 * @property {string} [cwd] home's current directory
 * @property {Record<string, string | null>} [env] variables of home that have changed; null: gone
 * @property {string[]} [extensions] of files that home translates
 * @property {boolean} [isFoundAtHome] home finds modules with a function of its own
 * @property {string} [as] in a replica of several modules: the name of its exports among the others
 * @property {import('./insides').Told} [nested] Ignis is active in the replica, with this from home
 * @property {boolean} [isEsModule] it is imported, not required: only so do import hooks see it, the program's and ours
 * @property {boolean} [isFresh] it is loaded anew, even if it was loaded before
 * @property {boolean} [mayWait] home imports it: its top may wait
 * @property {boolean} [isWhole] its namespace is wanted, which `require` does not give
 */

/**
 * @param {Target} target
 * @param {(what: string, ...more: any[]) => any} [home] gives what home has made of a file: `home('source', filename)`
 * @returns {any} the module's exports
 * @throws {Error} what the module threw; ERR_REQUIRE_ESM or ERR_REQUIRE_ASYNC_MODULE when only `import()` can load it
 */
function requireTarget(target, home) {
  beginWith(target, home);
  if (target.kind === 'builtin') {
    if (!isBuiltin(target.place)) throw new Error(`there is no built-in module '${target.place}'`);
    return require(target.place);
  }
  const main = process.mainModule;
  const require_ = createRequire(target.place);
  if (target.isFresh) forget(require_.cache, target.place, main);
  // Its parent is the program's main file, if that can be one.
  return main === undefined ? require_(target.place) : main.require(target.place);
}

/**
 * A parent keeps what it loaded in `module.children`. At home, home takes care of that; here nobody else does.
 *
 * @param {NodeJS.Dict<NodeModule>} cache
 * @param {string} file
 * @param {NodeModule | undefined} main its parent
 */
function forget(cache, file, main) {
  const old = cache[file];
  delete cache[file];
  const place = old === undefined ? -1 : (main?.children.indexOf(old) ?? -1);
  if (place >= 0) main?.children.splice(place, 1);
}

/** @param {Target} target @param {any} error of requireTarget @returns {boolean} whether `import()` can load it */
function isToImport({ kind }, error) {
  return kind === 'file' && (error?.code === 'ERR_REQUIRE_ESM' || error?.code === 'ERR_REQUIRE_ASYNC_MODULE');
}

/** @param {Target} target @returns {Promise<any>} the module's exports */
function importTarget({ place }) {
  return importModule(pathToFileURL(place).href);
}

/**
 * @param {Target} target
 * @param {(what: string, ...more: any[]) => any} [home]
 * @returns {any} the module's exports; undefined if home was told that it has to wait for them (late-modules.js)
 * @throws {Error} what the module threw
 */
function loadResident(target, home) {
  const late = takeLate(target.name);
  if (late !== null) return late();
  if (target.isEsModule && target.mayWait && home !== undefined) {
    beginWith(target, home);
    return loadLate(target.name, () => importTarget(target), home);
  }
  try {
    const exports = requireTarget(target, home);
    if (!target.isWhole || !target.mayWait || home === undefined) return exports;
  } catch (error) {
    if (home === undefined || !target.mayWait || !isToImport(target, error)) throw error;
  }
  return loadLate(target.name, () => importTarget(target), home);
}

/** Done before it is loaded. @param {Target} target @param {(what: string, ...more: any[]) => any} [home] */
function beginWith(target, home) {
  hideOwn();
  if (isMainThread) process.title = titleOf(target);
  catchUp(target);
  if (home !== undefined && target.extensions?.length) translateBy(target.extensions, (filename) => home('source', filename));
  if (home !== undefined && target.isFoundAtHome) findBy((...asked) => home('found', ...asked));
}

/** The title that `ps`, `top` and profilers show. @param {Target} target @returns {string} */
function titleOf({ name }) {
  return `ignis: ${name} (of ${basename(process.argv[1] ?? 'node')})`;
}

exports.beginWith = beginWith;
exports.importTarget = importTarget;
exports.isToImport = isToImport;
exports.loadResident = loadResident;
exports.requireTarget = requireTarget;
