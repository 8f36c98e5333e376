'use strict';

// How long this thread ran on a core, and how long it waited for one while it had work. In: nothing. Out: ms since the thread began, as
// Linux counts them; always 0 if the system does not tell. Source: the kernel's Documentation/scheduler/sched-stats.rst,
// /proc/<pid>/schedstat: "time spent on the cpu (in nanoseconds)", "time spent waiting on a runqueue (in nanoseconds)".

const { closeSync, openSync, readSync } = require('node:fs');
const { Math, isFinite } = require('../engine');

const FILE = '/proc/thread-self/schedstat';
/** Two counters in ns and one of slices, at most 20 digits each. */
const LENGTH = 64;

/** @typedef {{ranMs: number, waitedMs: number}} Times */

class ThreadTime {
  #isTold = process.platform === 'linux';
  #text = Buffer.alloc(LENGTH);

  /** @returns {Times} costs some 5 us, and many times that in a program that keeps none of this code in the processor's caches */
  read() {
    if (this.#isTold) {
      try {
        const [ran, waited] = this.#readText().split(' ').map(Number);
        if (isFinite(ran) && isFinite(waited)) return { ranMs: ran / 1e6, waitedMs: waited / 1e6 };
      } catch {
        // A kernel without the counters, or a container or Node permissions that hide them: nothing is known then.
      }
      this.#isTold = false;
    }
    return { ranMs: 0, waitedMs: 0 };
  }

  /** The file is not kept open: code that closes all files it does not know would make us read another file. */
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
 * The system also counts the waits of an idle thread that wakes up, and a busy thread that is not on a core may wait for something else.
 *
 * @param {Times} first @param {Times} last @param {number} activeMs between them, by the clock
 * @returns {number} ms of activeMs in which it waited for a core
 */
function waitedBetween(first, last, activeMs) {
  return Math.max(0, Math.min(last.waitedMs - first.waitedMs, activeMs - (last.ranMs - first.ranMs)));
}

exports.ThreadTime = ThreadTime;
exports.waitedBetween = waitedBetween;
