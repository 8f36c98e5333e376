'use strict';

// How long this thread ran on a core, and waited for one while it had something to do.
// In: nothing. Out: ms since the thread began, as Linux counts them; 0 for ever where the system does not tell.
// Source: the kernel's Documentation/scheduler/sched-stats.rst, /proc/<pid>/schedstat: "time spent on the cpu (in nanoseconds)", "time
// spent waiting on a runqueue (in nanoseconds)".

const { closeSync, openSync, readSync } = require('node:fs');
const { Math, isFinite } = require('../engine');

const FILE = '/proc/thread-self/schedstat';
/** Two counters of ns and one of slices, 20 digits each at most. */
const LENGTH = 64;

/** @typedef {{ranMs: number, waitedMs: number}} Times */

class ThreadTime {
  #isTold = process.platform === 'linux';
  #text = Buffer.alloc(LENGTH);

  /** @returns {Times} it costs some 5 us, and many times that in a program that leaves none of this code in the processor's caches */
  read() {
    if (this.#isTold) {
      try {
        const [ran, waited] = this.#readText().split(' ').map(Number);
        if (isFinite(ran) && isFinite(waited)) return { ranMs: ran / 1e6, waitedMs: waited / 1e6 };
      } catch {
        // A kernel without the counters, a container or Node's own permissions that hide them: then nothing is known.
      }
      this.#isTold = false;
    }
    return { ranMs: 0, waitedMs: 0 };
  }

  /** The file is not kept open: whoever closes all files that it does not know would have us read another one. */
  #readText() {
    const file = openSync(FILE, 'r');
    try {
      return this.#text.toString('latin1', 0, readSync(file, this.#text, 0, LENGTH, 0));
    } finally {
      closeSync(file);
    }
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
