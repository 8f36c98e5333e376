'use strict';

// A pure function that keeps the event loop for as long as it is told: a template, a parser, a compressor.
// In: a number and how many rounds. Out: a number that depends on both. The same work wherever and whenever it runs.

/**
 * @param {number} seed
 * @param {number} rounds a million takes about a millisecond or two
 * @returns {number}
 */
function render(seed, rounds) {
  let state = seed | 0;
  for (let round = 0; round < rounds; round++) {
    state = Math.imul(state ^ (state >>> 15), 0x2c1b3c6d);
    state = (state + round) | 0;
  }
  return state >>> 0;
}

exports.render = render;
