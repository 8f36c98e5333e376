'use strict';
/*
 * `cp`, made of single steps, since either end may lie outside of the root. In: two paths and the options of Node's `cp`. Out: steps as in calls.js. The steps are not one: who looks meanwhile sees a part.
 */
const fs = require('node:fs');
const path = require('node:path');
const { excludedIn } = require('./excluded');
const { EXCLUDED } = require('./modes');
const { statsOf } = require('./results');

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

/** @param {End} end @param {any} request @param {string} plain the function of `fs` @param {any[]} args of it, behind the path @returns {any} a step */
function step({ place, given, real = given }, request, plain, args = []) {
  if (place === null) return { plain, args: [real, ...args] };
  return { courier: place.courier, request: { path: place.at, ...request }, names: { root: place.root, at: place.at, path: given } };
}

/** @param {End} end @param {boolean} isLink @returns {Generator<any, any, any>} null: there is nothing */
function* statOf(end, isLink) {
  try {
    const found = yield step(end, { op: 'stat', isLink }, isLink ? 'lstat' : 'stat');
    return Array.isArray(found) ? statsOf(found) : found;
  } catch (error) {
    const { code, outside } = /** @type {any} */ (error);
    if (code === 'ENOENT') return null;
    if (outside === undefined) throw error;
    Object.assign(end, { place: null, real: outside.path });
    return yield* statOf(end, isLink);
  }
}

/** @param {{from: Place, to: Place, given: string, other: string, options: any}} what @returns {Generator<any, any, any>} */
function* copyTree({ from, to, given, other, options }) {
  const source = { place: from, given };
  const target = { place: to, given: other };
  const whole = path.resolve(given);
  const into = path.resolve(other);
  const stats = yield* statOf(source, !options.dereference);
  if (stats === null) yield step(source, { op: 'stat', isLink: true }, 'lstat');
  if (whole === into) throw problem('ERR_FS_CP_EINVAL', 'EINVAL', 'src and dest cannot be the same', other);
  if (stats.isDirectory() && into.startsWith(whole + path.sep))
    throw problem('ERR_FS_CP_EINVAL', 'EINVAL', `cannot copy ${given} to a subdirectory of self ${other}`, other);
  if (stats.isDirectory() && !options.recursive)
    throw problem('ERR_FS_EISDIR', 'EISDIR', `Recursive option not enabled, cannot copy a directory: ${given}`, given);
  yield* makeParents(target);
  yield* copyOne(source, target, options);
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
      request: { op: 'mkdir', path: at, isRecursive: true, mode: 0o777, isWrite: true },
      names: { root: place.root, path: parent, at },
    };
  } catch (error) {
    const { outside } = /** @type {any} */ (error);
    if (outside === undefined) throw error;
    Object.assign(target, { place: null, real: path.join(outside.path, path.basename(given)) });
    return yield { plain: 'mkdir', args: [outside.path, { recursive: true }] };
  }
}

/** @param {End} source @param {End} target @param {any} options @returns {Generator<any, any, any>} */
function* copyOne(source, target, options) {
  if (options.filter !== undefined && !(yield { value: options.filter(source.given, target.given) })) return;
  const stats = yield* statOf(source, !options.dereference);
  const there = yield* statOf(target, true);
  if (stats.isDirectory()) {
    if (there !== null && !there.isDirectory())
      throw problem(
        'ERR_FS_CP_DIR_TO_NON_DIR',
        'EISDIR',
        `cannot overwrite non-directory ${target.given} with directory ${source.given}`,
        target.given,
      );
    if (there === null)
      yield step(target, { op: 'mkdir', isRecursive: false, mode: stats.mode & 0o7777, isWrite: true }, 'mkdir', [
        { mode: stats.mode & 0o7777 },
      ]);
    const names = yield step(source, { op: 'readdir', isRecursive: false }, 'readdir');
    const others = source.place === null ? [] : excludedIn(source.place);
    for (const entry of [...names, ...others]) yield* copyOne(below(source, nameOf(entry)), below(target, nameOf(entry)), options);
    return;
  }
  if (there?.isDirectory())
    throw problem(
      'ERR_FS_CP_NON_DIR_TO_DIR',
      'ENOTDIR',
      `cannot overwrite directory ${target.given} with non-directory ${source.given}`,
      target.given,
    );
  if (there !== null && options.force === false) {
    if (options.errorOnExist) throw problem('ERR_FS_CP_EEXIST', 'EEXIST', `${target.given} already exists`, target.given);
    return;
  }
  if (stats.isSymbolicLink()) yield* copyLink(source, target, there !== null, options);
  else if (stats.isFile()) {
    // It takes the place of a link, and is not written to where that leads.
    if (there?.isSymbolicLink()) yield step(target, { op: 'unlink', isWrite: true }, 'unlink');
    yield* copyContent(source, target, stats, options);
  } else throw problem('ERR_FS_CP_UNKNOWN', 'EINVAL', `cannot copy an unknown file type: ${target.given}`, target.given);
}

/** @param {End} source @param {End} target @param {boolean} isThere @param {any} options @returns {Generator<any, any, any>} */
function* copyLink(source, target, isThere, { verbatimSymlinks }) {
  const said = yield step(source, { op: 'readlink' }, 'readlink');
  const text = verbatimSymlinks ? said : path.resolve(path.dirname(source.given), said);
  if (isThere) yield step(target, { op: 'unlink', isWrite: true }, 'unlink');
  if (target.place === null) yield { plain: 'symlink', args: [text, target.real ?? target.given] };
  else yield step(target, { op: 'symlink', target: text, type: null, isWrite: true }, 'symlink');
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
  }
  if (!preserveTimestamps) return;
  const [atime, mtime] = [stats.atimeMs / 1000, stats.mtimeMs / 1000];
  yield step(target, { op: 'utimes', atime, mtime, isLink: false, isWrite: true }, 'utimes', [atime, mtime]);
}

/** @param {any} entry of a node, or of Node */
function nameOf(entry) {
  return typeof entry === 'string' ? entry : entry[0];
}

/** @param {string} code @param {string} errno @param {string} says @param {string} file */
function problem(code, errno, says, file) {
  const error = new Error(`${says}`);
  return Object.assign(error, { code, syscall: 'cp', path: file, info: { code: errno, message: says, path: file, syscall: 'cp' } });
}

exports.copyTree = copyTree;
