'use strict';
/*
 * Lists the files that are loaded because of Ignis: its own, and what they require. In: Node's cache of modules. Out: their paths, and a
 * warning about other files that came first.
 */
const fs = require('node:fs');
const Module = require('node:module');
const path = require('node:path');
const { fileURLToPath, pathToFileURL } = require('node:url');
const { publish } = require('../diagnostics');
const { Set } = require('../engine');
const { isOwn } = require('../boot/hidden');
const { surfaceOf } = require('./es-source');

/** Taken here: `require` in a file that a loader has translated may lack it. @type {Record<string, NodeJS.Module>} */
const cache = /** @type {any} */ (Module)._cache;

const LIB = path.join(__dirname, '..', path.sep);

/** A test runner may have loaded hundreds. */
const MOST_NAMED = 10;

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

/**
 * An ES module runs after all that it imports, and Node's cache does not show what that was.
 * @param {string} file absolute
 * @param {string} self the file that asks
 * @returns {string[]} packages and files that its static imports name; empty if it is no ES module or cannot be read
 */
function importedAhead(file, self) {
  if (file in cache || !path.isAbsolute(file)) return [];
  try {
    const url = pathToFileURL(file);
    const imports = surfaceOf(fs.readFileSync(file, 'utf8'), 'module', file)?.imports ?? [];
    const isOurs = (/** @type {string} */ target) => target === self || isOwn(target);
    return imports
      .filter((name) => !Module.isBuiltin(name) && !(/^[./]|^file:/.test(name) && isOurs(fileURLToPath(new URL(name, url)))))
      .map((name) => /^(?:@[^/]+\/)?[^./@][^/:]*(?=\/|$)/.exec(name)?.[0] ?? name)
      .filter((name) => name !== 'ignis');
  } catch {
    return [];
  }
}

/**
 * Warns of what was loaded before Ignis: imports in those files are not watched, and no recipe has an effect on them.
 * @param {string[]} before CommonJS files that were loaded before
 * @param {(filename: string) => import('../types').ModuleId} identify
 * @param {string} self the file that asks
 * @returns {boolean} whether there was something to say
 */
function tellEarlier(before, identify, self) {
  const own = ownFiles();
  const others = before.filter((file) => !own.has(file));
  const packages = others.map((file) => identify(file).packageName).filter((name) => name !== null);
  const ahead = [self, process.argv[1] ?? ''].flatMap((file) => importedAhead(file, self));
  const names = [...new Set([...packages, ...ahead])];
  if (names.length === 0) return false;
  const told = `loaded before Ignis, so neither these modules nor their own imports are watched, and recipes have no effect on them: ${listed(names)}`;
  const remedy =
    ahead.length > 0
      ? 'an ES module runs after everything that it imports: start the program with node --import ignis/register, or with ignis run'
      : `require ignis first in ${path.basename(self)}`;
  const message = `${told}; ${remedy}`;
  publish('ignis:warning', { message });
  process.emitWarning(message, { type: 'IgnisWarning', code: 'IGNIS_LATE' });
  return true;
}

/** @param {string[]} names @returns {string} */
function listed(names) {
  const more = names.length - MOST_NAMED;
  // To announce just one more takes as much room as its name.
  return more <= 1 ? names.join(', ') : `${names.slice(0, MOST_NAMED).join(', ')} and ${more} more`;
}

exports.tellEarlier = tellEarlier;
