'use strict';
/*
 * What a module needs on disk to be the same elsewhere: the folder of its package, and of all packages that this depends on, as Node finds
 * them, with links as links. In: the file of the module. Out: folders, links, and the lowest folder that contains all. It runs nothing. Of
 * an application it takes the folder too, but no names that begin with a dot, where secrets are kept (unless the module was loaded from
 * there), and no daemon's store of code.
 */
const fs = require('node:fs');
const { createRequire, isBuiltin } = require('node:module');
const path = require('node:path');
const { importedBy } = require('./imports-in-text');
const { IgnisError } = require('../errors');
const { JSON, Map, Set } = require('../engine');

/** More would be a mistake: a home folder, or the whole disk. */
const MAX_FILES = 20000;
const MAX_BYTES = 256 * 1024 * 1024;
/** More empty folders are not worth failing the whole bundle. */
const MAX_EMPTY = 5000;

/** The folders of a daemon's store of code (store.js). */
const STORE_FOLDERS = Object.freeze(['partial', 'bundles', 'files']);

/**
 * @typedef {object} Closure
 * @property {string} base absolute
 * @property {string[]} files absolute, each at its real path
 * @property {string[]} folders absolute, all below package folders that were looked into
 * @property {[place: string, target: string][]} links absolute
 */

/** @param {string} file absolute, real path @returns {string} folder of its package; its own folder if there is none */
function packageFolderOf(file) {
  for (let folder = path.dirname(file); ; folder = path.dirname(folder)) {
    if (path.basename(folder) === 'node_modules') return path.dirname(file);
    const found = read(path.join(folder, 'package.json'));
    // A package.json without a name only says what kind of modules are below it, unless there is none above.
    if (found !== null && (found.name !== undefined || isTop(folder))) return folder;
    if (folder === path.dirname(folder)) return path.dirname(file);
  }
}

/** @param {string} folder */
function isTop(folder) {
  for (let above = path.dirname(folder); above !== path.dirname(above); above = path.dirname(above))
    if (path.basename(above) === 'node_modules' || fs.existsSync(path.join(above, 'package.json'))) return false;
  return true;
}

/** @param {string} file @returns {any} null: there is none */
function read(file) {
  try {
    return JSON.parse(fs.readFileSync(file, 'utf8')) ?? null;
  } catch {
    return null;
  }
}

/** @param {string} folder of a package @returns {string[]} names of packages that it may require */
function dependenciesOf(folder) {
  const { dependencies, optionalDependencies, peerDependencies } = read(path.join(folder, 'package.json')) ?? {};
  return Object.keys({ ...dependencies, ...optionalDependencies, ...peerDependencies });
}

/** @param {string} name @param {string} from folder @returns {string | null} where Node finds it */
function find(name, from) {
  for (let folder = from; ; folder = path.dirname(folder)) {
    const place = path.join(folder, 'node_modules', name);
    if (path.basename(folder) !== 'node_modules' && fs.existsSync(place)) return place;
    if (folder === path.dirname(folder)) return null;
  }
}

/**
 * If something other than Node finds packages (Yarn's Plug'n'Play), or Node finds them in other folders too (NODE_PATH), they cannot have
 * the same place on a host.
 *
 * @param {string} name of a package that is in no node_modules folder
 * @param {string} from folder
 * @throws {IgnisError} IGNIS_BAD_BUNDLE when home finds it nevertheless
 */
function checkWay(name, from) {
  if (process.versions.pnp === undefined && (process.env.NODE_PATH ?? '') === '') return;
  // A package may import itself by name.
  if (isBuiltin(name) || namesOf(packageFolderOf(path.join(from, 'any'))).includes(name)) return;
  try {
    createRequire(path.join(from, 'any')).resolve(name);
  } catch {
    // Home does not have it either.
    return;
  }
  throw new IgnisError('IGNIS_BAD_BUNDLE', `home does not find the package ${name} in any node_modules folder, so no host would find it`);
}

/**
 * What a module has loaded, though its package does not list it.
 *
 * @param {string} file
 * @param {Record<string, any>} cache require.cache
 * @returns {Map<string, string[]>} each file, and what that has loaded
 */
function loadedBy(file, cache) {
  /** @type {Map<string, string[]>} */
  const loaded = new Map();
  for (const todo = [file]; todo.length > 0;) {
    const one = /** @type {string} */ (todo.pop());
    if (loaded.has(one)) continue;
    const own = (cache[one]?.children ?? []).map((/** @type {any} */ child) => child?.filename);
    const children = own.filter((/** @type {any} */ child) => typeof child === 'string' && path.isAbsolute(child));
    loaded.set(one, children);
    todo.push(...children);
  }
  return loaded;
}

/** @param {string} folder of a package @returns {string[]} names under which it may be required */
function namesOf(folder) {
  const parts = folder.split(`${path.sep}node_modules${path.sep}`);
  const name = read(path.join(folder, 'package.json'))?.name;
  return [...(typeof name === 'string' ? [name] : []), ...(parts.length === 1 ? [] : parts.slice(-1))];
}

class Gathering {
  /** @type {Set<string>} folders of packages, real paths */
  folders = new Set();
  /** @type {Map<string, string>} place -> real path */
  links = new Map();
  /** @type {Set<string>} links already looked for */
  #sought = new Set();

  /** @param {string} folder real path */
  add(folder) {
    if (this.folders.has(folder)) return;
    this.folders.add(folder);
    for (const name of dependenciesOf(folder)) this.addFound(name, folder);
  }

  /**
   * @param {string} name of a package
   * @param {string} from folder
   * @throws {IgnisError} IGNIS_BAD_BUNDLE when home finds it, and no host would
   */
  addFound(name, from) {
    const place = find(name, from);
    if (place === null) return checkWay(name, from);
    const real = fs.realpathSync(place);
    if (real !== place) this.links.set(place, real);
    this.add(real);
  }

  /**
   * A package whose folder Node finds through a link: without the link, nobody finds it.
   *
   * @param {string} folder of it, real path
   * @param {string} from file that required it
   */
  addLinked(folder, from) {
    const seeker = path.dirname(from);
    if (this.#sought.has(`${seeker} ${folder}`)) return;
    this.#sought.add(`${seeker} ${folder}`);
    for (const name of namesOf(folder)) {
      const place = find(name, seeker);
      if (place !== null && place !== folder && fs.realpathSync(place) === folder) this.addFound(name, seeker);
    }
  }
}

/** @param {string[]} folders @returns {string} */
function lowestAbove(folders) {
  let base = folders[0];
  for (const folder of folders)
    while (folder !== base && !folder.startsWith(base === path.sep ? base : base + path.sep)) base = path.dirname(base);
  // Packages find each other by the name of their folder.
  const at = `${base}${path.sep}`.lastIndexOf(`${path.sep}node_modules${path.sep}`);
  return at === -1 ? base : base.slice(0, at) || path.sep;
}

/**
 * Build output is in folders like `.next`: what the module was loaded from is included, whatever its name.
 *
 * @param {string} file of the module, or one that it loaded @param {string} folder of its package
 * @returns {string | null} the first on the path whose name begins with a dot: a folder, or the file itself
 */
function hiddenAbove(file, folder) {
  const parts = path.relative(folder, file).split(path.sep);
  const at = parts.findIndex((part) => part.startsWith('.'));
  return at === -1 || parts[0] === '..' ? null : path.join(folder, ...parts.slice(0, at + 1));
}

/**
 * Home cannot use what it may not read, such as the data of another user's server; and what has gone meanwhile is no part of it.
 *
 * @param {string} folder
 * @param {boolean} isPackage
 * @returns {fs.Dirent[]}
 */
function entriesOf(folder, isPackage) {
  try {
    return fs.readdirSync(folder, { withFileTypes: true });
  } catch (error) {
    if (isPackage || !isOutOfReach(error)) throw error;
    return [];
  }
}

/** @param {unknown} error for a file or folder @returns {boolean} whether it is gone, or not readable for us */
function isOutOfReach(error) {
  return ['ENOENT', 'ENOTDIR', 'EACCES', 'EPERM'].includes(String(/** @type {NodeJS.ErrnoException} */ (error).code));
}

/**
 * @param {string} folder
 * @param {Closure} closure gets its files, folders and links
 * @param {Set<string>} folders others, which are walked separately
 */
function walk(folder, closure, folders) {
  for (const entry of entriesOf(folder, folders.has(folder))) {
    const place = path.join(folder, entry.name);
    if (entry.name.startsWith('.') || entry.name === 'node_modules' || folders.has(place)) continue;
    if (entry.isDirectory()) {
      if (isStore(place)) continue;
      closure.folders.push(place);
      walk(place, closure, folders);
    } else if (entry.isFile()) closure.files.push(place);
    else if (entry.isSymbolicLink()) follow(place, closure, folders);
    if (closure.files.length > MAX_FILES)
      throw new IgnisError('IGNIS_BAD_BUNDLE', `${closure.base} has more than ${MAX_FILES} files that a host would need`);
  }
}

/**
 * If a link's target is not sent (an empty folder, a package that nobody depends on), or contains the link, neither is the link.
 *
 * @param {Pick<Closure, 'base' | 'files' | 'links'>} closure with the files to send
 * @returns {[place: string, target: string][]}
 */
function linksAmong({ base, files, links }) {
  const sent = new Set(files);
  for (const file of files)
    for (let above = path.dirname(file); above !== base && !sent.has(above); above = path.dirname(above)) sent.add(above);
  return links.filter(([place, real]) => sent.has(real) && !place.startsWith(real + path.sep));
}

/**
 * A module may list a folder that contains nothing, or nothing that is sent.
 *
 * @param {readonly string[]} folders sorted @param {readonly string[]} sent files and links
 * @returns {string[]} those that would be missing if not named
 */
function emptyAmong(folders, sent) {
  const held = new Set();
  for (const place of [...sent, ...folders])
    for (let above = path.dirname(place); !held.has(above) && above !== path.dirname(above); above = path.dirname(above)) held.add(above);
  return folders.filter((folder) => !held.has(folder)).slice(0, MAX_EMPTY);
}

/** @param {string} folder */
function isStore(folder) {
  return STORE_FOLDERS.every((part) => fs.existsSync(path.join(folder, part)));
}

/**
 * A link within what is shipped stays a link; others are left out, together with their targets.
 *
 * @param {string} place
 * @param {Closure} closure
 * @param {Set<string>} folders
 */
function follow(place, closure, folders) {
  let real;
  try {
    real = fs.realpathSync(place);
  } catch {
    return;
  }
  const isInside = [...folders].some((folder) => real.startsWith(folder + path.sep));
  const isHidden = path
    .relative(closure.base, real)
    .split(path.sep)
    .some((part) => part.startsWith('.'));
  if (isInside && !isHidden) closure.links.push([place, real]);
}

/**
 * @param {string} file the module, absolute
 * @param {Record<string, any>} [cache] what is loaded at home: `require.cache`
 * @param {string} [root] a folder that the base must contain, or be
 * @returns {Closure}
 * @throws {IgnisError} IGNIS_BAD_BUNDLE when it is too much
 */
function closureOf(file, cache = require.cache, root = undefined) {
  const gathering = new Gathering();
  const entry = fs.realpathSync(file);
  gathering.add(packageFolderOf(entry));
  /** @type {Map<string, string>} */
  const hidden = new Map();
  const addFolderOf = (/** @type {string} */ one, folder = packageFolderOf(one)) => {
    if (![...gathering.folders].some((known) => one.startsWith(known + path.sep) && !one.slice(known.length).includes('/node_modules/')))
      gathering.add(folder);
  };
  const loaded = loadedBy(entry, cache);
  const folderOf = new Map([...loaded.keys()].map((one) => [one, packageFolderOf(one)]));
  for (const [one, children] of loaded) {
    const folder = /** @type {string} */ (folderOf.get(one));
    for (const child of children) if (folderOf.get(child) !== folder) gathering.addLinked(/** @type {string} */ (folderOf.get(child)), one);
    const place = hiddenAbove(one, folder);
    if (place !== null) hidden.set(one, place);
    addFolderOf(one, folder);
  }
  const imported = importedBy(entry, (one) => cache[one]?.children?.length > 0);
  for (const one of imported.files) addFolderOf(one);
  for (const { name, from } of imported.packages) gathering.addFound(name, from);
  const folders = [...gathering.folders].sort();
  const above = root === undefined ? [] : [fs.realpathSync(root)];
  const base = lowestAbove([...folders, ...[...gathering.links.keys()].map((place) => path.dirname(place)), ...above]);
  /** @type {Closure} */
  const closure = { base, files: [], folders: [], links: [...gathering.links] };
  for (const folder of folders) walk(folder, closure, gathering.folders);
  closure.files.push(...hidden.keys());
  for (const place of new Set(hidden.values()))
    if (fs.statSync(place, { throwIfNoEntry: false })?.isDirectory()) walk(place, closure, gathering.folders);
  return { base, files: [...new Set(closure.files)].sort(), folders: [...new Set(closure.folders)].sort(), links: closure.links.sort() };
}

exports.MAX_BYTES = MAX_BYTES;
exports.STORE_FOLDERS = STORE_FOLDERS;
exports.closureOf = closureOf;
exports.emptyAmong = emptyAmong;
exports.isOutOfReach = isOutOfReach;
exports.linksAmong = linksAmong;
