'use strict';
/*
 * What the recipe of a file system means. In: a recipe in effect. Out: settings, checked as far as only all layers together can be: mode,
 * root, the folders that hold it. `local` is Node's own file system, and needs none. It touches the disk only to find the real path of a
 * root.
 */
const path = require('node:path');
const { realOf } = require('../boot/real-path');
const { IgnisError } = require('../errors');

const LOCAL = 'local';
const EVENTUAL = 'eventual';
const STRONG = 'strong';

/** The file system's own folder, in every folder that holds a copy; no listing shows it. */
const STATE = '.ignis-fs';
/** Paths with such a part never belong to the file system: packages are Node's, histories are their tools'. */
const EXCLUDED = Object.freeze(['node_modules', '.git', STATE]);

/**
 * @typedef {object} Settings
 * @property {'eventual' | 'strong'} mode
 * @property {string} root absolute; paths below it are the file system's
 * @property {string} realRoot without symbolic links
 * @property {readonly string[]} folders absolute, one for each node; the first is the root itself unless `disks` says otherwise
 * @property {number} copies of each file; as many as folders, or fewer: then each file is on this many of them
 * @property {boolean} isSync what is acknowledged is on disk
 * @property {string} [cluster] where the engine is that keeps the log of an eventual one, perhaps with a secret; default: the log is in
 *   files of the root
 * @property {number} [patienceMs] for an eventual one: how long a request waits for holders and the log if nobody says anything; tests wait
 *   less
 * @property {number} [stillMs] for a strong one: how long the owner's process may be stopped while somebody waits for it; tests wait less
 */

/**
 * @param {any} recipe in effect, of the file system's module
 * @param {string} [cwd]
 * @returns {Settings | null} null: Node's own
 * @throws {IgnisError} IGNIS_BAD_RECIPE
 */
function settingsOf(recipe, cwd = process.cwd()) {
  const { fs: mode, copies, disks, sync, cluster } = recipe;
  if (mode !== EVENTUAL && mode !== undefined) refuseCluster(recipe);
  if (mode === undefined || mode === LOCAL) return null;
  const root = path.resolve(cwd, recipe.root ?? '.');
  const count = mode === STRONG ? 1 : copies[1];
  const where = (/** @type {string} */ field) => (recipe.given[field] === undefined ? '' : ` (given in ${recipe.given[field].where})`);
  if (copies[0] !== copies[1] || count < 1)
    throw bad(
      'copies',
      copies,
      `'copies' of fs${where('copies')} must be a whole number of at least 1: it says how many folders hold each file`,
    );
  if (mode === STRONG && recipe.given.copies !== undefined && copies[1] !== 1)
    throw bad('copies', copies, `'copies' is ${copies[1]}${where('copies')}, and fs: 'strong' has one owner, which has the one copy`);
  const named = `'disks'${where('disks')} names ${disks?.length} folder${disks?.length === 1 ? '' : 's'}`;
  if (disks !== undefined && mode === STRONG && disks.length !== 1)
    throw bad('disks', disks, `${named}, and fs: 'strong' has one owner; name one`);
  if (disks !== undefined && disks.length < count)
    throw bad('disks', disks, `${named}, and there are ${count} copies; name at least one for each`);
  const folders = Object.freeze(foldersOf(root, count, disks, cwd));
  const settings = { mode, root, realRoot: realOf(root) ?? root, folders, copies: count, isSync: sync };
  return Object.freeze(cluster === undefined ? settings : { ...settings, cluster });
}

/** Its value is not shown: it may contain a password. @param {any} recipe its files are not `eventual` */
function refuseCluster({ fs: mode, cluster, given }) {
  // One for the whole program is for the hosts of other modules.
  if (cluster === undefined || given.cluster?.by === 'program') return;
  const where = given.cluster === undefined ? '' : ` (given in ${given.cluster.where})`;
  throw bad('cluster', undefined, `'cluster' of fs${where} is where the log of an eventual file system is, and fs: '${mode}' has none`);
}

/** @param {string} root @param {number} count @param {readonly string[] | undefined} disks @param {string} cwd */
function foldersOf(root, count, disks, cwd) {
  if (disks !== undefined) return disks.map((disk) => path.resolve(cwd, disk));
  return Array.from({ length: count }, (_, i) => (i === 0 ? root : path.join(root, STATE, `copy-${i + 1}`)));
}

/** @param {string} field @param {unknown} value @param {string} message */
function bad(field, value, message) {
  return new IgnisError('IGNIS_BAD_RECIPE', message, { field, value });
}

exports.EVENTUAL = EVENTUAL;
exports.EXCLUDED = EXCLUDED;
exports.LOCAL = LOCAL;
exports.STATE = STATE;
exports.STRONG = STRONG;
exports.settingsOf = settingsOf;
