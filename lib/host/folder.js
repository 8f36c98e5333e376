'use strict';
/*
 * Makes folders. In: a path, and the mode for new folders. Out: the folder, and those above it. It never touches an existing one, and
 * always returns.
 */
const { chmodSync, existsSync, mkdirSync } = require('node:fs');
const { dirname } = require('node:path');

/**
 * Makes a folder, if it is missing, and those above it. With `recursive: true`, Node (20 to 24 tried) never returns if a folder exists but
 * answers ENOENT for anything made in it, as /proc does.
 *
 * @param {string} folder
 * @param {number} [mode] of all new ones, whatever the umask
 * @throws {Error} an error of node:fs when it cannot be made
 */
function makeFolder(folder, mode) {
  const above = dirname(folder);
  if (existsSync(folder) || above === folder) return;
  makeFolder(above, mode);
  try {
    mkdirSync(folder, { mode });
    if (mode !== undefined) chmodSync(folder, mode);
  } catch (error) {
    // Somebody else was faster.
    if (/** @type {NodeJS.ErrnoException} */ (error).code !== 'EEXIST') throw error;
  }
}

exports.makeFolder = makeFolder;
