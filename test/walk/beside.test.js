'use strict';

// An async function that also gets a callback: its caller waits for the promise, wherever the function runs.

const assert = require('node:assert/strict');
const path = require('node:path');
const { Distributed } = require('../helpers/distributed');

const FILE = path.join(__dirname, '../fixtures/late/beside.js');

describe('a callback beside a promise', function () {
  this.timeout(15_000);

  for (const where of /** @type {const} */ (['thread', 'process'])) {
    it(`leaves the promise the answer: ${where}`, async () => {
      const on = new Distributed(FILE, { hot: true, pure: true, copies: [0, 1] }, where);
      try {
        const seen = async () => {
          /** @type {number[]} */
          const sums = [];
          const result = await on.lib.work([1, 2, 3], (/** @type {number} */ sum) => sums.push(sum));
          return { result, sums };
        };
        // The first calls tell what kind of function it is.
        assert.deepEqual(await seen(), { result: 6, sums: [1, 3, 6] });
        assert.deepEqual(await seen(), { result: 6, sums: [1, 3, 6] });
        await on.set.resize(1);
        assert.deepEqual(await seen(), { result: 6, sums: [1, 3, 6] });
      } finally {
        await on.close();
      }
    });
  }
});
