'use strict';

// The same hot module under requests that come when they like: about 65 % of what home can answer, so nothing is lost, but
// each waits for those before it.

const { ownWork } = require('../home.js');
const { render } = require('../modules/render.js');
const { steady } = require('../phases.js');

const ROUNDS = 3_000_000;
const VARIANTS = 16;

/** @type {import('../app.js').Workload} */
module.exports = {
  phases: (seconds) => steady({ rate: 100 }, 2 * seconds),
  start: (seed, seen) => async (index) => {
    const variant = index % VARIANTS;
    const page = await seen.call('./modules/render.js', () => render(seed + variant, ROUNDS));
    seen.answer(variant, page ^ ownWork(variant));
  },
};
