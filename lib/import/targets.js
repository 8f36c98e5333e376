'use strict';
/*
 * Tells whether the target of a recipe exists. In: a target, and the program's root. Out: what is missing, with the nearest name that
 * exists. It checks only targets that name one module or one folder; in doubt a module counts as there: it may be loaded later, from
 * anywhere Node looks.
 */
const fs = require('node:fs');
const { builtinModules, isBuiltin } = require('node:module');
const path = require('node:path');
const { distance, nearest } = require('../option-table');
const { EXACTNESS, toPattern } = require('../recipe/pattern');
const { isPlumbing } = require('./watched');

/** With another such ending it is another module. */
const LOADED_AS_IT_IS = /\.(?:js|cjs|mjs|json|node)$/;

/** At most this many files are compared to find the nearest name. */
const MOST_FILES = 2000;

/**
 * @param {string | RegExp} target
 * @param {string} appRoot absolute
 * @returns {{kind: string, nearest: string} | null} null: there may be such a module
 */
function missing(target, appRoot) {
  if (typeof target !== 'string' || toPattern(target).exactness < EXACTNESS.folder) return null;
  if (target.startsWith('./') || target.startsWith('../')) {
    if (hasFile(path.join(appRoot, target))) return null;
    return { kind: target.endsWith('/') ? 'folder' : 'file', nearest: nearest(target, filesOf(appRoot, target.endsWith('/'))) };
  }
  if (isBuiltin(target)) return null;
  const builtins = builtinModules.filter((name) => !name.startsWith('_'));
  if (target.startsWith('node:'))
    return {
      kind: 'built-in',
      nearest: nearest(
        target,
        // Newer built-ins have only that name.
        builtins.map((name) => `node:${name.replace(/^node:/, '')}`),
      ),
    };
  const name = /^(@[^/]+\/[^/]+|[^/]+)/.exec(target)?.[0] ?? target;
  if (hasPackage(name, appRoot)) return null;
  if (hasFile(path.join(appRoot, target))) return { kind: 'package', nearest: `./${target}` };
  return {
    kind: 'package, file or built-in',
    nearest: nearestOf([
      [name, [...dependenciesOf(appRoot), ...installedIn(appRoot)]],
      [target, builtins],
      // Files are named from the program's root, with a dot that is lacking here.
      [`./${target}`, filesOf(appRoot, target.endsWith('/'))],
    ]),
  };
}

/**
 * @param {[name: string, names: string[]][]} all what was written, and the existing names of its kind
 * @returns {string} of the nearest names the one that differs in the fewest letters; '' when it shares less than half of them
 */
function nearestOf(all) {
  const found = all
    .map(([name, names]) => ({ name, hint: nearest(name, names) }))
    .map(({ name, hint }) => ({ hint, far: distance(name.toLowerCase(), hint.toLowerCase()), most: name.length / 2 }))
    .filter(({ hint, far, most }) => hint !== '' && far <= most)
    .sort((a, b) => a.far - b.far);
  return found[0]?.hint ?? '';
}

/**
 * @param {string | RegExp} target
 * @param {string} appRoot absolute
 * @returns {boolean} whether it names a built-in that is never watched, so a recipe has no effect; a package may have that name, too
 *   (`events/`)
 */
function meansPlumbing(target, appRoot) {
  if (typeof target !== 'string' || !isPlumbing(target)) return false;
  return target.startsWith('node:') || !hasPackage(target, appRoot);
}

/**
 * @param {string} place absolute, with or without its extension
 * @returns {boolean} true also if the file is yet to be made from another one (links.js from links.ts)
 */
function hasFile(place) {
  if (fs.existsSync(place)) return true;
  const name = path.basename(place);
  const stem = name.replace(/\.[^.]+$/, '');
  return namesIn(path.dirname(place)).some(
    (other) => other.startsWith(`${name}.`) || (other.startsWith(`${stem}.`) && !LOADED_AS_IT_IS.test(other)),
  );
}

/** @param {string} name @param {string} appRoot @returns {boolean} whether a package of that name is installed, for anyone */
function hasPackage(name, appRoot) {
  // With another way of resolving, there may be packages that we do not see.
  if (process.versions.pnp !== undefined || (process.env.NODE_PATH ?? '') !== '') return true;
  const inside = path.join('node_modules', name) + path.sep;
  if (Object.keys(require.cache).some((file) => file.includes(path.sep + inside))) return true;
  for (let at = appRoot; ; at = path.dirname(at)) {
    const modules = path.join(at, 'node_modules');
    if (fs.existsSync(path.join(modules, name)) || isBelow(modules, name)) return true;
    if (at === path.dirname(at)) return false;
  }
}

/**
 * @param {string} modules a folder node_modules
 * @param {string} name
 * @returns {boolean} whether a package in there has its own copy, or npm or pnpm noted one
 */
function isBelow(modules, name) {
  const noted = textOf(path.join(modules, '.package-lock.json'));
  if (noted.includes(`node_modules/${name}"`)) return true;
  const stored = `${name.replace('/', '+')}@`;
  if (namesIn(path.join(modules, '.pnpm')).some((entry) => entry.startsWith(stored))) return true;
  return packagesIn(modules).some((owner) => fs.existsSync(path.join(modules, owner, 'node_modules', name)));
}

/** @param {string} modules a folder node_modules @returns {string[]} the packages in it, also as 'scope/name' */
function packagesIn(modules) {
  return namesIn(modules).flatMap((entry) =>
    entry.startsWith('@') ? namesIn(path.join(modules, entry)).map((one) => `${entry}/${one}`) : [entry],
  );
}

/** A package.json may not list everything, may be missing, or further up. @param {string} appRoot @returns {string[]} */
function installedIn(appRoot) {
  return packagesIn(path.join(appRoot, 'node_modules')).filter((name) => !name.startsWith('.'));
}

/** @param {string} appRoot @returns {string[]} */
function dependenciesOf(appRoot) {
  try {
    const fields = JSON.parse(textOf(path.join(appRoot, 'package.json')));
    return ['dependencies', 'devDependencies', 'optionalDependencies', 'peerDependencies'].flatMap((field) =>
      Object.keys(fields[field] ?? {}),
    );
  } catch {
    return [];
  }
}

/** @param {string} appRoot @param {boolean} areFolders @returns {string[]} as targets: './lib/a.js', './lib/' */
function filesOf(appRoot, areFolders) {
  const found = [];
  const folders = ['.'];
  for (let i = 0; i < folders.length && found.length < MOST_FILES; i++) {
    for (const entry of entriesIn(path.join(appRoot, folders[i]))) {
      const name = `${folders[i]}/${entry.name}`;
      const isFolder = entry.isDirectory();
      if (isFolder && entry.name !== 'node_modules' && !entry.name.startsWith('.')) folders.push(name);
      if (isFolder === areFolders) found.push(isFolder ? `${name}/` : name);
    }
  }
  return found;
}

/** @param {string} folder @returns {fs.Dirent[]} */
function entriesIn(folder) {
  try {
    return fs.readdirSync(folder, { withFileTypes: true });
  } catch {
    return [];
  }
}

/** @param {string} folder */
const namesIn = (folder) => entriesIn(folder).map(({ name }) => name);

/** @param {string} file */
function textOf(file) {
  try {
    return fs.readFileSync(file, 'utf8');
  } catch {
    return '';
  }
}

exports.filesOf = filesOf;
exports.hasPackage = hasPackage;
exports.meansPlumbing = meansPlumbing;
exports.missing = missing;
