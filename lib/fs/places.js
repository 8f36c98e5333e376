'use strict';
/*
 * To whom a path belongs. In: a path as a program gives it to `fs`: text, bytes, URL. Out: its place below the root of a distributed file
 * system, or null: it is Node's. Packages (`node_modules`), histories (`.git`), and all that is not below the root never belong to the file
 * system. The disk is touched only if a path goes up again below the root (`link/../file`): only the link says what that means.
 */
const fs = require('node:fs');
const path = require('node:path');
const { fileURLToPath } = require('node:url');
const types = require('node:util/types');
const { EXCLUDED } = require('./modes');

/**
 * @typedef {{courier: import('./courier').Courier, root: string, realRoot: string, at: string, given: string}} Place at: relative to the
 *   root; given: in the program's words, for errors
 */

/** @param {unknown} value @returns {string | null} null: it is none, and Node says what is wrong */
function textOf(value) {
  if (typeof value === 'string') return value.includes('\0') ? null : value;
  if (typeof value !== 'object' || value === null) return null;
  if (types.isUint8Array(value)) return Buffer.from(value).toString();
  try {
    return fileURLToPath(/** @type {URL} */ (value));
  } catch {
    return null;
  }
}

class Places {
  #courier;
  #roots;

  /** @param {import('./courier').Courier} courier */
  constructor(courier) {
    this.#courier = courier;
    const { root, realRoot } = courier.settings;
    this.#roots = root === realRoot ? [root] : [root, realRoot];
  }

  get courier() {
    return this.#courier;
  }

  /** @param {unknown} value @returns {Place | null} */
  of(value) {
    const place = this.#in(value);
    return place === null || ownBegin(place.at) !== -1 ? null : place;
  }

  /**
   * @param {unknown} value a path that is Node's own
   * @returns {Place | null} the folder of the root that contains all of that path and would be in its way; null: there is none
   */
  around(value) {
    const place = this.#in(value);
    if (place === null) return null;
    const begin = ownBegin(place.at);
    return begin < 1 ? null : { ...place, at: place.at.split(path.sep).slice(0, begin).join(path.sep) };
  }

  /** @param {string} given @returns {string} absolute, without going up again */
  #whole(given) {
    if (!given.includes('..')) return path.resolve(given);
    let way = path.resolve(path.parse(given).root);
    for (const part of given.split(path.sep)) {
      if (part === '..' && this.#roots.some((root) => isBelow(way, root))) way = followedLink(way);
      way = path.resolve(way, part);
    }
    return way;
  }

  /** @param {unknown} value @returns {Place | null} */
  #in(value) {
    const given = textOf(value);
    if (given === null || given === '') return null;
    const whole = this.#whole(given);
    const prefix = this.#roots.find((root) => whole === root || isBelow(whole, root));
    if (prefix === undefined) return null;
    const below = path.relative(prefix, whole);
    // `file/` is an error if `file` is no folder.
    const at = below !== '' && given.endsWith(path.sep) ? below + path.sep : below;
    const { root, realRoot } = this.#courier.settings;
    return { courier: this.#courier, root, realRoot, at, given };
  }
}

/** @param {string} whole @param {string} root */
function isBelow(whole, root) {
  return whole.startsWith(root.endsWith(path.sep) ? root : root + path.sep);
}

/** @param {string} folder @returns {string} its real path, if it is a link */
function followedLink(folder) {
  try {
    return fs.lstatSync(folder).isSymbolicLink() ? fs.realpathSync(folder) : folder;
  } catch {
    return folder;
  }
}

/** @param {string} at @returns {number} the index of its first part that is Node's own; -1: none */
function ownBegin(at) {
  return at.split(path.sep).findIndex((part) => EXCLUDED.includes(part));
}

exports.Places = Places;
exports.textOf = textOf;
