'use strict';

// A program that ranks books; the same file is the plain program and the one with Ignis.
// In: a number a line on stdin: so many books, several at a time. Out: for each line one line of JSON on stdout, with the
// seconds it took and a digest of the results; before that, 'ready'. Ends when stdin does.

const { createHash } = require('node:crypto');
const readline = require('node:readline');
const { book } = require('./books.js');
const { rank } = require('./pipeline.js', { hot: true, call: 'await', pure: true });

const DIFFERENT = 4;
const AT_ONCE = 4;

/**
 * @param {string[]} books
 * @param {number} count
 * @param {(text: string) => unknown} one ranks one book
 * @returns {Promise<{ books: number, seconds: number, digest: string }>}
 */
async function rankAll(books, count, one) {
  /** @type {string[]} */
  const digests = [];
  let next = 0;
  const lane = async () => {
    while (next < count) {
      const index = next++;
      digests[index] = JSON.stringify(await one(books[index % books.length]));
    }
  };
  const begun = performance.now();
  await Promise.all(Array.from({ length: AT_ONCE }, lane));
  const seconds = (performance.now() - begun) / 1000;
  return { books: count, seconds, digest: createHash('sha256').update(digests.join('\n')).digest('hex').slice(0, 16) };
}

/** @param {(text: string) => unknown} one ranks one book */
async function main(one) {
  const bytes = Number(process.env.BOOK_BYTES ?? 1e6);
  const books = Array.from({ length: DIFFERENT }, (_, seed) => book(seed + 1, bytes));
  console.log('ready');
  for await (const line of readline.createInterface({ input: process.stdin })) {
    console.log(JSON.stringify(await rankAll(books, Number(line), one)));
  }
}

if (require.main === module) main(rank);

exports.main = main;
