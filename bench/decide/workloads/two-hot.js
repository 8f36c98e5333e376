'use strict';

// Two hot modules: each request calls one of them and then the other, which takes half as long.

const { ownWork } = require('../home.js');
const { rank } = require('../modules/rank.js');
const { render } = require('../modules/render.js');
const { steady } = require('../phases.js');

const RENDER_ROUNDS = 3_000_000;
const RANK_ROUNDS = 1_500_000;
const VARIANTS = 16;

/** @type {import('../app.js').Workload} */
module.exports = {
  phases: (seconds) => steady({ clients: 16 }, seconds),
  start: (seed, seen) => async (index) => {
    const variant = index % VARIANTS;
    const order = await seen.call('./modules/rank.js', () => rank(seed + variant, RANK_ROUNDS));
    const page = await seen.call('./modules/render.js', () => render(order, RENDER_ROUNDS));
    seen.answer(variant, page ^ ownWork(variant));
  },
};
