'use strict';

// A large value, and a short walk over it: copying the value costs many times what the walk does.
// In: a list of articles. Out: the sum of some of their fields.

/**
 * @typedef {object} Article
 * @property {number} id
 * @property {string} name
 * @property {number} price
 * @property {{width: number, height: number}} size
 */

/**
 * @param {Article[]} articles
 * @param {number} least price
 * @returns {number}
 */
function total(articles, least) {
  let sum = 0;
  for (let pass = 0; pass < 6; pass++) {
    for (const { price, size } of articles) if (price >= least) sum = (sum + Math.imul(price, size.width + pass)) >>> 0;
  }
  return sum;
}

exports.total = total;
