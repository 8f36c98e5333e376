'use strict';

// Load on a running wiki: ninety-nine ordinary pages, one whose link takes uri-js some hundred milliseconds, and so on.
//   node load.js --url http://127.0.0.1:8080 [--rate 100 | --connections 32] [--seconds 10] [--slow 0.01] [--live]
// In: the address. Out: one line of JSON on stdout: requests/s, and latencies of both kinds of pages apart, in milliseconds.
// With --live also a line each second on stderr. It signs up an account and saves the slow page first, as a person would.

const { parseArgs } = require('node:util');
const { saturate } = require('./load/closed.js');
const { offer } = require('./load/open.js');
const { prepare } = require('./load/pages.js');
const { Tally } = require('./load/tally.js');

/**
 * @typedef {object} Load
 * @property {string} url of the wiki
 * @property {number} rate requests begun a second, whatever happens to those before; 0: as many as get answers
 * @property {number} connections used when rate is 0
 * @property {number} seconds
 * @property {number} slow share of requests for the slow page, 0 to 1
 * @property {((second: import('./load/tally.js').Report) => void) | null} [live] called each second
 */

/**
 * @param {Load} load
 * @returns {Promise<import('./load/tally.js').Report>}
 */
async function run(load) {
  const pages = await prepare(load.url, load.slow > 0);
  const tally = new Tally();
  const { live } = load;
  const each = live ? setInterval(() => live(tally.second()), 1000) : undefined;
  try {
    await (load.rate > 0 ? offer(load, pages, tally) : saturate(load, pages, tally));
  } finally {
    clearInterval(each);
  }
  return tally.report();
}

/**
 * @param {Record<string, string | boolean | undefined>} values
 * @param {string} name
 * @returns {number}
 * @throws {Error} when it is not a number of at least 0
 */
function numberOf(values, name) {
  const value = Number(values[name]);
  if (!(value >= 0)) throw new Error(`--${name} takes a number, not ${JSON.stringify(values[name])}`);
  return value;
}

async function main() {
  const { values } = parseArgs({
    options: {
      url: { type: 'string', default: 'http://127.0.0.1:8080' },
      rate: { type: 'string', default: '0' },
      connections: { type: 'string', default: '32' },
      seconds: { type: 'string', default: '10' },
      slow: { type: 'string', default: '0.01' },
      live: { type: 'boolean', default: false },
    },
  });
  const report = await run({
    url: String(values.url),
    rate: numberOf(values, 'rate'),
    connections: numberOf(values, 'connections'),
    seconds: numberOf(values, 'seconds'),
    slow: numberOf(values, 'slow'),
    live: values.live ? (second) => console.error(JSON.stringify(second)) : null,
  });
  console.log(JSON.stringify(report));
}

if (require.main === module) {
  main().catch((error) => {
    console.error(`load: ${error.message}${error.cause ? `: ${error.cause.message}` : ''}`);
    process.exitCode = 1;
  });
}

exports.run = run;
