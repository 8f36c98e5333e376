'use strict';

// Saturation: each of n links asks for the next page as soon as it has the one before (autocannon).
// In: the load and the pages. Out: a tally. It measures capacity; its latencies say how long the queue is, no more.

const autocannon = require('autocannon');
const { order } = require('./pages.js');

const TIMEOUT_SECONDS = 60;

/**
 * @param {import('../load.js').Load} load
 * @param {import('./pages.js').Pages} pages
 * @param {import('./tally.js').Tally} tally
 * @returns {Promise<void>}
 */
function saturate(load, pages, tally) {
  // One order for all links: however many requests they have got answers to, one in a hundred of them was for the slow page.
  const next = order(pages, load.slow, 1);
  tally.start();
  return new Promise((resolve, reject) => {
    const run = autocannon(
      {
        url: load.url,
        connections: load.connections,
        duration: load.seconds,
        timeout: TIMEOUT_SECONDS,
        setupClient: (/** @type {any} */ one) => follow(one, next, tally),
      },
      (/** @type {Error | null} */ error) => (error ? reject(error) : resolve()),
    );
    run.on('done', () => tally.stop());
    run.on('reqError', (/** @type {any} */ error) => tally.failed(error?.code ?? 'no answer'));
  });
}

/**
 * autocannon tells a client's listeners the status and the time but not which request it was; the request's own
 * onResponse runs just before, and the next one is set up after both.
 * @param {any} client
 * @param {() => import('./pages.js').Page} next
 * @param {import('./tally.js').Tally} tally
 */
function follow(client, next, tally) {
  /** @type {import('./pages.js').Page['kind']} */
  let asked = 'ordinary';
  /** @type {import('./pages.js').Page['kind']} */
  let answered = 'ordinary';
  const request = {
    method: 'GET',
    setupRequest: (/** @type {object} */ given) => {
      const { path, kind } = next();
      asked = kind;
      return { ...given, path };
    },
    onResponse: () => {
      answered = asked;
    },
  };
  client.setRequests([request]);
  client.on('response', (/** @type {number} */ status, /** @type {number} */ _bytes, /** @type {number} */ ms) => {
    if (status === 200) tally.answered(answered, ms);
    else tally.failed(`status ${status}`);
  });
}

exports.saturate = saturate;
