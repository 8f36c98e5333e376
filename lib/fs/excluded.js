'use strict';
/*
 * What stands in folders of a root, and is Node's own: packages and histories (modes.js). It is in the root alone, on no other copy. In: places of folders. Out: names with their types.
 */
const fs = require('node:fs');
const path = require('node:path');
const { EXCLUDED, STATE } = require('./modes');
const { typeOf } = require('./stat-fields');

const NAMES = EXCLUDED.filter((name) => name !== STATE);

/** @param {{root: string, at: string}} place @returns {[string, number, string][]} as nodes tell entries */
function excludedIn({ root, at }) {
  /** @type {[string, number, string][]} */
  const found = [];
  for (const name of NAMES) {
    const stats = fs.lstatSync(path.join(root, at, name), { throwIfNoEntry: false });
    if (stats !== undefined) found.push([name, typeOf(/** @type {any} */ (stats)), at]);
  }
  return found;
}

/** @param {{root: string, at: string}} place @returns {Generator<any, boolean, any>} steps: whether one stands there where packages would stand, too */
function* isFolder({ root, at }) {
  return (yield* statOf(path.join(root, at)))?.isDirectory() === true;
}

/** @param {{root: string, at: string}} place @returns {Generator<any, boolean, any>} steps: whether anything of that is in it */
function* hasExcluded({ root, at }) {
  for (const name of NAMES) if ((yield* statOf(path.join(root, at, name))) !== null) return true;
  return false;
}

/** @param {string} file @returns {Generator<any, fs.Stats | null, any>} null: what is wrong with it the nodes say */
function* statOf(file) {
  try {
    return yield { plain: 'lstat', args: [file] };
  } catch {
    return null;
  }
}

exports.excludedIn = excludedIn;
exports.hasExcluded = hasExcluded;
exports.isFolder = isFolder;
