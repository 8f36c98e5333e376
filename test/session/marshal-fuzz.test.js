'use strict';

const { inspect } = require('node:util');
const { WAYS, NAMED_WAYS } = require('./round-trip');
const { RandomValue } = require('./random-value');
const { sameGraph } = require('./same-graph');
const { Random } = require('../helpers/random');

const COUNT = 50000;

/** @param {any} value some of which even inspect cannot show */
function show(value) {
  try {
    return inspect(value, { depth: 6 }).slice(0, 800);
  } catch {
    return 'a value that cannot be shown';
  }
}

describe(`${COUNT} random values`, function () {
  this.timeout(60000);

  it('come out as they went in, with the same objects shared, by each way in turn', () => {
    const random = new Random(1927);
    const values = new RandomValue(random);
    for (let i = 0; i < COUNT; i++) {
      const value = values.make();
      const way = NAMED_WAYS[i % NAMED_WAYS.length];
      try {
        sameGraph(value, WAYS[way](value));
      } catch (error) {
        throw new Error(`value ${i} by ${way}: ${/** @type {any} */ (error).message}\n${show(value)}`, { cause: error });
      }
    }
  });
});
