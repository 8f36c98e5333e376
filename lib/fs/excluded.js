'use strict';
/*
 * What folders of a root contain that is Node's own: packages and histories (modes.js). Only the root has it, no other copy. In: places of
 * folders. Out: names with their types.
 */
const fs = require('node:fs');
const path = require('node:path');
const { EXCLUDED, STATE } = require('./modes');
const { FOLDER, typeOf } = require('./stat-fields');

const NAMES = EXCLUDED.filter((name) => name !== STATE);

/** @param {{root: string, at: string}} place @returns {[string, number, string][]} as nodes describe entries */
function excludedIn({ root, at }) {
  /** @type {[string, number, string][]} */
  const found = [];
  for (const name of NAMES) {
    const stats = fs.lstatSync(path.join(root, at, name), { throwIfNoEntry: false });
    if (stats !== undefined) found.push([name, typeOf(/** @type {any} */ (stats)), at]);
  }
  return found;
}

/**
 * @param {{root: string, at: string}} place
 * @param {[string, number, string][]} entries of it, at any depth
 * @returns {Generator<any, [string, number, string][], any>} steps: those of all its folders, with all that is in them
 */
function* excludedBelow({ root, at }, entries) {
  const folders = entries.filter(([, type]) => type === FOLDER).map(([name, , parent]) => path.join(parent, name));
  const found = [at, ...folders].flatMap((folder) => excludedIn({ root, at: folder.replace(/[/\\]$/, '') }));
  for (const [name, type, parent] of [...found]) {
    if (type !== FOLDER) continue;
    const inside = yield { plain: 'readdir', args: [path.join(root, parent, name), { recursive: true, withFileTypes: true }] };
    for (const entry of inside) found.push([entry.name, typeOf(entry), path.relative(root, entry.parentPath)]);
  }
  return found;
}

/**
 * @param {{root: string, at: string}} place
 * @returns {Generator<any, boolean, any>} steps: whether there is a folder where packages would be too
 */
function* isFolder({ root, at }) {
  return (yield* statOf(path.join(root, at)))?.isDirectory() === true;
}

/** @param {{root: string, at: string}} place @returns {Generator<any, boolean, any>} steps: whether it contains anything of this kind */
function* hasExcluded({ root, at }) {
  for (const name of NAMES) if ((yield* statOf(path.join(root, at, name))) !== null) return true;
  return false;
}

/** @param {string} file @returns {Generator<any, fs.Stats | null, any>} null: the nodes say what is wrong with it */
function* statOf(file) {
  try {
    return yield { plain: 'lstat', args: [file] };
  } catch {
    return null;
  }
}

exports.excludedBelow = excludedBelow;
exports.excludedIn = excludedIn;
exports.hasExcluded = hasExcluded;
exports.isFolder = isFolder;
