'use strict';

// child_process: a child belongs to the process that started it.

/** @type {import('../lib/types').ShippedRecipe} */
module.exports = {
  package: 'node:child_process',
  versions: [],
  evidence: 'Signals, exit codes, inherited file descriptors and IPC reach the parent process only.',
  threads: 'it stays at home.',
  pays: [],
  recipe: { cold: true },
};
