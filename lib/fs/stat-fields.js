'use strict';
/*
 * What a node sends the program of a file's state and a folder's entries: plain numbers. Pure.
 */
const { constants } = require('node:fs');

/** @type {any} not listed by @types/node */
const types = constants;

const STAT_FIELDS = Object.freeze(
  /** @type {const} */ ([
    'dev',
    'mode',
    'nlink',
    'uid',
    'gid',
    'rdev',
    'blksize',
    'ino',
    'size',
    'blocks',
    'atimeNs',
    'mtimeNs',
    'ctimeNs',
    'birthtimeNs',
  ]),
);

/** @param {any} stats of bigints @returns {bigint[]} */
function fieldsOf(stats) {
  return STAT_FIELDS.map((field) => stats[field]);
}

/** @param {import('node:fs').Dirent} entry @returns {number} as Dirent takes it */
function typeOf(entry) {
  if (entry.isFile()) return types.UV_DIRENT_FILE;
  if (entry.isDirectory()) return types.UV_DIRENT_DIR;
  if (entry.isSymbolicLink()) return types.UV_DIRENT_LINK;
  if (entry.isFIFO()) return types.UV_DIRENT_FIFO;
  if (entry.isSocket()) return types.UV_DIRENT_SOCKET;
  if (entry.isCharacterDevice()) return types.UV_DIRENT_CHAR;
  return entry.isBlockDevice() ? types.UV_DIRENT_BLOCK : types.UV_DIRENT_UNKNOWN;
}

exports.FOLDER = types.UV_DIRENT_DIR;
exports.STAT_FIELDS = STAT_FIELDS;
exports.fieldsOf = fieldsOf;
exports.typeOf = typeOf;
