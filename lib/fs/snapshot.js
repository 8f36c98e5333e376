'use strict';
/*
 * Brings a folder level with another, if the log does not reach back far enough. In: what the other contains. Out: the files whose contents
 * are wanted, then these contents, piece by piece. What is already the same is not touched: kind, size, mode, and time of the last change.
 */
const fs = require('node:fs');
const path = require('node:path');
const { EXCLUDED } = require('./modes');
const { Map } = require('../engine');

/**
 * @typedef {{path: string, kind: 'file' | 'folder' | 'link', size: number, mode: number, mtimeUs: number, target: string, holders?:
 *   string[], isElsewhere?: boolean}} Item mtimeUs: whole microseconds, which is what Node can set; target: of a link, as the program sees
 *   it; holders: who has its contents, if this node has a pointer to them; isElsewhere: its contents are not wanted here
 */

/** @param {import('./operations').Operations} operations @returns {Item[]} folders before their contents */
function survey(operations) {
  /** @type {Item[]} */
  const items = [];
  const visit = (/** @type {string} */ folder) => {
    for (const name of fs.readdirSync(operations.at(folder)).sort()) {
      if (EXCLUDED.includes(name)) continue;
      const relative = folder === '' ? name : path.join(folder, name);
      const stats = fs.lstatSync(operations.at(relative), { bigint: true });
      const kind = stats.isFile() ? 'file' : stats.isDirectory() ? 'folder' : stats.isSymbolicLink() ? 'link' : null;
      // Sockets and devices belong to this machine alone.
      if (kind === null) continue;
      const target = kind === 'link' ? operations.run({ op: 'readlink', path: relative }) : '';
      const pointer = kind === 'file' ? operations.pointerAt(relative) : null;
      items.push({
        path: relative,
        kind,
        size: kind === 'file' ? (pointer?.size ?? Number(stats.size)) : 0,
        mode: Number(stats.mode) & 0o7777,
        mtimeUs: Number(stats.mtimeNs / 1000n),
        target,
        ...(pointer === null ? {} : { holders: pointer.holders }),
      });
      if (kind === 'folder') visit(relative);
    }
  };
  visit('');
  return items;
}

/** The middle of the microsecond: a fraction of a second is not exact, and Node cuts off the rest. @param {Item} item */
function secondsOf({ mtimeUs }) {
  return (mtimeUs + 0.5) / 1e6;
}

/** @param {Item} one @param {Item} other */
function isSame(one, other) {
  if (one.kind !== other.kind) return false;
  if (one.kind === 'link') return one.target === other.target;
  return one.kind === 'folder' || (one.size === other.size && one.mtimeUs === other.mtimeUs);
}

/**
 * Removes what the other does not have, and makes its folders and links.
 *
 * @param {import('./operations').Operations} operations
 * @param {Item[]} wanted
 * @returns {Item[]} files whose contents must be put
 */
function level(operations, wanted) {
  const byPath = new Map(wanted.map((item) => [item.path, item]));
  const own = new Map(survey(operations).map((item) => [item.path, item]));
  for (const item of own.values()) {
    const other = byPath.get(item.path);
    const isGone = other === undefined || other.kind !== item.kind || (item.kind === 'link' && !isSame(item, other));
    if (!isGone) continue;
    fs.rmSync(operations.at(item.path), { recursive: true, force: true });
    for (const below of own.keys()) if (below === item.path || below.startsWith(item.path + path.sep)) own.delete(below);
  }
  const lacking = [];
  for (const item of wanted) {
    if (item.isElsewhere) continue;
    const mine = own.get(item.path);
    if (item.kind === 'folder' && mine === undefined) fs.mkdirSync(operations.at(item.path), { recursive: true });
    if (item.kind === 'link' && mine === undefined) operations.run({ op: 'symlink', path: item.path, target: item.target });
    if (item.kind === 'file' && (mine === undefined || mine.holders !== undefined || !isSame(mine, item))) lacking.push(item);
    else if (item.kind !== 'link' && mine?.mode !== item.mode) fs.chmodSync(operations.at(item.path), item.mode);
  }
  return lacking;
}

/**
 * @param {import('./operations').Operations} operations
 * @param {Item} item
 * @param {Uint8Array} data
 * @param {number} position
 * @param {boolean} isLast
 * @param {string} [aside] where it is put together, so that its place keeps the old contents until all new ones are there
 */
function put(operations, item, data, position, isLast, aside) {
  const file = aside ?? operations.at(item.path);
  // A new file: the mode of the old one may forbid writing to it.
  if (position === 0) fs.rmSync(file, { force: true });
  const fd = fs.openSync(file, position === 0 ? 'wx' : 'r+', 0o600);
  try {
    for (let done = 0; done < data.length;) done += fs.writeSync(fd, data, done, data.length - done, position + done);
    if (!isLast) return;
    fs.fchmodSync(fd, item.mode);
    fs.futimesSync(fd, secondsOf(item), secondsOf(item));
    fs.fsyncSync(fd);
  } finally {
    fs.closeSync(fd);
  }
  if (aside !== undefined) fs.renameSync(aside, operations.at(item.path));
}

/** @param {import('./operations').Operations} operations @param {string} source a folder to take over, once */
function seed(operations, source) {
  if (!fs.existsSync(source)) return;
  fs.cpSync(source, operations.at(''), {
    recursive: true,
    preserveTimestamps: true,
    verbatimSymlinks: true,
    filter: (file) => !EXCLUDED.includes(path.basename(file)) || file === source,
  });
}

exports.isSame = isSame;
exports.level = level;
exports.put = put;
exports.secondsOf = secondsOf;
exports.seed = seed;
exports.survey = survey;
