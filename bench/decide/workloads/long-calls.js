'use strict';

// Many short calls and, one in two hundred, a long one: the loop is idle most of the time, and yet every short call that
// meets a long one waits for it.

const { ownWork } = require('../home.js');
const { render } = require('../modules/render.js');
const { steady } = require('../phases.js');

const SHORT_ROUNDS = 1_000_000;
const LONG_ROUNDS = 60_000_000;
const EVERY = 200;
const VARIANTS = 16;

/** @type {import('../app.js').Workload} */
module.exports = {
  phases: (seconds) => steady({ rate: 120 }, 2 * seconds),
  start: (seed, seen) => async (index) => {
    const isLong = index % EVERY === EVERY / 2;
    const variant = isLong ? VARIANTS : index % VARIANTS;
    const page = await seen.call('./modules/render.js', () => render(seed + variant, isLong ? LONG_ROUNDS : SHORT_ROUNDS));
    seen.answer(variant, page ^ ownWork(variant));
  },
};
