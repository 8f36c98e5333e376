'use strict';

// Which process a report is about. In: only the process. Out: a record that stays the same for its whole life, except the program, if a
// tool loads that later.

const { usableCores } = require('../cores');

const INSTALLED = /[\\/]node_modules[\\/]/;

/** @param {number} startedAt ms since the epoch */
function identityOf(startedAt) {
  const { version: ignis } = require('../../package.json');
  return {
    ignis,
    node: process.version,
    cpus: usableCores(),
    pid: process.pid,
    get program() {
      return programNow();
    },
    startedAt,
  };
}

/**
 * @returns {string} what was started; if that is an installed tool that has loaded a file as Node's main module in its place (pm2), that
 *   file
 */
function programNow() {
  const started = process.argv[1] ?? '';
  const main = process.mainModule?.filename;
  return INSTALLED.test(started) && typeof main === 'string' && !INSTALLED.test(main) ? main : started;
}

exports.identityOf = identityOf;
