'use strict';

// The folder in which a daemon keeps code, before it is used. In: its path, and whom replicas run as. Out: it is this daemon's alone as
// long as the daemon runs, and replicas can read what lies there; or an error that says what is in the way.

const { execFileSync } = require('node:child_process');
const path = require('node:path');
const { IgnisError } = require('../errors.js');
const { tryLock, unlock } = require('../fs/lock.js');
const { isOfFullDisk } = require('../host/store.js');

/** Prints the first of its arguments that cannot be read. */
const FIRST_UNREADABLE = 'for place; do [ -r "$place" ] || { printf %s "$place"; exit; }; done';

/**
 * Two daemons would take away what the other one's replicas load, and neither would find what was sent to it.
 *
 * @param {string} folder that is there
 * @param {(owner: number) => void} onTaken another daemon, in another container, has it now, as this one stood still for long
 * @returns {() => void} gives it up again
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
    // A full one makes room as soon as code comes.
    if (!isOfFullDisk(error)) throw new IgnisError('IGNIS_BAD_OPTION', `the store ${folder} cannot be written (${code})`);
  }
  if (owner === null) return () => unlock(file);
  throw new IgnisError('IGNIS_BAD_OPTION', `another daemon (process ${owner}) uses the store ${folder}: each daemon needs its own --store`);
}

/**
 * Asked of the system as that user, since rights come from every folder above, too.
 *
 * @param {{uid: number, gid: number} | null} user null: as the daemon itself
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
    // Without a shell nobody says so; a replica that cannot start does.
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
