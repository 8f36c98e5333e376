'use strict';

// fs: the disk is shared with everybody, and file descriptors belong to one process.

/** @type {import('../lib/types').ShippedRecipe} */
module.exports = {
  package: 'node:fs',
  versions: [],
  evidence:
    'A file descriptor, watcher or stream that was opened in a replica means nothing at home. The paper keeps fs cold too (section 6, table 2).',
  threads: 'it stays at home.',
  pays: [],
  recipe: { cold: true },
};
