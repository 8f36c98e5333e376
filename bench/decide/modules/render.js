'use strict';

// A pure function that keeps the event loop for as long as it is told: a template, a parser, a compressor.
// In: a number and how many rounds. Out: a number that depends on both. The same work wherever and whenever it runs.

/** In pieces, as ../home.js says: not so many of them that the loop over these is a long one, too. */
const PIECE = 50_000;

/**
 * @param {number} seed
 * @param {number} rounds a million takes about a millisecond or two
 * @returns {number}
 */
function render(seed, rounds) {
  let state = seed | 0;
  for (let round = 0; round < rounds; round += PIECE) state = mix(state, round, Math.min(round + PIECE, rounds));
  return state >>> 0;
}

/** @param {number} state @param {number} from @param {number} to @returns {number} */
function mix(state, from, to) {
  for (let round = from; round < to; round++) {
    state = Math.imul(state ^ (state >>> 15), 0x2c1b3c6d);
    state = (state + round) | 0;
  }
  return state;
}

exports.render = render;
