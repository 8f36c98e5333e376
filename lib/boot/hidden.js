'use strict';
/*
 * The files of Ignis in Node's cache of modules. If a program, or a module in a replica, empties `require.cache` to load its own files
 * anew, ours must stay, or we would load them twice: they are there, but no enumeration shows them. In: names of files. Out: whether they
 * are ours; they are hidden.
 */
const Module = require('node:module');
const path = require('node:path');

/** The `require` of a file that a loader has translated may lack it. @type {Record<string, NodeJS.Module>} */
const cache = /** @type {any} */ (Module)._cache;

const ROOT = path.resolve(__dirname, '../..');
const OWN_FOLDERS = ['lib', 'bin', 'recipes'].map((folder) => path.join(ROOT, folder) + path.sep);

const MANIFEST = path.join(ROOT, 'package.json');

/** @param {string} filename @returns {boolean} whether it belongs to Ignis */
function isOwn(filename) {
  // Asked several times for each file of a program.
  return filename.startsWith(ROOT) && (filename === MANIFEST || OWN_FOLDERS.some((folder) => filename.startsWith(folder)));
}

/** Hides files of Ignis that are loaded, or about to be. */
function hideOwn(files = Object.keys(cache)) {
  for (const file of files) if (isOwn(file) && file in cache) Object.defineProperty(cache, file, { enumerable: false });
}

exports.hideOwn = hideOwn;
exports.isOwn = isOwn;
