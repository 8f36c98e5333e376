'use strict';

// A large value, and a few milliseconds of work on a page of it: copying the value costs many times what the work does.
// In: a list of articles. Out: the sum of some of their fields.
// A page, since a walk over all of them waits for memory, and how long depends on where the engine has put them: 1.5 to 2.6 ms in processes
// that differ in what they had loaded before the list was made, whatever that was.

/**
 * @typedef {object} Article
 * @property {number} id
 * @property {string} name
 * @property {number} price
 * @property {{width: number, height: number}} size
 */

const PAGE = 1000;
const PASSES = 800;

/**
 * @param {Article[]} articles
 * @param {number} least price
 * @returns {number}
 */
function total(articles, least) {
  const page = articles.slice(least, least + PAGE);
  let sum = 0;
  for (let pass = 0; pass < PASSES; pass++) sum = (sum + totalOf(page, least, pass)) >>> 0;
  return sum;
}

/** @param {Article[]} page @param {number} least @param {number} pass */
function totalOf(page, least, pass) {
  let sum = 0;
  for (const { price, size } of page) if (price >= least) sum = (sum + Math.imul(price, size.width + pass)) >>> 0;
  return sum;
}

exports.total = total;
