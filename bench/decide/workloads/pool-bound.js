'use strict';

// A module whose work libuv's pool does: four threads fill the processors already, and calls queue for them.

const { ownWork } = require('../home.js');
const { hash } = require('../modules/passwords.js');
const { steady } = require('../phases.js');

const ITERATIONS = 40_000;
const VARIANTS = 16;

/** @type {import('../app.js').Workload} */
module.exports = {
  phases: (seconds) => steady({ clients: 16 }, seconds),
  start: (seed, seen) => async (index) => {
    const variant = index % VARIANTS;
    const hex = await seen.call('./modules/passwords.js', () => hash(`password ${variant}`, `salt ${seed}`, ITERATIONS));
    seen.answer(variant, Number.parseInt(hex.slice(0, 8), 16) ^ ownWork(variant));
  },
};
