'use strict';

// A fixed offered load: request number i is due at i / rate seconds, whether or not those before have an answer.
// In: the load and the pages. Out: a tally; a latency counts from the moment the request was due.
//
// Why not autocannon here: its overallRate sends the requests of a second at its start, as fast as answers come, each link
// waits for its answer before it goes on, and it makes up for what it did not send by adding values to the histogram, one a
// millisecond. Real users come at any time, and do not wait for each other.

const http = require('node:http');
const { order } = require('./pages.js');

const PATIENCE_MS = 20000;
const MAX_SOCKETS = 512;
// The server closes what was idle for five seconds; a request sent at that moment would be lost, and nobody's fault. Node 20's
// agent does not keep clear of it by itself, so idle sockets go sooner.
const IDLE_MS = 2000;

/**
 * @param {import('../load.js').Load} load
 * @param {import('./pages.js').Pages} pages
 * @param {import('./tally.js').Tally} tally
 * @returns {Promise<void>} when every request has its answer, or has been given up
 */
function offer(load, pages, tally) {
  const agent = new http.Agent({ keepAlive: true, maxSockets: MAX_SOCKETS, timeout: IDLE_MS });
  const next = order(pages, load.slow, 1);
  const total = Math.round(load.rate * load.seconds);
  const begun = performance.now();
  tally.start();
  let sent = 0;
  let open = 0;
  return new Promise((resolve) => {
    const ended = () => {
      if (--open > 0 || sent < total) return;
      agent.destroy();
      resolve();
    };
    const send = () => {
      const now = performance.now();
      while (sent < total && begun + (sent * 1000) / load.rate <= now) {
        const due = begun + (sent++ * 1000) / load.rate;
        open++;
        tally.sent(now - due);
        ask(agent, load.url, next(), due, tally, ended);
      }
      if (sent < total) setTimeout(send, Math.max(0, begun + (sent * 1000) / load.rate - performance.now()));
      else tally.stop();
    };
    send();
  });
}

/**
 * @param {http.Agent} agent
 * @param {string} url
 * @param {import('./pages.js').Page} page
 * @param {number} due
 * @param {import('./tally.js').Tally} tally
 * @param {() => void} ended called once
 */
function ask(agent, url, page, due, tally, ended) {
  let isOver = false;
  /** @param {string | null} failure */
  const over = (failure) => {
    if (isOver) return;
    isOver = true;
    if (failure === null) tally.answered(page.kind, performance.now() - due);
    else tally.failed(failure);
    ended();
  };
  const request = http.get(new URL(page.path, url), { agent, timeout: PATIENCE_MS }, (response) => {
    response.on('end', () => over(response.statusCode === 200 ? null : `status ${response.statusCode}`));
    response.on('error', (error) => over(error.message));
    response.resume();
  });
  request.on('timeout', () => request.destroy(new Error('no answer')));
  request.on('error', (error) => over(/** @type {any} */ (error).code ?? error.message));
}

exports.offer = offer;
