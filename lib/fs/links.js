'use strict';
/*
 * Where a path leads, as the program sees its root. In: a path below it. Out: the same, or another one below it, or word that it leads out.
 * The disk of a copy cannot tell: a link to `../shared` means what is beside the root; from a copy's own folder it would lead elsewhere, or
 * nowhere. And what is outside exists once, and must not be written once for each copy. A device is not the same for a node either
 * (`/dev/stdout`).
 */
const fs = require('node:fs');
const path = require('node:path');
const { realOf } = require('../boot/real-path');
const { EXCLUDED } = require('./modes');
const { isExclusive } = require('./open-flags');
const { Set } = require('../engine');

const { COPYFILE_EXCL, O_NOFOLLOW = 0 } = fs.constants;
/** A node's code for a path that leads out of the root, or to something of Node's own in it. */
const OUTSIDE = 'IGNIS_OUTSIDE';
/** Operations on a link itself, if a path ends at one. */
const OF_LINKS = new Set(['readlink', 'unlink', 'rm', 'rmdir', 'rename', 'symlink']);
/** More links in a row are a circle, for Linux. */
const MOST_LINKS = 40;

/**
 * @typedef {{root: string, realRoot: string, at: (relative: string) => string, readLink: (relative: string) => string}} View readLink: what
 *   it says to the program
 */

class Links {
  #view;

  /** @param {{root: string}} place @param {import('./operations').Operations} operations */
  constructor({ root }, operations) {
    this.#view = {
      root,
      realRoot: realOf(root) ?? root,
      at: (/** @type {string} */ relative) => operations.at(relative),
      readLink: (/** @type {string} */ relative) => operations.run({ op: 'readlink', path: relative }),
    };
  }

  /**
   * @param {any} request
   * @returns {any} the same, with the targets of links that would lead elsewhere on this disk
   * @throws OUTSIDE, with the paths that are not below the root
   */
  followed(request) {
    /** @type {Record<string, string>} */
    const leads = {};
    /** @type {Record<string, string>} */
    const out = {};
    for (const field of /** @type {const} */ (['path', 'to'])) {
      const relative = request[field];
      if (relative === undefined) continue;
      try {
        leads[field] = leadOf(this.#view, relative, !isOfLink(request, field) || relative.endsWith(path.sep));
      } catch (error) {
        if (/** @type {any} */ (error).code !== OUTSIDE) throw error;
        out[field] = /** @type {any} */ (error).outside;
      }
    }
    if (Object.keys(out).length > 0) throw outside(out);
    return leads.path === request.path && leads.to === request.to ? request : { ...request, ...leads };
  }

  /** @param {any} error gets the paths as they were given @param {any} followed @param {any} given */
  asGiven(error, followed, given) {
    if (followed === given) return;
    for (const [field, said] of [
      ['path', 'path'],
      ['to', 'dest'],
    ])
      if (followed[field] !== undefined && error[said] === this.#view.at(followed[field])) error[said] = this.#view.at(given[field]);
  }
}

/** @param {any} request @param {'path' | 'to'} field @returns {boolean} whether it is about the link itself that is there */
function isOfLink({ op, isLink, flag, flags, isRecursive, mode }, field) {
  if (op === 'writeFile' || op === 'create' || op === 'probe') {
    const given = flag ?? flags;
    return (op !== 'probe' && isExclusive(given)) || (typeof given === 'number' && (given & O_NOFOLLOW) !== 0);
  }
  if (op === 'copyFile') return field === 'to' && (mode & COPYFILE_EXCL) !== 0;
  return OF_LINKS.has(op) || isLink === true || (op === 'mkdir' && !isRecursive);
}

/**
 * @param {View} view
 * @param {string} relative
 * @param {boolean} isFollowed whether the target is meant if there is a link
 * @returns {string} where to look for it: the same, unless a link led there that leads elsewhere on this disk
 * @throws OUTSIDE, with its real path
 */
function leadOf(view, relative, isFollowed) {
  const rest = relative.split(path.sep);
  /** @type {string[]} */
  const way = [];
  let isForeign = false;
  for (let links = 0; rest.length > 0;) {
    const name = /** @type {string} */ (rest.shift());
    if (name === '' || name === '.') continue;
    if (name === '..' && way.length > 0) {
      way.pop();
      continue;
    }
    if (name === '..') {
      let above = path.dirname(view.realRoot);
      for (; rest[0] === '..'; rest.shift()) above = path.dirname(above);
      const left = inRoot(view, path.join(above, ...rest));
      if (left === null) throw outside([above === path.sep ? '' : above, ...rest].join(path.sep));
      isForeign = true;
      rest.splice(0, Infinity, ...left.split(path.sep));
      continue;
    }
    if (links > 0 && EXCLUDED.includes(name)) throw outside([view.realRoot, ...way, name, ...rest].join(path.sep));
    way.push(name);
    const said = rest.length > 0 || isFollowed ? linkAt(view, way.join(path.sep)) : null;
    if (said === null) continue;
    links += 1;
    // The system reports a circle.
    if (links > MOST_LINKS) return relative;
    way.pop();
    if (!path.isAbsolute(said)) {
      rest.unshift(...said.split(path.sep));
      continue;
    }
    const below = inRoot(view, said);
    if (below === null) throw outside([said, ...rest].join(path.sep));
    if (said !== view.root && !said.startsWith(view.root + path.sep)) isForeign = true;
    way.length = 0;
    rest.unshift(...below.split(path.sep));
  }
  return isForeign ? way.join(path.sep) + (relative.endsWith(path.sep) ? path.sep : '') : relative;
}

/** @param {View} view @param {string} whole @returns {string | null} relative to the root, by either of its names; null: not below it */
function inRoot({ root, realRoot }, whole) {
  for (const prefix of [root, realRoot]) {
    if (whole === prefix) return '';
    if (whole.startsWith(prefix + path.sep)) return whole.slice(prefix.length + 1);
  }
  return null;
}

/**
 * @param {View} view
 * @param {string} relative
 * @returns {string | null} what the link there says; null: there is none, or nobody can tell
 * @throws OUTSIDE, for a pipe: a node that opens it would wait for its other end, and everybody for the node
 */
function linkAt(view, relative) {
  const stats = statOf(view.at(relative));
  if (stats?.isFIFO()) throw outside(view.at(relative));
  try {
    return stats?.isSymbolicLink() ? view.readLink(relative) : null;
  } catch {
    return null;
  }
}

/** @param {string} file @returns {fs.Stats | null} */
function statOf(file) {
  try {
    return fs.lstatSync(file);
  } catch {
    return null;
  }
}

/** @param {any} where */
function outside(where) {
  return Object.assign(new Error('the path leads out of the root'), { code: OUTSIDE, outside: where });
}

exports.Links = Links;
exports.OUTSIDE = OUTSIDE;
