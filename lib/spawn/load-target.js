'use strict';
/*
 * Loads, in a replica, the one module that it is for. In: where the module lies, and the arguments of home. Out: its exports. The module must not be
 * able to tell from its arguments that it runs elsewhere.
 */
const { createRequire, isBuiltin } = require('node:module');
const { isMainThread } = require('node:worker_threads');
const { translateBy } = require('./sources');

/**
 * @typedef {object} Target
 * @property {'file' | 'builtin'} kind
 * @property {string} name what people call it
 * @property {string} place absolute file name, or the name of a built-in
 * @property {string[]} argv home's process.argv from the main file on
 * @property {string[]} [extensions] of files that home translates
 * @property {string} [as] in a replica of several modules: the name that its exports get beside those of the others
 * @property {boolean} [isFresh] it is loaded anew, though it was loaded before
 */

/**
 * @param {Target} target
 * @param {(filename: string) => string | null} [sourceOf] gives what home has made of a file
 * @returns {any} the module's exports
 * @throws {Error} what the module threw; ERR_REQUIRE_ESM or ERR_REQUIRE_ASYNC_MODULE when only `import()` can load it
 */
function requireTarget(target, sourceOf) {
  if (isMainThread) {
    process.argv.splice(1, process.argv.length, ...target.argv);
    process.title = `ignis replica of ${target.name}`;
  }
  if (target.kind === 'builtin') {
    if (!isBuiltin(target.place)) throw new Error(`there is no built-in module '${target.place}'`);
    return require(target.place);
  }
  if (sourceOf !== undefined && target.extensions !== undefined) translateBy(target.extensions, sourceOf);
  const require_ = createRequire(target.place);
  if (target.isFresh) delete require_.cache[target.place];
  return require_(target.place);
}

exports.requireTarget = requireTarget;
