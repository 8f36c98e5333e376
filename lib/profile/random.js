'use strict';

// Random numbers for what is sampled, so that no rhythm of a program hides from it. In: nothing. Out: numbers of a small generator
// (xorshift32), in some nanoseconds. Of no use for secrets.

let state = 0x9e3779b9;

/** @returns {number} a whole number from 0 to 2 ** 32 - 1 */
function nextRandom() {
  state ^= state << 13;
  state ^= state >>> 17;
  state ^= state << 5;
  return state >>> 0;
}

exports.nextRandom = nextRandom;
