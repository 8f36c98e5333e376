'use strict';
/*
 * Whether a process of this machine is stopped: by a signal, or by a debugger. In: its pid. Out: yes or no, at once. Linux alone tells that in a file; elsewhere, and where the file cannot be read, nobody is said to be.
 */
const fs = require('node:fs');

const STOPPED = /^State:\s+[Tt]/m;

/** @param {number} pid @returns {boolean} */
function isStopped(pid) {
  if (process.platform !== 'linux' || pid === 0) return false;
  try {
    return STOPPED.test(fs.readFileSync(`/proc/${pid}/status`, 'latin1'));
  } catch {
    return false;
  }
}

exports.isStopped = isStopped;
