'use strict';
/*
 * Makes folders. In: a path, and the mode of what is made. Out: the folder, with those above it. It never touches one that is there, and
 * always comes back.
 */
const { chmodSync, existsSync, mkdirSync } = require('node:fs');
const { dirname } = require('node:path');

/**
 * Makes a folder that may be there already, and those above it. With `recursive: true` Node (20 to 24 tried) never comes back where a
 * folder is there but says ENOENT of what is to be made in it, as /proc does.
 *
 * @param {string} folder
 * @param {number} [mode] of all that are made, whatever the umask
 * @throws {Error} of node:fs, when it cannot be made
 */
function makeFolder(folder, mode) {
  const above = dirname(folder);
  if (existsSync(folder) || above === folder) return;
  makeFolder(above, mode);
  try {
    mkdirSync(folder, { mode });
    if (mode !== undefined) chmodSync(folder, mode);
  } catch (error) {
    // Somebody else was quicker.
    if (/** @type {NodeJS.ErrnoException} */ (error).code !== 'EEXIST') throw error;
  }
}

exports.makeFolder = makeFolder;
