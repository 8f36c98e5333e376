'use strict';

// A function that computes and then waits for somebody else: a page that is made and stored, a query that is built and sent.
// In: a number, how many rounds, and how long the other side takes. Out: a promise of a number that depends on the first two.

const { setTimeout: sleep } = require('node:timers/promises');
const { render } = require('./render.js');

/**
 * Two that are alike, by turns, which keeps the engine from putting the loop into `publish` itself: there, in an asynchronous function, it
 * takes twice as long, from the thousandth call on of one process, and never in the next.
 */
const RENDERERS = [
  (/** @type {number} */ seed, /** @type {number} */ rounds) => render(seed, rounds),
  (/** @type {number} */ seed, /** @type {number} */ rounds) => render(seed, rounds),
];

/**
 * @param {number} seed
 * @param {number} rounds
 * @param {number} ms
 * @returns {Promise<number>}
 */
async function publish(seed, rounds, ms) {
  const page = RENDERERS[seed % 2](seed, rounds);
  await sleep(ms);
  return page;
}

exports.publish = publish;
