'use strict';
/*
 * The files of Ignis in Node's cache of modules. A program, or a module in a replica, that empties `require.cache` to load its own files
 * anew must not take ours away, which we would load a second time then: they stand there where no enumeration shows them. In: names of
 * files. Out: whether they are ours, and them hidden.
 */
const Module = require('node:module');
const path = require('node:path');

/** A file that a loader has translated may have a `require` without it. @type {Record<string, NodeJS.Module>} */
const cache = /** @type {any} */ (Module)._cache;

const ROOT = path.resolve(__dirname, '../..');
const OWN_FOLDERS = ['lib', 'bin', 'recipes'].map((folder) => path.join(ROOT, folder) + path.sep);

const MANIFEST = path.join(ROOT, 'package.json');

/** @param {string} filename @returns {boolean} whether it is a part of Ignis */
function isOwn(filename) {
  // Asked of each file of a program, some times over.
  return filename.startsWith(ROOT) && (filename === MANIFEST || OWN_FOLDERS.some((folder) => filename.startsWith(folder)));
}

/** Files of Ignis that are loaded, or about to be. */
function hideOwn(files = Object.keys(cache)) {
  for (const file of files) if (isOwn(file) && file in cache) Object.defineProperty(cache, file, { enumerable: false });
}

exports.hideOwn = hideOwn;
exports.isOwn = isOwn;
