'use strict';

// Load on a running weblog: reads of its entries, one after the other on each connection.
//   node load.js --url http://127.0.0.1:8081 [--fill 100] [--bytes 1100000] [--connections 16] [--seconds 10]
// In: the address. Out: one line of JSON on stdout: requests/s, latencies in milliseconds, and how many requests failed. `--fill` writes so
// many entries first, of so many bytes each.

const { parseArgs } = require('node:util');
const autocannon = require('autocannon');

/** @param {number} seed @param {number} length @returns {string} words that no store makes much shorter, the same each time */
function textOf(seed, length) {
  const words = ['What was written here is of no interest, but long.'];
  let state = seed;
  for (let size = words[0].length; size < length; size += words[words.length - 1].length + 1) {
    // A linear congruential generator (Numerical Recipes).
    state = (Math.imul(state, 1664525) + 1013904223) >>> 0;
    words.push(state.toString(36));
  }
  return words.join(' ').slice(0, length);
}

/** @param {string} url @param {number} count @param {number} bytes @returns {Promise<string[]>} their addresses */
async function fill(url, count, bytes) {
  const addresses = [];
  for (let i = 1; i <= count; i++) {
    const text = textOf(i, bytes);
    const response = await fetch(`${url}/new`, {
      method: 'POST',
      body: new URLSearchParams({ title: `Entry ${i}`, text }),
      redirect: 'manual',
    });
    await response.arrayBuffer();
    if (response.status !== 302) throw new Error(`entry ${i} was answered with ${response.status}`);
    addresses.push(String(response.headers.get('location')));
  }
  return addresses;
}

/**
 * @param {{url: string, addresses: string[], connections: number, seconds: number}} load
 * @returns {Promise<{requests: number, p50: number, p90: number, p99: number, p999: number, failed: number}>} requests: a second
 */
async function read({ url, addresses, connections, seconds }) {
  const requests = addresses.map((path) => ({ path }));
  const result = await autocannon({ url, connections, duration: seconds, requests });
  const { p50, p90, p99, p99_9: p999 } = result.latency;
  return { requests: result['2xx'] / result.duration, p50, p90, p99, p999, failed: result.errors + result.timeouts + result.non2xx };
}

async function main() {
  const { values } = parseArgs({
    options: {
      url: { type: 'string', default: 'http://127.0.0.1:8081' },
      fill: { type: 'string', default: '0' },
      bytes: { type: 'string', default: '1100000' },
      connections: { type: 'string', default: '16' },
      seconds: { type: 'string', default: '10' },
    },
  });
  const addresses = await fill(values.url, Number(values.fill), Number(values.bytes));
  if (addresses.length === 0) {
    const list = await (await fetch(values.url)).text();
    addresses.push(...[...list.matchAll(/href="(\/entry\/\d+)"/g)].map(([, address]) => address));
  }
  const load = { url: values.url, addresses, connections: Number(values.connections), seconds: Number(values.seconds) };
  console.log(JSON.stringify(await read(load)));
}

if (require.main === module) main();

exports.fill = fill;
exports.read = read;
