'use strict';

// Random numbers for sampling, so that no rhythm of a program can hide from it. In: nothing. Out: numbers of a small generator
// (xorshift32), in some nanoseconds. Never use them for secrets.

let state = 0x9e3779b9;

/** @returns {number} a whole number from 0 to 2 ** 32 - 1 */
function nextRandom() {
  state ^= state << 13;
  state ^= state >>> 17;
  state ^= state << 5;
  return state >>> 0;
}

/** @returns {number} at least 0, below 1 */
const chance = () => nextRandom() / 2 ** 32;

exports.chance = chance;
exports.nextRandom = nextRandom;
