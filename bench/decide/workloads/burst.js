'use strict';

// Two seconds of saturating load between long stretches of almost none. Measured over all of it but the start.

const { ownWork } = require('../home.js');
const { render } = require('../modules/render.js');

const ROUNDS = 3_000_000;
const VARIANTS = 16;
const CALM = { clients: 1, thinkMs: 100 };

/** @type {import('../app.js').Workload} */
module.exports = {
  phases: () => [
    { name: 'start', seconds: 2, load: CALM, isMeasured: false },
    { name: 'calm', seconds: 1, load: CALM, isMeasured: true },
    { name: 'burst', seconds: 2, load: { clients: 16 }, isMeasured: true },
    { name: 'after', seconds: 9, load: CALM, isMeasured: true },
  ],
  start: (seed, seen) => async (index) => {
    const variant = index % VARIANTS;
    const page = await seen.call('./modules/render.js', () => render(seed + variant, ROUNDS));
    seen.answer(variant, page ^ ownWork(variant));
  },
};
