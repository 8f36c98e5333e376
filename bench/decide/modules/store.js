'use strict';

// A client of something far away: almost all of a call is waiting, on a timer here as on a socket elsewhere.
// In: a key and how long the other side takes. Out: a promise of a record.

const { setTimeout: sleep } = require('node:timers/promises');

/**
 * @param {number} key
 * @param {number} ms
 * @returns {Promise<{key: number, value: number}>}
 */
async function fetchRecord(key, ms) {
  await sleep(ms);
  return { key, value: Math.imul(key + 1, 0x2c1b3c6d) >>> 0 };
}

exports.fetchRecord = fetchRecord;
