'use strict';

// Eight megabytes of plain objects as an argument, and a few milliseconds of work on them: copying them loses.

const { ownWork } = require('../home.js');
const { total } = require('../modules/catalogue.js');
const { steady } = require('../phases.js');
const { generator } = require('../random.js');

const ARTICLES = 70_000;
const VARIANTS = 8;

/** @type {import('../app.js').Workload} */
module.exports = {
  phases: (seconds) => steady({ clients: 4 }, seconds),
  start: (seed, seen) => {
    const random = generator(seed);
    const number = (/** @type {number} */ below) => Math.floor(random() * below);
    const articles = Array.from({ length: ARTICLES }, (_, id) => ({
      id,
      name: `article number ${id} of this catalogue, ${number(1e6)}`,
      price: number(100_000),
      size: { width: number(1000), height: number(1000) },
    }));
    return async (index) => {
      const variant = index % VARIANTS;
      const sum = await seen.call('./modules/catalogue.js', () => total(articles, variant * 1000));
      seen.answer(variant, sum ^ ownWork(variant));
    };
  },
};
