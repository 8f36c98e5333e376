'use strict';

// Finds pages by the words in them.
// In: a question and the pages. Out: the pages that hold every word, best first, each with a piece of its text.
// Reads the files at each search: a few hundred pages take milliseconds, and nothing can be out of date.

const MAX_WORDS = 8;
const MAX_RESULTS = 50;
const EXCERPT = 160;

/**
 * @typedef {object} Hit
 * @property {string} name
 * @property {number} score
 * @property {string} excerpt plain text around the first word
 */

/**
 * @param {import('./pages.js').Pages} pages
 * @param {string} question
 * @returns {Promise<Hit[]>}
 */
async function search(pages, question) {
  const words = [...new Set(question.toLowerCase().match(/[\p{L}\p{N}]+/gu) ?? [])].slice(0, MAX_WORDS);
  if (words.length === 0) return [];
  const names = await pages.list();
  const hits = await Promise.all(names.map(async (name) => score(name, (await pages.read(name)) ?? '', words)));
  return hits
    .filter((hit) => hit.score > 0)
    .sort((a, b) => b.score - a.score || (a.name < b.name ? -1 : 1))
    .slice(0, MAX_RESULTS);
}

/**
 * @param {string} name
 * @param {string} text
 * @param {string[]} words
 * @returns {Hit} its score is 0 when a word is missing
 */
function score(name, text, words) {
  const title = name.toLowerCase();
  const body = text.toLowerCase();
  let sum = 0;
  for (const word of words) {
    const times = body.split(word).length - 1;
    const inTitle = title.includes(word);
    if (times === 0 && !inTitle) return { name, score: 0, excerpt: '' };
    sum += Math.log2(1 + times) + (inTitle ? 10 : 0);
  }
  const first = Math.max(0, Math.min(...words.map((word) => body.indexOf(word)).filter((at) => at >= 0)));
  const start = Number.isFinite(first) ? Math.max(0, first - EXCERPT / 4) : 0;
  const piece = text.slice(start, start + EXCERPT);
  return { name, score: sum, excerpt: plain(start > 0 ? piece.replace(/^\S*\s/, '') : piece) };
}

/**
 * @param {string} text a piece of Markdown
 * @returns {string} without its marks
 */
function plain(text) {
  return text
    .replace(/\]\([^)]*\)?/g, '')
    .replace(/[[\]#*_`>|]/g, ' ')
    .replace(/\s+/g, ' ')
    .trim();
}

exports.search = search;
