'use strict';

// Many callers of a module whose calls compute about a millisecond and then wait for 50: far more of them pend than run. The program itself
// has as much to do.

const { ownWork } = require('../home.js');
const { publish } = require('../modules/publish.js');
const { steady } = require('../phases.js');

const ROUNDS = 500_000;
const WAIT_MS = 50;
const OWN_ROUNDS = 750_000;
const VARIANTS = 16;

/** @type {import('../app.js').Workload} */
module.exports = {
  phases: (seconds) => steady({ clients: 200 }, seconds),
  start: (seed, seen) => async (index) => {
    const variant = index % VARIANTS;
    const page = await seen.call('./modules/publish.js', () => publish(seed + variant, ROUNDS, WAIT_MS));
    seen.answer(variant, page ^ ownWork(variant, OWN_ROUNDS));
  },
};
