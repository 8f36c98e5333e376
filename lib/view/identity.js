'use strict';

// Which process a report is of. In: nothing but the process. Out: a plain record, the same for all of its life.

const { usableCores } = require('../cores');

/** @param {number} startedAt ms since the epoch */
function identityOf(startedAt) {
  const { version: ignis } = require('../../package.json');
  const program = process.argv[1] ?? '';
  return { ignis, node: process.version, cpus: usableCores(), pid: process.pid, program, startedAt };
}

exports.identityOf = identityOf;
