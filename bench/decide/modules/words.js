'use strict';

// Stems of English words, by natural: one word at a time, or a whole text.
// In: a word or a text. Out: its stem, or the stems of all its words that are no stop words.
// Loading it loads natural, which takes a second and more, in each replica again.

const { PorterStemmer } = require('natural');

/**
 * @param {string} word
 * @returns {string}
 */
function stem(word) {
  return PorterStemmer.stem(word);
}

/**
 * @param {string} text
 * @returns {string[]}
 */
function tokenizeAndStem(text) {
  return PorterStemmer.tokenizeAndStem(text);
}

exports.stem = stem;
exports.tokenizeAndStem = tokenizeAndStem;
