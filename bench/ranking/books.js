'use strict';

// Books that nobody wrote.
// In: a seed and a size. Out: English-looking text in chapters, paragraphs and sentences, the same for the same seed.
// The words follow Zipf's law as those of real books do: the common ones are real function words, the others are made of
// syllables and English endings, so that tokenizer, stop words and stemmer have as much to do as with a real book.

const { generator } = require('../../examples/wiki/load/pages.js');

const COMMON = (
  'the of and to a in that it was his he with is for as had you not be her on at by which have or from this him ' +
  'but all she they were my are me one their so an said them we who would been will no when there if more out up into'
).split(' ');
const STARTS = 'b br c ch cl d dr f fl g gr h j k l m n p pl pr qu r s sh st str t th tr v w'.split(' ');
const MIDDLES = 'a e i o u ai ea ee ou oa'.split(' ');
const ENDS = 'b ck d ft g l ll m n nd nt p r rd rm s ss st t th v'.split(' ');
const SUFFIXES = ['', '', '', '', 's', 's', 'ed', 'ing', 'ly', 'er', 'ness', 'ation', 'ment', 'able', 'ional', 'fulness'];
const STEMS = 9000;
const EXPONENT = 1.05;

/**
 * @param {() => number} random
 * @returns {string[]} most common first
 */
function vocabulary(random) {
  const pick = (/** @type {string[]} */ list) => list[Math.floor(random() * list.length)];
  const words = new Set(COMMON);
  while (words.size < STEMS) {
    const syllables = 1 + Math.floor(random() * 2.4);
    let word = '';
    for (let index = 0; index < syllables; index++) word += pick(STARTS) + pick(MIDDLES);
    words.add(word + pick(ENDS) + pick(SUFFIXES));
  }
  return [...words];
}

/**
 * @param {number} count
 * @returns {Float64Array} rising to 1: the share of the words up to each rank
 */
function zipf(count) {
  const shares = new Float64Array(count);
  let sum = 0;
  for (let rank = 0; rank < count; rank++) shares[rank] = sum += 1 / (rank + 2.7) ** EXPONENT;
  return shares.map((share) => share / sum);
}

/**
 * @param {Float64Array} shares
 * @param {number} point
 * @returns {number} the first rank whose share is above the point
 */
function rankAt(shares, point) {
  let low = 0;
  let high = shares.length - 1;
  while (low < high) {
    const middle = (low + high) >> 1;
    if (shares[middle] > point) high = middle;
    else low = middle + 1;
  }
  return low;
}

/**
 * @param {number} seed
 * @param {number} [bytes] about how many; default 1,000,000
 * @returns {string} ASCII
 */
function book(seed, bytes = 1e6) {
  const random = generator(seed);
  const words = vocabulary(generator(1));
  const shares = zipf(words.length);
  const parts = [];
  let length = 0;
  for (let chapter = 1; length < bytes; chapter++) {
    parts.push(`\n\nCHAPTER ${chapter}\n\n`);
    for (let paragraph = 0; paragraph < 40 && length < bytes; paragraph++) {
      const text = `${Array.from({ length: 2 + Math.floor(random() * 7) }, () => sentence(random, words, shares)).join(' ')}\n\n`;
      parts.push(text);
      length += text.length;
    }
  }
  return parts.join('');
}

/**
 * @param {() => number} random
 * @param {string[]} words
 * @param {Float64Array} shares
 * @returns {string}
 */
function sentence(random, words, shares) {
  const picked = Array.from(
    { length: 4 + Math.floor(random() * 22) },
    () => words[rankAt(shares, random())] + (random() < 0.07 ? ',' : ''),
  );
  const text = picked.join(' ').replace(/,$/, '');
  return text[0].toUpperCase() + text.slice(1) + (random() < 0.08 ? '?' : '.');
}

exports.book = book;
