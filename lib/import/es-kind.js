'use strict';
/*
 * Tells which files are ES modules before Node has said so, and which are the program's own. In: names of files. Out: the answer, from the
 * name, the nearest package.json, and, for the program's entry, its text. It changes nothing.
 */
const fs = require('node:fs');
const path = require('node:path');
const { realOf } = require('../boot/real-path');
const { findProgram, isApplicationFile, packageOf } = require('./module-id');

/** At the beginning of a line, or behind another statement or a comment, as minifiers and banners write it. */
const STATIC_IMPORT = /^\s*(?:import|export)\b|(?:[;}]|\*\/)\s*(?:import|export)(?:\s*[{*"']|\s+[\w$])/m;

/** @param {string | undefined} file the program's entry @returns {boolean} when in doubt, true */
function mayBeEsModule(file) {
  if (file === undefined) return true;
  let filename;
  try {
    filename = findProgram(path.resolve(file));
  } catch {
    return true;
  }
  const extension = path.extname(filename);
  if (extension === '.cjs') return false;
  const isModule = /^\.(?:m[jt]s|wasm)$/.test(extension) || Boolean(/** @type {any} */ (process.features).typescript);
  if (extension !== '.js' && extension !== '' && isModule) return true;
  const type = typeOf(packageOf(filename)?.root);
  // Node treats an unknown kind of file (`ts-node/register`) as an ES module only in a package of these.
  if (extension !== '.js' && extension !== '') return type === 'module';
  if (type !== undefined) return type === 'module';
  return STATIC_IMPORT.test(fs.readFileSync(filename, 'utf8'));
}

/** @param {string} filename @returns {boolean} whether it belongs to the program, or to the package that runs it (a test runner) */
function isProgramsOwn(filename) {
  if (isApplicationFile(filename)) return true;
  const main = process.argv[1];
  return main !== undefined && packageOf(filename)?.root === packageOf(realOf(main) ?? main)?.root;
}

/** @param {string | undefined} root of a package @returns {unknown} the field `type` of its package.json */
function typeOf(root) {
  if (root === undefined) return undefined;
  try {
    return JSON.parse(fs.readFileSync(path.join(root, 'package.json'), 'utf8')).type;
  } catch {
    return undefined;
  }
}

/** @param {string} filename absolute @returns {boolean} judged by its name and package alone; if neither says, CommonJS */
function isEsModule(filename) {
  const extension = path.extname(filename);
  return extension === '.mjs' || (extension === '.js' && typeOf(packageOf(filename)?.root) === 'module');
}

exports.isEsModule = isEsModule;
exports.isProgramsOwn = isProgramsOwn;
exports.mayBeEsModule = mayBeEsModule;
