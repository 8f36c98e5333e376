'use strict';

// A function that computes and then waits for somebody else: a page that is made and stored, a query that is built and sent.
// In: a number, how many rounds, and how long the other side takes. Out: a promise of a number that depends on the first two.

const { setTimeout: sleep } = require('node:timers/promises');
const { render } = require('./render.js');

/**
 * @param {number} seed
 * @param {number} rounds
 * @param {number} ms
 * @returns {Promise<number>}
 */
async function publish(seed, rounds, ms) {
  const page = render(seed, rounds);
  await sleep(ms);
  return page;
}

exports.publish = publish;
