'use strict';

// Processor time of a process that is not this one, as Linux tells it: in nanoseconds by the scheduler (proc(5), schedstat), where the
// ticks of `stat` are 10 ms each. In: a process id. Out: milliseconds that its living threads have computed. Elsewhere than on Linux: NaN,
// so that a missing figure shows as such.

const fs = require('node:fs');

/**
 * @param {number} pid
 * @returns {number} ms since its start; what a thread took that has ended is not in it
 */
function processorMs(pid) {
  try {
    let ns = 0;
    for (const task of fs.readdirSync(`/proc/${pid}/task`)) ns += ofTask(`/proc/${pid}/task/${task}/schedstat`);
    return ns / 1e6;
  } catch {
    return NaN;
  }
}

/** @param {string} file @returns {number} ns; 0 when the thread has ended meanwhile */
function ofTask(file) {
  try {
    return Number(fs.readFileSync(file, 'utf8').split(' ')[0]);
  } catch {
    return 0;
  }
}

exports.processorMs = processorMs;
