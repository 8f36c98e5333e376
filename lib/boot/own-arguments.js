'use strict';
/*
 * With which arguments of Node Ignis starts threads and processes that are its own, and load nothing of the program. In: nothing. Out:
 * none, unless the files of Ignis lie in an archive: then what reads archives, without which Node finds no file of ours.
 */
const { createRequire } = require('node:module');

/** @returns {string[]} anew each time */
function ownArguments() {
  // Yarn's Plug'n'Play: it names itself to files that are in its care, and to no others.
  if (process.versions.pnp === undefined) return [];
  try {
    return ['--require', createRequire(__filename).resolve('pnpapi')];
  } catch {
    return [];
  }
}

exports.ownArguments = ownArguments;
