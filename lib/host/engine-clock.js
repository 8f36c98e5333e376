'use strict';
/*
 * The clock for membership and leases: this process's own, monotonic, never compared with another's. In: when to be woken. Out:
 * milliseconds, and ends of waits. Its timers keep no program alive. Tests use one that they turn by hand.
 */
const { clearTimeout, performance, setTimeout } = require('../engine');

/** @typedef {{now: () => number, after: (ms: number, run: () => void) => () => void}} Clock after: returns a function that cancels it */

/** @type {Clock} */
const OWN_CLOCK = Object.freeze({
  now: () => performance.now(),
  after(ms, run) {
    const timer = setTimeout(run, ms).unref();
    return () => clearTimeout(timer);
  },
});

exports.OWN_CLOCK = OWN_CLOCK;
