'use strict';
/*
 * The clock that membership and leases go by: this process's own, monotonic, never compared with another's. In: when to be woken. Out:
 * milliseconds, and ends of waits. Its timers keep no program alive. Tests give one that they turn by hand.
 */
const { clearTimeout, performance, setTimeout } = require('../engine');

/** @typedef {{now: () => number, after: (ms: number, run: () => void) => () => void}} Clock after: gives what calls it off */

/** @type {Clock} */
const OWN_CLOCK = Object.freeze({
  now: () => performance.now(),
  after(ms, run) {
    const timer = setTimeout(run, ms).unref();
    return () => clearTimeout(timer);
  },
});

exports.OWN_CLOCK = OWN_CLOCK;
