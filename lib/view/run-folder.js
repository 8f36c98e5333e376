'use strict';
/*
 * Where programs keep their monitor sockets: a folder of the user's own that nobody else can enter. In: the environment. Out: the folder,
 * made and checked; the sockets in it, named by us (PID-NAME.sock); removal of those that nobody serves any more. A folder that others can
 * enter is never used.
 */
const { lstatSync, readdirSync, unlinkSync } = require('node:fs');
const path = require('node:path');
const privateFolder = require('../boot/private-folder');
const { isGone } = require('../host/processes');
const { Math, Promise } = require('../engine');
const { knockAt } = require('./knock');

/** Longest path of a socket, bytes: with the zero at its end, there is room for 108 on Linux and 104 elsewhere. */
const MOST_BYTES = 103;

/** Room for the shortest name that says enough: '/', a pid, a thread, '.sock'. */
const NAME_BYTES = 24;

/** A socket exists a moment before anybody listens at it, ms. */
const YOUNG_MS = 5000;

const ENTRY = /^(\d{1,10})(?:\.(\d{1,6}))?(?:-(.*))?\.sock$/;

/**
 * @typedef {object} Entry
 * @property {number} pid
 * @property {number} thread 0: the main one
 * @property {string} name of the program, as far as there was room
 * @property {string} place path of the socket
 */

/**
 * @param {Record<string, string | undefined>} [env]
 * @returns {string[]} folders that may be used, the best first
 */
function candidates(env) {
  return privateFolder.candidates(env).filter((folder) => Buffer.byteLength(folder) + NAME_BYTES <= MOST_BYTES);
}

/**
 * @param {Record<string, string | undefined>} [env]
 * @returns {string | null} a folder of our own, made if it was missing; null: none can be trusted
 */
function openFolder(env) {
  return privateFolder.openFirst(candidates(env));
}

/**
 * @param {string} folder
 * @param {{pid: number, thread: number, name: string}} program
 * @returns {string} path of its socket, with as much of the name as there is room for
 */
function placeOf(folder, { pid, thread, name }) {
  const start = path.join(folder, thread === 0 ? `${pid}` : `${pid}.${thread}`);
  const room = MOST_BYTES - Buffer.byteLength(start) - '-.sock'.length;
  const short = name.replace(/[^\w.@+-]+/g, '_').slice(0, Math.max(0, Math.min(40, room)));
  return `${start}${short === '' ? '' : `-${short}`}.sock`;
}

/** @param {Record<string, string | undefined>} [env] @returns {Entry[]} what is in all folders of ours, by pid */
function entries(env) {
  /** @type {Entry[]} */
  const found = [];
  for (const folder of candidates(env)) {
    for (const file of filesIn(folder)) {
      const match = ENTRY.exec(file);
      if (match === null) continue;
      found.push({ pid: Number(match[1]), thread: Number(match[2] ?? 0), name: match[3] ?? '', place: path.join(folder, file) });
    }
  }
  return found.sort((a, b) => a.pid - b.pid || a.thread - b.thread);
}

/** @param {string} folder @returns {string[]} empty if it is not ours alone, or is being removed */
function filesIn(folder) {
  try {
    return privateFolder.isPrivate(folder) ? readdirSync(folder) : [];
  } catch {
    return [];
  }
}

/** @param {number} pid @returns {boolean} whether such a process exists, whoever owns it */
const isAlive = (pid) => !isGone({ pid, since: '' });

/**
 * Removes a socket that nobody serves. Its process may be in another container that shares the folder, so we ask the socket, even if the
 * process seems dead.
 *
 * @param {string} place
 * @returns {Promise<boolean>} whether it is gone; never rejects, and keeps no program alive
 */
function removeStale(place) {
  return new Promise((resolve) => {
    const socket = knockAt(place);
    socket.once('connect', () => {
      socket.destroy();
      resolve(false);
    });
    socket.once('error', (/** @type {NodeJS.ErrnoException} */ error) => resolve(error.code === 'ECONNREFUSED' && remove(place)));
  });
}

/**
 * If the last file looked at is a socket, `fs.realpathSync` takes the next path for one too, and follows no link in it: the next `require`
 * would find another file. A look with bigints is not remembered so.
 *
 * @param {string} place @returns {boolean}
 */
function remove(place) {
  try {
    if (Date.now() - Number(lstatSync(place, { bigint: true }).mtimeMs) < YOUNG_MS) return false;
    unlinkSync(place);
    return true;
  } catch {
    return false;
  }
}

exports.MOST_BYTES = MOST_BYTES;
exports.candidates = candidates;
exports.entries = entries;
exports.isAlive = isAlive;
exports.openFolder = openFolder;
exports.placeOf = placeOf;
exports.removeStale = removeStale;
