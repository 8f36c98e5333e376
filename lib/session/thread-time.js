'use strict';

// How long this thread ran on a core, and waited for one while it had something to do.
// In: nothing. Out: ms since the thread began, as Linux counts them; 0 for ever where the system does not tell.
// Source: the kernel's Documentation/scheduler/sched-stats.rst, /proc/<pid>/schedstat: "time spent on the cpu (in nanoseconds)", "time spent waiting on a runqueue (in nanoseconds)".

const { readFileSync } = require('node:fs');

const FILE = '/proc/thread-self/schedstat';

/** @typedef {{ranMs: number, waitedMs: number}} Times */

class ThreadTime {
  #isTold = process.platform === 'linux';

  /** @returns {Times} it costs some 15 us */
  read() {
    if (this.#isTold) {
      try {
        const [ran, waited] = readFileSync(FILE, 'latin1').split(' ').map(Number);
        if (Number.isFinite(ran) && Number.isFinite(waited)) return { ranMs: ran / 1e6, waitedMs: waited / 1e6 };
      } catch {
        // A kernel without the counters, a container or Node's own permissions that hide them: then nothing is known.
      }
      this.#isTold = false;
    }
    return { ranMs: 0, waitedMs: 0 };
  }
}

/**
 * The system also counts what an idle thread waits before it wakes up, and a busy one that is not on a core may wait for something else.
 * @param {Times} first @param {Times} last @param {number} activeMs between them, by the clock
 * @returns {number} ms of activeMs in which it waited for a core
 */
function waitedBetween(first, last, activeMs) {
  return Math.max(0, Math.min(last.waitedMs - first.waitedMs, activeMs - (last.ranMs - first.ranMs)));
}

exports.ThreadTime = ThreadTime;
exports.waitedBetween = waitedBetween;
