'use strict';

// Prepares the folder in which a daemon keeps code. In: its path, and which user replicas run as. Out: the folder belongs to this daemon
// alone while it runs, and replicas can read what is in it; or an error that says what is in the way.

const { execFileSync } = require('node:child_process');
const path = require('node:path');
const { IgnisError } = require('../errors.js');
const { tryLock, unlock } = require('../fs/lock.js');
const { isOfFullDisk } = require('../host/store.js');

/** Prints the first of its arguments that cannot be read. */
const FIRST_UNREADABLE = 'for place; do [ -r "$place" ] || { printf %s "$place"; exit; }; done';

/**
 * Two daemons would remove what the other's replicas load, and neither would find what was sent to it.
 *
 * @param {string} folder exists
 * @param {(owner: number) => void} onTaken another daemon, in another container, has it now, since this one stood still for too long
 * @returns {() => void} gives it up
 * @throws {IgnisError} IGNIS_BAD_OPTION when another daemon of this machine has it, or it cannot be written
 */
function holdStore(folder, onTaken) {
  const file = path.join(folder, 'lock');
  /** @type {number | null} */
  let owner = null;
  try {
    owner = tryLock(file, onTaken);
  } catch (error) {
    const { code } = /** @type {NodeJS.ErrnoException} */ (error);
    // A full store makes room as soon as code comes.
    if (!isOfFullDisk(error)) throw new IgnisError('IGNIS_BAD_OPTION', `the store ${folder} cannot be written (${code})`);
  }
  if (owner === null) return () => unlock(file);
  throw new IgnisError('IGNIS_BAD_OPTION', `another daemon (process ${owner}) uses the store ${folder}: each daemon needs its own --store`);
}

/**
 * The system is asked as that user, since permissions of all folders above count too.
 *
 * @param {{uid: number, gid: number} | null} user null: the daemon's
 * @param {string} name of that user
 * @param {readonly string[]} places that replicas read
 * @throws {IgnisError} IGNIS_BAD_OPTION when they could not
 */
function checkReach(user, name, places) {
  if (user === null) return;
  let place;
  try {
    const options = { ...user, cwd: path.sep, stdio: /** @type {any} */ (['ignore', 'pipe', 'ignore']) };
    place = String(execFileSync('/bin/sh', ['-c', FIRST_UNREADABLE, 'sh', ...places], options));
  } catch {
    // Without a shell, nobody can tell here; a replica that cannot start will.
    return;
  }
  if (place !== '')
    throw new IgnisError(
      'IGNIS_BAD_OPTION',
      `replicas run as '${name}', who may not read ${place}: move it to where that user may read it, or name another user with --user`,
    );
}

exports.checkReach = checkReach;
exports.holdStore = holdStore;
