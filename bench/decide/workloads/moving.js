'use strict';

// Load that moves from one module to another at one moment. Measured over both halves, the change included.

const { ownWork } = require('../home.js');
const { rank } = require('../modules/rank.js');
const { render } = require('../modules/render.js');

const ROUNDS = 3_000_000;
const VARIANTS = 16;

/** @type {import('../app.js').Workload} */
module.exports = {
  phases: (seconds) => [
    { name: 'start', seconds: 2, load: { clients: 1, thinkMs: 100 }, isMeasured: false },
    { name: 'first', seconds: 2 * seconds, load: { clients: 16 }, isMeasured: true },
    { name: 'second', seconds: 2 * seconds, load: { clients: 16 }, isMeasured: true },
  ],
  start: (seed, seen) => async (index, phase) => {
    const variant = index % VARIANTS;
    const value =
      phase === 'second'
        ? await seen.call('./modules/rank.js', () => rank(seed + variant, ROUNDS))
        : await seen.call('./modules/render.js', () => render(seed + variant, ROUNDS));
    seen.answer(phase === 'second' ? VARIANTS + variant : variant, value ^ ownWork(variant));
  },
};
