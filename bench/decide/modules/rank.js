'use strict';

// A second pure function, in a module of its own, so that two modules can press at a time or one after the other.
// In: a number and how many rounds. Out: a number that depends on both.

/** In pieces, as ../home.js says: not so many of them that the loop over these is a long one, too. */
const PIECE = 50_000;

/**
 * @param {number} seed
 * @param {number} rounds
 * @returns {number}
 */
function rank(seed, rounds) {
  let state = seed | 1;
  for (let round = 0; round < rounds; round += PIECE) state = mix(state, round, Math.min(round + PIECE, rounds));
  return state >>> 0;
}

/** @param {number} state @param {number} from @param {number} to @returns {number} */
function mix(state, from, to) {
  for (let round = from; round < to; round++) {
    state = Math.imul(state ^ (state >>> 13), 0x297a2d39);
    state = (state + round) | 0;
  }
  return state;
}

exports.rank = rank;
