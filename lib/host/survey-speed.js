'use strict';
/*
 * How fast this machine runs JavaScript, measured once: steps of a fixed loop in a microsecond, the best of several short runs, since
 * others may run too. In: nothing. Out: a number that is only good for comparing with another host's.
 */
const { Math, performance } = require('../engine');

const STEPS = 200_000;
const RUNS = 12;

/** @param {number} steps @returns {number} */
function loop(steps) {
  let x = 1;
  for (let i = 0; i < steps; i++) x = (Math.imul(x ^ (x >>> 15), 0x2c1b3c6d) + i) | 0;
  return x;
}

/** @returns {number} blocks for some milliseconds */
function measureSpeed() {
  let best = Infinity;
  for (let run = 0; run < RUNS; run++) {
    const start = performance.now();
    loop(STEPS);
    best = Math.min(best, performance.now() - start);
  }
  return Math.round((STEPS / 1000 / Math.max(best, 1e-3)) * 10) / 10;
}

exports.measureSpeed = measureSpeed;
