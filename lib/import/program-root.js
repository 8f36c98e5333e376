'use strict';
/*
 * Finds the program's root: names and paths of recipes start there, and the recipe file lies there. In: the main file, the working
 * directory, whether this process was forked. Out: a folder. If a tool (a test runner, a process manager) starts the program, its recipes
 * are beside its own package.json, not in the tool's package.
 */
const Module = require('node:module');
const path = require('node:path');
const { realOf } = require('../boot/real-path');
const { workingFolder } = require('../engine');
const { findRecipeFile } = require('../recipe/recipe-file');
const { appRootOf, installedProgram, installedRootOf, packageOf } = require('./module-id');

/** Where npx and `pnpm dlx` keep packages that they fetch to run once, called from a program's folder. */
const FETCHED = /[\\/](?:_npx|pnpm[\\/]dlx)[\\/].*[\\/]node_modules[\\/]/;

/**
 * @param {string} mainFile absolute, with links resolved
 * @param {string | null} [named] a recipe file, so there is no search for one
 * @returns {string} the root of the working directory if the main file is a tool that was installed or fetched for it, or forked there;
 *   else the root of the main file
 * @throws {IgnisError} IGNIS_BAD_RECIPE when there are several recipe files
 */
function programRootOf(mainFile, named) {
  const own = appRootOf(mainFile);
  const here = workingFolder();
  const users = here === undefined ? own : appRootOf(path.join(here, 'any.js'));
  if (!isInstalledFor(users, mainFile) && !FETCHED.test(mainFile) && !isCarrier(mainFile)) return own;
  // `ignis run` was told that the tool is the program: paths of files then start at its package, unless the root of the working directory
  // has a recipe file.
  const isProgram = installedProgram() !== null && installedProgram() === packageOf(mainFile)?.root;
  return isProgram && (named !== undefined || findRecipeFile(users) === null) ? own : users;
}

/**
 * A process manager installed for the whole machine forks a file of its own, which then loads the program. Tools that merely lead there
 * (npm) start by a shell.
 * @param {string} mainFile absolute, with links resolved
 * @returns {boolean}
 */
function isCarrier(mainFile) {
  return process.channel !== undefined && installedRootOf(mainFile) !== null;
}

/** @param {string} root @param {string} file absolute, with links resolved @returns {boolean} whether it is in a `node_modules` there */
function isInstalledFor(root, file) {
  const folders = /** @type {any} */ (Module)._nodeModulePaths(root);
  return folders.some((/** @type {string} */ folder) => {
    const real = realOf(folder);
    return real !== null && file.startsWith(real + path.sep);
  });
}

exports.programRootOf = programRootOf;
