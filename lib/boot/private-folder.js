'use strict';
/*
 * Folders of the user's own that nobody else can enter: for sockets, and for compiled code. In: the environment. Out: the folder, made if
 * it was missing, and checked. A folder that is not ours alone, or that others could replace (as when root has the variables of a user), is
 * never used.
 */
const fs = require('node:fs');
const os = require('node:os');
const path = require('node:path');

const { lstatSync, mkdirSync, realpathSync, statSync } = fs;

/**
 * @param {Record<string, string | undefined>} [env]
 * @returns {string[]} folders that may be used, the best first
 */
function candidates(env = process.env) {
  const user = `ignis-${process.getuid?.() ?? 'user'}`;
  const runtime = env.XDG_RUNTIME_DIR;
  const all = [path.join(os.tmpdir(), user), path.join('/tmp', user)];
  if (runtime !== undefined && path.isAbsolute(runtime)) all.unshift(path.join(runtime, 'ignis'));
  return all.filter((folder, index) => all.indexOf(folder) === index);
}

/**
 * @param {string} folder
 * @returns {boolean} whether it is a folder, ours, and nobody else can enter it, or put another in its place
 */
function isPrivate(folder) {
  try {
    const found = lstatSync(folder);
    if (!found.isDirectory() || found.uid !== process.getuid?.() || (found.mode & 0o077) !== 0) return false;
    return isOutOfReach(path.dirname(folder), [found.uid, statSync('/').uid]);
  } catch {
    return false;
  }
}

/**
 * A folder of root may belong to another root in a container; whoever owns `/` could do anything.
 *
 * @param {string} above a folder
 * @param {number[]} trusted users
 * @returns {boolean} whether nobody else may rename it, or what is in it
 */
function isOutOfReach(above, trusted) {
  for (let at = realpathSync.native(above); ; at = path.dirname(at)) {
    const { mode, uid } = statSync(at);
    // In a sticky folder that everybody may write to, such as /tmp, people own only what is theirs.
    if (!trusted.includes(uid) || (mode & 0o1002) === 0o002) return false;
    if (at === path.dirname(at)) return true;
  }
}

/**
 * @param {string[]} folders the best first
 * @returns {string | null} the first that is ours, made if it was missing; null: none can be trusted
 */
function openFirst(folders) {
  for (const folder of folders) {
    try {
      mkdirSync(folder, { mode: 0o700 });
    } catch {
      // It exists, or cannot be made: the check tells.
    }
    if (isPrivate(folder)) return folder;
  }
  return null;
}

exports.candidates = candidates;
exports.isPrivate = isPrivate;
exports.openFirst = openFirst;
