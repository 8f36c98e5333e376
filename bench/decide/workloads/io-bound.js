'use strict';

// A module that waits: many calls pend, each for 20 ms, and none of them needs a processor.

const { ownWork } = require('../home.js');
const { fetchRecord } = require('../modules/store.js');
const { steady } = require('../phases.js');

const WAIT_MS = 20;
const VARIANTS = 64;

/** @type {import('../app.js').Workload} */
module.exports = {
  phases: (seconds) => steady({ clients: 24 }, seconds),
  start: (seed, seen) => async (index) => {
    const variant = index % VARIANTS;
    const { value } = await seen.call('./modules/store.js', () => fetchRecord(seed + variant, WAIT_MS));
    seen.answer(variant, value ^ ownWork(variant));
  },
};
