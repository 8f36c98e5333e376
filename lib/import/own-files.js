'use strict';
/*
 * The files that are loaded because Ignis is: its own, and what they require. In: Node's cache of modules. Out: their paths, and a warning of others that came first.
 * A program that empties `require.cache`, to load its own files anew, must not take ours away, which we would load a second time then: they stand there where no enumeration shows them.
 */
const Module = require('node:module');
const path = require('node:path');
const { publish } = require('../diagnostics');
const { Set } = require('../engine');
const { isOwn } = require('./watched');

/** A file that a loader has translated may have a `require` without it. @type {Record<string, NodeJS.Module>} */
const cache = /** @type {any} */ (Module)._cache;

const LIB = path.join(__dirname, '..', path.sep);

/** @returns {Set<string>} */
function ownFiles() {
  /** @type {Set<string>} */
  const found = new Set();
  const visit = (/** @type {NodeJS.Module | undefined} */ loaded) => {
    if (loaded === undefined || found.has(loaded.filename)) return;
    found.add(loaded.filename);
    loaded.children.forEach(visit);
  };
  for (const file of Object.getOwnPropertyNames(cache)) if (file.startsWith(LIB)) visit(cache[file]);
  return found;
}

/** Files of Ignis that are loaded, or about to be. */
function hideOwn(files = Object.keys(cache)) {
  for (const file of files) if (isOwn(file) && file in cache) Object.defineProperty(cache, file, { enumerable: false });
}

/**
 * Warns of packages that were loaded before Ignis: their imports cannot be watched.
 *
 * @param {string[]} before files that were
 * @param {(filename: string) => import('../types').ModuleId} identify
 * @param {string} self the file that asks
 * @returns {boolean} whether there was something to say
 */
function tellEarlier(before, identify, self) {
  const own = ownFiles();
  const others = before.filter((file) => !own.has(file));
  const packages = [...new Set(others.map((file) => identify(file).packageName))].filter((name) => name !== null);
  if (packages.length === 0) return false;
  const message = `loaded before Ignis, so their own imports are not watched: ${packages.join(', ')}; require ignis first in ${path.basename(self)}`;
  publish('ignis:warning', { message });
  process.emitWarning(message, { type: 'IgnisWarning', code: 'IGNIS_LATE' });
  return true;
}

exports.hideOwn = hideOwn;
exports.tellEarlier = tellEarlier;
