'use strict';
/*
 * `cp`, made of single steps, since either end may be outside the root. In: two paths and the options of Node's `cp`. Out: steps as in
 * calls.js. It is not one operation: others may see part of it.
 */
const fs = require('node:fs');
const os = require('node:os');
const path = require('node:path');
const { NOWHERE, modeOf } = require('./arguments');
const { excludedIn } = require('./excluded');
const { plain } = require('./forms');
const { EXCLUDED } = require('./modes');
const { statsOf } = require('./results');
const { Object } = require('../engine');

/** @typedef {import('./places').Place | null} Place null: outside of the root */
/** @typedef {{place: Place, given: string, real?: string}} End real: where it is, if a link leads out of the root */

/** @param {End} end @param {string} name @returns {End} */
function below({ place, given, real }, name) {
  const whole = path.join(given, name);
  if (place !== null && EXCLUDED.includes(name)) return { given: whole, real: path.join(place.root, place.at, name), place: null };
  return {
    given: whole,
    real: real === undefined ? undefined : path.join(real, name),
    place: place === null ? null : { ...place, at: place.at === '' ? name : path.join(place.at, name), given: whole },
  };
}

/**
 * @param {End} end
 * @param {any} request
 * @param {string} own the function of `fs`
 * @param {any[]} [args] its arguments after the path
 * @param {object} [as] what errors say
 * @returns {any} a step
 */
function step({ place, given, real = given }, request, own, args = [], as) {
  if (place === null) return { plain: own, args: [real, ...args] };
  return { courier: place.courier, request: { path: place.at, ...request }, names: { root: place.root, at: place.at, path: given, as } };
}

/** @param {End} end @param {boolean} isLink @returns {Generator<any, any, any>} */
function* statOf(end, isLink) {
  try {
    const found = yield step(end, { op: 'stat', isLink }, isLink ? 'lstat' : 'stat');
    return Array.isArray(found) ? statsOf(found) : found;
  } catch (error) {
    if (!leadsOut(error, end)) throw error;
    return yield* statOf(end, isLink);
  }
}

/**
 * @param {any} error
 * @param {End} end outside of the root from now on, if the error says so
 * @returns {boolean} whether it is
 */
function leadsOut({ outside }, end) {
  if (outside !== undefined) Object.assign(end, { place: null, real: outside.path });
  return outside !== undefined;
}

/** @template T @param {Generator<any, T, any>} steps @returns {Generator<any, T | null, any>} null: nothing is there */
function* ifThere(steps) {
  try {
    return yield* steps;
  } catch (error) {
    if (/** @type {any} */ (error).code === 'ENOENT') return null;
    throw error;
  }
}

/** @param {End} end @returns {Generator<any, string, any>} its place, without links */
function* realOf(end) {
  try {
    const found = yield step(end, { op: 'realpath', isNative: false }, 'realpath');
    return end.place === null ? found : (found.outside ?? path.join(end.place.realRoot, found.below));
  } catch (error) {
    if (!leadsOut(error, end)) throw error;
    return yield* realOf(end);
  }
}

/** @param {End} end @returns {End} the folder that contains it */
function above({ place, given, real = given }) {
  const folder = path.dirname(given);
  if (place === null || place.at === '') return { place: null, given: folder, real: path.dirname(place?.realRoot ?? real) };
  const at = path.dirname(place.at);
  return { place: { ...place, at: at === '.' ? '' : at, given: folder }, given: folder };
}

/** @param {End} end @returns {Generator<any, string, any>} where it is, or would be; links are followed except for itself */
function* nameOfEnd(end) {
  const folder = above(end);
  return path.join((yield* ifThere(realOf({ ...folder }))) ?? (yield* nameOfEnd(folder)), path.basename(path.resolve(end.given)));
}

/** @param {{from: Place, to: Place, given: string, other: string, options: any}} what @returns {Generator<any, any, any>} */
function* copyTree({ from, to, given, other, options = {} }) {
  // Node itself says what is wrong with them, and ignores a filter that is not set.
  const isUsual = typeof options === 'object' && options !== null && ['function', 'undefined'].includes(typeof options.filter);
  plain.cpSync(NOWHERE, NOWHERE, isUsual ? { ...options, filter: () => false } : options);
  // From here on everything goes to a callback.
  yield { value: undefined };
  const source = { place: from, given };
  const target = { place: to, given: other };
  if (!(yield* isWanted(source, target, options))) return;
  const stats = yield* statOf(source, !options.dereference);
  const there = yield* ifThere(statOf(target, true));
  const [whole, into] = [yield* nameOfEnd(source), yield* nameOfEnd(target)];
  if (whole === into) throw problem('ERR_FS_CP_EINVAL', 'src and dest cannot be the same', other);
  if (stats.isDirectory() && into.startsWith(whole + path.sep))
    throw problem('ERR_FS_CP_EINVAL', `cannot copy ${given} to a subdirectory of self ${other}`, other);
  if (stats.isDirectory() && !options.recursive) throw problem('ERR_FS_EISDIR', `${given} is a directory (not copied)`, given);
  if (there === null) yield* makeParents(target);
  yield* copyOne(source, target, stats, there, options);
}

/** @param {End} source @param {End} target @param {any} options @returns {Generator<any, boolean, any>} */
function* isWanted(source, target, options) {
  if (options.filter === undefined) return true;
  return Boolean(yield { value: options.filter(source.given, target.given) });
}

/** @param {End} target @returns {Generator<any, any, any>} */
function* makeParents(target) {
  const { place, given } = target;
  const parent = path.dirname(given);
  if (place === null) return yield { plain: 'mkdir', args: [parent, { recursive: true }] };
  const at = path.dirname(place.at);
  if (at === '.') return undefined;
  try {
    return yield {
      courier: place.courier,
      request: { op: 'mkdir', path: at, isRecursive: true, mode: modeOf(undefined, 0o777), isWrite: true },
      names: { root: place.root, path: parent, at },
    };
  } catch (error) {
    const { outside } = /** @type {any} */ (error);
    if (outside === undefined) throw error;
    Object.assign(target, { place: null, real: path.join(outside.path, path.basename(given)) });
    return yield { plain: 'mkdir', args: [outside.path, { recursive: true }] };
  }
}

/**
 * @param {End} source
 * @param {End} target
 * @param {any} stats
 * @param {any} there null: nothing is there
 * @param {any} options
 * @returns {Generator<any, any, any>}
 */
function* copyOne(source, target, stats, there, options) {
  if (stats.isDirectory()) return yield* copyFolder(source, target, stats, there, options);
  if (there?.isDirectory())
    throw problem(
      'ERR_FS_CP_NON_DIR_TO_DIR',
      `cannot overwrite directory ${target.given} with non-directory ${source.given}`,
      target.given,
    );
  if (stats.isSymbolicLink()) return yield* copyLink(source, target, there, options);
  if (stats.isSocket()) throw problem('ERR_FS_CP_SOCKET', `cannot copy a socket file: ${target.given}`, target.given);
  if (stats.isFIFO()) throw problem('ERR_FS_CP_FIFO_PIPE', `cannot copy a FIFO pipe: ${target.given}`, target.given);
  if (!stats.isFile()) throw problem('ERR_FS_CP_UNKNOWN', `cannot copy an unknown file type: ${target.given}`, target.given);
  if (there !== null && options.force === false) {
    if (options.errorOnExist) throw problem('ERR_FS_CP_EEXIST', `${target.given} already exists`, target.given);
    return undefined;
  }
  // It replaces what is there, with its own permissions, and is not written to a link's target.
  if (there !== null) yield step(target, { op: 'unlink', isWrite: true }, 'unlink');
  return yield* copyContent(source, target, stats, options);
}

/**
 * @param {End} source
 * @param {End} target
 * @param {any} stats
 * @param {any} there
 * @param {any} options
 * @returns {Generator<any, any, any>}
 */
function* copyFolder(source, target, stats, there, options) {
  if (there !== null && !there.isDirectory())
    throw problem(
      'ERR_FS_CP_DIR_TO_NON_DIR',
      `cannot overwrite non-directory ${target.given} with directory ${source.given}`,
      target.given,
    );
  if (there === null) yield step(target, { op: 'mkdir', isRecursive: false, mode: modeOf(undefined, 0o777), isWrite: true }, 'mkdir');
  const names = yield step(source, { op: 'readdir', isRecursive: false }, 'readdir');
  const others = source.place === null ? [] : excludedIn(source.place);
  for (const entry of [...names, ...others]) {
    const [from, to] = [below(source, nameOf(entry)), below(target, nameOf(entry))];
    if (!(yield* isWanted(from, to, options))) continue;
    yield* copyOne(from, to, yield* statOf(from, !options.dereference), yield* ifThere(statOf(to, true)), options);
  }
  // Only now: nothing can be put into a folder that may not be written to.
  if (there === null) yield* allow(target, stats.mode);
}

/** @param {End} target @param {number} mode @returns {Generator<any, any, any>} */
function* allow(target, mode) {
  const permissions = mode & 0o7777;
  yield step(target, { op: 'chmod', mode: permissions, isWrite: true }, 'chmod', [permissions]);
}

/** @param {End} source @param {End} target @param {any} there @param {any} options @returns {Generator<any, any, any>} */
function* copyLink(source, target, there, { verbatimSymlinks }) {
  const said = yield step(source, { op: 'readlink' }, 'readlink');
  const text = verbatimSymlinks ? said : path.resolve(path.dirname(source.given), said);
  // It replaces a link, and nothing else.
  if (there?.isSymbolicLink()) yield step(target, { op: 'unlink', isWrite: true }, 'unlink');
  if (target.place === null) yield { plain: 'symlink', args: [text, target.real ?? target.given] };
  else yield step(target, { op: 'symlink', target: text, type: null, isWrite: true }, 'symlink', [], { path: text, dest: target.given });
}

/** @param {End} source @param {End} target @param {any} stats @param {any} options @returns {Generator<any, any, any>} */
function* copyContent(source, target, stats, { mode = 0, preserveTimestamps }) {
  const permissions = stats.mode & 0o7777;
  if (source.place !== null && target.place !== null) {
    const names = { root: source.place.root, at: source.place.at, path: source.given, to: target.given, toAt: target.place.at };
    yield {
      courier: source.place.courier,
      request: { op: 'copyFile', path: source.place.at, to: target.place.at, mode: mode & ~fs.constants.COPYFILE_EXCL, isWrite: true },
      names,
    };
  } else {
    const data = yield step(source, { op: 'readFile', flag: 'r' }, 'readFile');
    const flag = fs.constants.O_CREAT | fs.constants.O_TRUNC | fs.constants.O_WRONLY;
    yield step(target, { op: 'writeFile', data, flag, mode: permissions, isWrite: true }, 'writeFile', [data, { mode: permissions }]);
    // Outside, the program's umask applies.
    if (target.place === null) yield* allow(target, permissions);
  }
  if (!preserveTimestamps) return;
  const [atime, mtime] = [stats.atimeMs / 1000, stats.mtimeMs / 1000];
  yield step(target, { op: 'utimes', atime, mtime, isLink: false, isWrite: true }, 'utimes', [atime, mtime]);
}

/** @param {any} entry from a node, or from Node */
function nameOf(entry) {
  return typeof entry === 'string' ? entry : entry[0];
}

/** What is wrong, in Node's words. @type {Record<string, [says: string, errno: keyof typeof os.constants.errno]>} */
const PROBLEMS = Object.assign(Object.create(null), {
  ERR_FS_CP_DIR_TO_NON_DIR: ['Cannot overwrite non-directory with directory', 'EISDIR'],
  ERR_FS_CP_EEXIST: ['Target already exists', 'EEXIST'],
  ERR_FS_CP_EINVAL: ['Invalid src or dest', 'EINVAL'],
  ERR_FS_CP_FIFO_PIPE: ['Cannot copy a FIFO pipe', 'EINVAL'],
  ERR_FS_CP_NON_DIR_TO_DIR: ['Cannot overwrite directory with non-directory', 'ENOTDIR'],
  ERR_FS_CP_SOCKET: ['Cannot copy a socket file', 'EINVAL'],
  ERR_FS_CP_UNKNOWN: ['Cannot copy an unknown file type', 'EINVAL'],
  ERR_FS_EISDIR: ['Path is a directory', 'EISDIR'],
});

/** @param {string} code @param {string} message @param {string} file @returns {Error} like the errors of Node's `cp` */
function problem(code, message, file) {
  const [says, short] = PROBLEMS[code];
  const errno = os.constants.errno[short];
  const error = new Error(`${says}: cp returned ${short} (${message}) ${file}`);
  Object.defineProperty(error, 'name', { value: 'SystemError', writable: true, configurable: true });
  return Object.assign(error, { code, info: { message, path: file, syscall: 'cp', errno, code: short }, errno, syscall: 'cp', path: file });
}

exports.copyTree = copyTree;
