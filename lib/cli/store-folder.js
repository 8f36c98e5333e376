'use strict';

// The folder in which a daemon keeps code, before it is used. In: its path. Out: it is this daemon's alone as long as the daemon runs; or an error that says what is in the way.

const path = require('node:path');
const { IgnisError } = require('../errors.js');
const { tryLock, unlock } = require('../fs/lock.js');

/** It is to make room, which it does as soon as code comes. */
const FULL = ['ENOSPC', 'EDQUOT'];

/**
 * Two daemons would take away what the other one's replicas load, and neither would find what was sent to it.
 *
 * @param {string} folder that is there
 * @returns {() => void} gives it up again
 * @throws {IgnisError} IGNIS_BAD_OPTION when another daemon of this machine has it, or it cannot be written
 */
function holdStore(folder) {
  const file = path.join(folder, 'lock');
  /** @type {number | null} */
  let owner = null;
  try {
    owner = tryLock(file);
  } catch (error) {
    const { code } = /** @type {NodeJS.ErrnoException} */ (error);
    if (!FULL.includes(String(code))) throw new IgnisError('IGNIS_BAD_OPTION', `the store ${folder} cannot be written (${code})`);
  }
  if (owner === null) return () => unlock(file);
  throw new IgnisError(
    'IGNIS_BAD_OPTION',
    `the store ${folder} is that of another daemon (process ${owner}): each needs a --store of its own`,
  );
}

exports.holdStore = holdStore;
