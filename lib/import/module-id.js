'use strict';

// Tells which module a file or a request is: a package, a built-in, or a file of the program. In: absolute file names, requests. Out:
// ModuleIds, the root of the program, and to which package a file belongs. It reads each package.json once and remembers the answer. It
// must never load a module.

const fs = require('node:fs');
const Module = require('node:module');
const path = require('node:path');
const { ownConditions } = require('../host/conditions');
const { entriesOf, namesIn } = require('./entry-names');
const { Map, Set } = require('../engine');

/**
 * @typedef {import('../types').ModuleId} ModuleId
 *
 * @typedef {object} Package
 * @property {string} root folder
 * @property {string | null} name
 * @property {string | null} version
 * @property {string[]} mains the files that `require` and `import` find by the package's name alone, absolute
 * @property {import('./entry-names').Entries} [entries] the names under which `exports` of package.json gives out files: './sync'
 */

const BELOW_NODE_MODULES = /[\\/]node_modules[\\/](?!.*[\\/]node_modules[\\/])(?<name>@[^\\/]+[\\/][^\\/]+|[^\\/@.][^\\/]*)(?=[\\/])/s;

const CONDITIONS = Object.freeze(['node', 'default', 'module-sync', 'node-addons', ...ownConditions()]);
const REQUIRE_CONDITIONS = Object.freeze([...CONDITIONS, 'require']);
const IMPORT_CONDITIONS = Object.freeze([...CONDITIONS, 'import']);

const MODULES = /[\\/]node_modules[\\/]/;

/** Folder of the program, ending in a separator, if the program itself is an installed package. */
let installed = '';

/** @type {Map<string, Package | null>} by folder */
const packages = new Map();
/** @type {Map<string, ModuleId>} */
const ids = new Map();

/**
 * @param {string} filename absolute
 * @returns {boolean} whether it is the program's own rather than a dependency's
 */
function isApplicationFile(filename) {
  if (!MODULES.test(filename)) return true;
  return installed !== '' && filename.startsWith(installed) && !MODULES.test(filename.slice(installed.length - 1));
}

/**
 * From now on, files of this package count as the program's own although they lie below `node_modules`: it is what the user wants to run.
 * @param {string | null} root of a package, absolute and with links resolved; null: no such package
 */
function setInstalledProgram(root) {
  installed = root === null ? '' : root + path.sep;
}

/** @returns {string | null} the program's own package, if it is an installed one */
function installedProgram() {
  return installed === '' ? null : installed.slice(0, -path.sep.length);
}

/**
 * @param {string} file that is to be run, absolute and with links resolved
 * @returns {string | null} the package below `node_modules` that it belongs to
 */
function installedRootOf(file) {
  return MODULES.test(file) ? (packageOf(file)?.root ?? null) : null;
}

/**
 * Finds a program's file as `require` does, without leaving traces in Node's path cache. Node would take a path in there for the main file
 * too, and with `--preserve-symlinks-main` that may be another file.
 * @param {string} file absolute, maybe without its extension
 * @returns {string}
 * @throws {Error} MODULE_NOT_FOUND
 */
function findProgram(file) {
  const kept = /** @type {any} */ (Module)._pathCache;
  const key = `${file}\0`;
  const isKnown = key in kept;
  try {
    return require.resolve(file);
  } finally {
    if (!isKnown) delete kept[key];
  }
}

/** @returns {string} the program's main file as Node finds it by `process.argv`: with links resolved, and with its extension */
function mainFileOf() {
  const given = path.resolve(process.argv[1] ?? 'repl');
  try {
    return findProgram(given);
  } catch {
    return given;
  }
}

/**
 * @param {string} mainFile absolute
 * @returns {string} the folder of the nearest package.json, or else the file's own
 */
function appRootOf(mainFile) {
  const folder = path.dirname(mainFile);
  return nearestPackage(folder, () => true)?.root ?? folder;
}

/**
 * @param {string} filename absolute
 * @returns {Package | null} the package the file belongs to; null when it belongs to none
 */
function packageOf(filename) {
  const below = BELOW_NODE_MODULES.exec(filename);
  if (below === null) return nearestPackage(path.dirname(filename), (found) => found.name !== null);
  const root = filename.slice(0, below.index + below[0].length);
  return readPackage(root) ?? { root, name: portable(below.groups?.name ?? ''), version: null, mains: [] };
}

/**
 * @param {object} module
 * @param {string} module.filename absolute, or the name of a built-in with or without `node:`
 * @param {string} module.appRoot
 * @returns {ModuleId} frozen; the same object for the same module
 */
function identify({ filename, appRoot }) {
  const key = `${appRoot}\0${filename}`;
  let id = ids.get(key);
  if (id === undefined) ids.set(key, (id = Object.freeze(make(filename, appRoot))));
  return id;
}

/** @param {string} filename @param {string} appRoot @returns {ModuleId} */
function make(filename, appRoot) {
  if (!path.isAbsolute(filename) && Module.isBuiltin(filename)) {
    const name = `node:${filename.replace(/^node:/, '')}`;
    return { name, kind: 'builtin', filename: null, packageName: null, version: null, inside: '' };
  }
  const owner = packageOf(filename);
  // A package of a workspace, linked into node_modules, is known by its real path, but is a package all the same.
  if (owner === null || owner.name === null || (owner.root === appRoot && isApplicationFile(filename))) {
    const relative = portable(path.relative(appRoot, filename));
    return {
      name: relative.startsWith('..') ? relative : `./${relative}`,
      kind: 'file',
      filename,
      packageName: null,
      version: null,
      inside: '',
    };
  }
  const place = `./${portable(path.relative(owner.root, filename))}`;
  const inside = owner.mains.includes(filename) ? '' : place;
  const id = { name: owner.name + inside.slice(1), packageName: owner.name, version: owner.version, inside };
  // Even the main file may have further names.
  const entries = namesIn(owner.entries, filename, place).filter((entry) => entry !== inside);
  if (inside !== '') entries.push(...folderOf(filename, owner));
  return { ...id, kind: 'package', filename, ...(entries.length > 0 && { entries: Object.freeze(entries) }) };
}

/**
 * @param {string} filename
 * @param {Package} owner
 * @returns {string[]} the inner folder, as './inner', whose own package.json has this file as its main
 */
function folderOf(filename, { root, entries }) {
  // With complete `exports`, a package gives out nothing else.
  if (entries === undefined || entries.isComplete) return [];
  const found = nearestPackage(path.dirname(filename), () => true);
  return found !== null && found.root !== root && found.mains.includes(filename) ? [`./${portable(path.relative(root, found.root))}`] : [];
}

/** @param {string} folder @param {(found: Package) => boolean} isWanted @returns {Package | null} */
function nearestPackage(folder, isWanted) {
  for (let at = folder; ; at = path.dirname(at)) {
    const found = readPackage(at);
    if (found !== null && isWanted(found)) return found;
    if (at === path.dirname(at)) return null;
  }
}

/** @param {string} root @returns {Package | null} */
function readPackage(root) {
  const known = packages.get(root);
  if (known !== undefined) return known;
  const found = parsePackage(root);
  packages.set(root, found);
  return found;
}

/** @param {string} root @returns {Package | null} */
function parsePackage(root) {
  let fields;
  try {
    fields = JSON.parse(fs.readFileSync(path.join(root, 'package.json'), 'utf8'));
  } catch {
    return null;
  }
  if (typeof fields !== 'object' || fields === null) return null;
  const text = (/** @type {unknown} */ value) => (typeof value === 'string' && value !== '' ? value : null);
  return {
    root,
    name: text(fields.name),
    version: text(fields.version),
    mains: mainsOf(root, fields),
    entries: entriesOf(root, fields.exports),
  };
}

/** @param {string} root @param {any} fields of its package.json @returns {string[]} */
function mainsOf(root, fields) {
  const files = [REQUIRE_CONDITIONS, IMPORT_CONDITIONS].map((conditions) => mainOf(root, fields, conditions));
  return [...new Set(files)].filter((file) => file !== null);
}

/**
 * @param {string} root
 * @param {any} fields of its package.json
 * @param {readonly string[]} conditions
 * @returns {string | null} the file that the package's name stands for
 */
function mainOf(root, fields, conditions) {
  const exported = exportedMain(fields.exports, conditions);
  const candidates =
    exported !== null ? [exported] : [fields.main, `${fields.main}.js`, `${fields.main}/index.js`, 'index.js', 'index.json', 'index.node'];
  for (const candidate of candidates) {
    if (typeof candidate !== 'string') continue;
    try {
      const file = path.join(root, candidate);
      if (fs.statSync(file).isFile()) return fs.realpathSync(file);
    } catch {}
  }
  return null;
}

/** @param {any} field `exports` of a package.json @param {readonly string[]} conditions @returns {string | null} */
function exportedMain(field, conditions) {
  if (typeof field === 'string') return field;
  if (Array.isArray(field)) return exportedMain(field[0], conditions);
  if (typeof field !== 'object' || field === null) return null;
  if ('.' in field) return exportedMain(field['.'], conditions);
  for (const [condition, target] of Object.entries(field)) {
    if (!conditions.includes(condition)) continue;
    const found = exportedMain(target, conditions);
    if (found !== null) return found;
  }
  return null;
}

/** @param {string} name of a file, with the separators of this platform */
function portable(name) {
  return path.sep === '/' ? name : name.split(path.sep).join('/');
}

/**
 * Two versions of a package have the same name: the second one met gets its folder appended.
 * @param {string} appRoot
 * @returns {(filename: string) => ModuleId} of an absolute file name, or the name of a built-in; no two modules with one name
 */
function makeIdentify(appRoot) {
  /** @type {Map<string, string>} by name: the file */
  const first = new Map();
  /** @type {Map<string, ModuleId>} by file: its identity */
  const twins = new Map();
  return (filename) => {
    const id = identify({ filename, appRoot });
    const holder = first.get(id.name);
    if (holder === undefined) first.set(id.name, filename);
    if (holder === undefined || holder === filename || id.kind === 'builtin') return id;
    let twin = twins.get(filename);
    if (twin === undefined)
      twins.set(
        filename,
        (twin = Object.freeze({ ...id, name: `${id.name} (${portable(path.relative(appRoot, path.dirname(filename)))})` })),
      );
    return twin;
  };
}

exports.identify = identify;
exports.makeIdentify = makeIdentify;
exports.appRootOf = appRootOf;
exports.findProgram = findProgram;
exports.mainFileOf = mainFileOf;
exports.packageOf = packageOf;
exports.isApplicationFile = isApplicationFile;
exports.setInstalledProgram = setInstalledProgram;
exports.installedProgram = installedProgram;
exports.installedRootOf = installedRootOf;
