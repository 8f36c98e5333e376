'use strict';

// One hot pure module: as many requests as it can answer, each with one call of some milliseconds.

const { ownWork } = require('../home.js');
const { render } = require('../modules/render.js');
const { steady } = require('../phases.js');

const ROUNDS = 3_000_000;
const VARIANTS = 16;

/** @type {import('../app.js').Workload} */
module.exports = {
  phases: (seconds) => steady({ clients: 16 }, seconds),
  start: (seed, seen) => async (index) => {
    const variant = index % VARIANTS;
    const page = await seen.call('./modules/render.js', () => render(seed + variant, ROUNDS));
    seen.answer(variant, page ^ ownWork(variant));
  },
};
