'use strict';
/*
 * The arguments of Node for Ignis's own threads and processes, which load nothing of the program. In: nothing. Out: none, unless the files
 * of Ignis are in an archive: then what reads archives, since without it Node finds no file of ours.
 */
const { createRequire } = require('node:module');

/** @returns {string[]} a new list each time */
function ownArguments() {
  // Yarn's Plug'n'Play: it identifies itself only to files that it manages.
  if (process.versions.pnp === undefined) return [];
  try {
    return ['--require', createRequire(__filename).resolve('pnpapi')];
  } catch {
    return [];
  }
}

exports.ownArguments = ownArguments;
