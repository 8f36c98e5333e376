'use strict';

// The texts that the jobs on words work on.
// In: a seed. Out: some texts of 82,000 words each, as long as the documents of the paper's pipeline (section 8.4).

const { book } = require('../ranking/books.js');

const WORDS = 82_000;
const TEXTS = 4;
const ENOUGH_BYTES = 640_000;

/**
 * @param {number} seed
 * @returns {string[]}
 * @throws {Error} when a book was too short to cut so many words from
 */
function texts(seed) {
  return Array.from({ length: TEXTS }, (_, index) => {
    const words = book(seed * TEXTS + index, ENOUGH_BYTES).match(/[A-Za-z]+/g) ?? [];
    if (words.length < WORDS) throw new Error(`a book of ${ENOUGH_BYTES} bytes has only ${words.length} words`);
    return words.slice(0, WORDS).join(' ');
  });
}

exports.WORDS = WORDS;
exports.texts = texts;
