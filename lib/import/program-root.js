'use strict';
/*
 * Where the program's root is: its names and recipes' paths begin there, and the recipe file lies there. In: the main file, the working
 * directory, whether this process was forked. Out: a folder. Who starts a program by a tool (a test runner, a process manager) writes its
 * recipes beside its own package.json, not into the tool's package.
 */
const Module = require('node:module');
const path = require('node:path');
const { realOf } = require('../boot/real-path');
const { workingFolder } = require('../engine');
const { findRecipeFile } = require('../recipe/recipe-file');
const { appRootOf, installedProgram, installedRootOf, packageOf } = require('./module-id');

/** Where npx and `pnpm dlx` keep what they fetch to run it once, for whoever calls them from his program's folder. */
const FETCHED = /[\\/](?:_npx|pnpm[\\/]dlx)[\\/].*[\\/]node_modules[\\/]/;

/**
 * @param {string} mainFile absolute and true
 * @param {string | null} [named] a recipe file, so none is looked for
 * @returns {string} that of the working directory where the main file is a tool installed or fetched for it, or was forked there; else that
 *   of the main file
 * @throws {IgnisError} IGNIS_BAD_RECIPE when there are several recipe files
 */
function programRootOf(mainFile, named) {
  const own = appRootOf(mainFile);
  const here = workingFolder();
  const users = here === undefined ? own : appRootOf(path.join(here, 'any.js'));
  if (!isInstalledFor(users, mainFile) && !FETCHED.test(mainFile) && !isCarrier(mainFile)) return own;
  // `ignis run` was told that the tool is the program, and the paths of its files begin at its package, unless somebody says otherwise
  // beside it.
  const isProgram = installedProgram() !== null && installedProgram() === packageOf(mainFile)?.root;
  return isProgram && (named !== undefined || findRecipeFile(users) === null) ? own : users;
}

/**
 * A process manager that is installed for the whole machine forks a file of its own, which loads the program. Tools that are only on the
 * way to it (npm) are started by a shell.
 *
 * @param {string} mainFile absolute and true @returns {boolean}
 */
function isCarrier(mainFile) {
  return process.channel !== undefined && installedRootOf(mainFile) !== null;
}

/** @param {string} root @param {string} file absolute and true @returns {boolean} whether Node finds it from there below `node_modules` */
function isInstalledFor(root, file) {
  const folders = /** @type {any} */ (Module)._nodeModulePaths(root);
  return folders.some((/** @type {string} */ folder) => {
    const real = realOf(folder);
    return real !== null && file.startsWith(real + path.sep);
  });
}

exports.programRootOf = programRootOf;
