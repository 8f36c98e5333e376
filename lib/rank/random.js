'use strict';

// Random numbers that are the same in every run. In: a seed. Out: a generator of numbers from 0 to 1. Never use them for secrets.

const { Math } = require('../engine');

/**
 * mulberry32 (Tommy Ettinger, public domain): one 32-bit word of state, passes the usual tests, some nanoseconds a number.
 * @param {number} seed a whole number
 * @returns {() => number} at least 0, below 1
 */
function randomFrom(seed) {
  let state = seed | 0;
  return () => {
    state = (state + 0x6d2b79f5) | 0;
    let mixed = Math.imul(state ^ (state >>> 15), 1 | state);
    mixed = (mixed + Math.imul(mixed ^ (mixed >>> 7), 61 | mixed)) ^ mixed;
    return ((mixed ^ (mixed >>> 14)) >>> 0) / 4294967296;
  };
}

exports.randomFrom = randomFrom;
