'use strict';

// The document pipeline of the Ignis paper, section 8.4, on natural 0.6.3.
// In: a text. Out: what it is about: the most frequent terms and n-grams of sizes 2 to 5, with their counts.
// Pure and synchronous, one call a document: cut by word, the same work would cross the boundary 82,000 times.

const natural = require('natural');

const SIZES = [2, 3, 4, 5];
const TOP = 20;

/**
 * @typedef {object} Ranking
 * @property {number} terms how many, without stop words
 * @property {[string, number][]} top most frequent terms
 * @property {Record<number, [string, number][]>} grams most frequent n-grams by size
 */

/**
 * @param {string} text
 * @returns {Ranking}
 */
function rank(text) {
  // Tokenizes, drops stop words and stems, in one call of natural.
  const stems = natural.PorterStemmer.tokenizeAndStem(text);
  const terms = stems.map(normalize).filter((/** @type {string} */ term) => term.length > 1);
  /** @type {Ranking['grams']} */
  const grams = {};
  for (const size of SIZES)
    grams[size] = frequent(natural.NGrams.ngrams(terms, size).map((/** @type {string[]} */ gram) => gram.join(' ')));
  return { terms: terms.length, top: frequent(terms), grams };
}

/**
 * @param {string} stem
 * @returns {string} without accents, digits and marks
 */
function normalize(stem) {
  return stem
    .normalize('NFKD')
    .toLowerCase()
    .replace(/[^a-z]+/g, '');
}

/**
 * @param {string[]} items
 * @returns {[string, number][]} by count, then by name
 */
function frequent(items) {
  /** @type {Map<string, number>} */
  const counts = new Map();
  for (const item of items) counts.set(item, (counts.get(item) ?? 0) + 1);
  return [...counts].sort((a, b) => b[1] - a[1] || (a[0] < b[0] ? -1 : 1)).slice(0, TOP);
}

exports.rank = rank;
