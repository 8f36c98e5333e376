'use strict';

// The usual course of a run: the same load all the time, measured after those who decide have had time to.
// In: a load and how long. Out: phases.

/** @typedef {import('./load.js').Load} Load */
/** @typedef {import('./load.js').Phase} Phase */

const WARM_SECONDS = 4;

/**
 * @param {Load} load
 * @param {number} seconds measured
 * @param {number} [warmSeconds] before that; a module that takes long to load needs more
 * @returns {Phase[]}
 */
function steady(load, seconds, warmSeconds = WARM_SECONDS) {
  return [
    { name: 'warm', seconds: warmSeconds, load, isMeasured: false },
    { name: 'steady', seconds, load, isMeasured: true },
  ];
}

exports.steady = steady;
