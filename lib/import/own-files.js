'use strict';
/*
 * The files that are loaded because Ignis is: its own, and what they require. In: Node's cache of modules. Out: their paths.
 */
const path = require('node:path');

const LIB = path.join(__dirname, '..', path.sep);

/** @returns {Set<string>} */
function ownFiles() {
  /** @type {Set<string>} */
  const found = new Set();
  const visit = (/** @type {NodeJS.Module | undefined} */ loaded) => {
    if (loaded === undefined || found.has(loaded.filename)) return;
    found.add(loaded.filename);
    loaded.children.forEach(visit);
  };
  for (const file of Object.keys(require.cache)) if (file.startsWith(LIB)) visit(require.cache[file]);
  return found;
}

exports.ownFiles = ownFiles;
