'use strict';
/*
 * All distributed file systems of a program, one for each root. In: what the recipe of an import of `fs` says. Out: the `fs` for the
 * importing file, or null for Node's own. Nodes start when a file is first used, not at the import. Few programs have any, so their code is
 * loaded with the first one.
 */
const path = require('node:path');
const { isDeepStrictEqual } = require('node:util');
const { IgnisError } = require('../errors');
const { settingsOf } = require('./modes');
const { Map, Promise } = require('../engine');

class Files {
  /** @type {Map<string, {courier: import('./courier').Courier, facade: import('./facade').Facade}>} by root */
  #roots = new Map();
  #hasWarned = false;

  /**
   * @param {any} recipe in effect for fs
   * @returns {any} what replaces Node's `fs`; null: nothing
   * @throws {IgnisError} IGNIS_BAD_RECIPE
   */
  of(recipe) {
    const settings = settingsOf(recipe);
    if (settings === null) return null;
    const known = this.#roots.get(settings.root);
    if (known !== undefined) {
      if (!isDeepStrictEqual(known.courier.settings, settings)) throw conflict(settings.root, known.courier.settings, settings);
      return known.facade.fs;
    }
    for (const other of this.#roots.keys()) {
      const [outer, inner] = [other, settings.root].sort((a, b) => a.length - b.length);
      if (inner.startsWith(outer.endsWith(path.sep) ? outer : outer + path.sep)) throw nested(outer, inner);
    }
    const { Courier } = require('./courier');
    const { Facade } = require('./facade');
    const courier = new Courier(settings);
    const facade = new Facade(courier);
    this.#roots.set(settings.root, { courier, facade });
    return facade.fs;
  }

  /** A module will run elsewhere, with Node's `fs`. @param {string} module */
  noteReplica(module) {
    if (this.#roots.size === 0 || this.#hasWarned) return;
    this.#hasWarned = true;
    const { warn } = require('./courier');
    const roots = [...this.#roots.keys()].join(', ');
    warn(
      `replicas of ${module} use Node's own fs: what they write below ${roots} bypasses the distributed file system; keep modules that use files there at home (cold: true)`,
    );
  }

  /** @returns {Promise<void>} when all nodes were told to end */
  async close() {
    await Promise.all([...this.#roots.values()].map(({ courier }) => courier.close()));
    this.#roots.clear();
  }
}

/** @param {string} root @param {any} one @param {any} other */
function conflict(root, one, other) {
  const said = (/** @type {any} */ { mode, folders, copies, cluster }) =>
    `fs: '${mode}' with ${folders.length === 1 ? 'one folder' : `${folders.length} folders`}${copies < folders.length ? ` and ${copies} of them for each file` : ''}${cluster === undefined ? '' : ' and its log in a cluster'}`;
  return new IgnisError('IGNIS_BAD_RECIPE', `two imports of fs say different things about ${root}: ${said(one)}, and ${said(other)}`, {
    field: 'fs',
  });
}

/** @param {string} outer @param {string} inner */
function nested(outer, inner) {
  return new IgnisError('IGNIS_BAD_RECIPE', `one root of fs lies in another: ${inner} in ${outer}; name roots that are apart`, {
    field: 'root',
  });
}

exports.Files = Files;
