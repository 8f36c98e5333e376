'use strict';

const assert = require('node:assert/strict');
const { book } = require('../../bench/ranking/books.js');

describe('ranking: books', () => {
  it('the same seed gives the same book, another seed another', () => {
    assert.equal(book(1, 20000), book(1, 20000));
    assert.notEqual(book(1, 20000), book(2, 20000));
  });

  it('a book has about the size asked for, and is ASCII', () => {
    const text = book(3, 50000);
    assert.ok(Math.abs(text.length - 50000) < 2500, String(text.length));
    assert.match(text, /^[\x20-\x7e\n]+$/);
  });

  it('words follow Zipf: few are common, many are rare', () => {
    /** @type {Map<string, number>} */
    const counts = new Map();
    const words =
      book(4, 200000)
        .toLowerCase()
        .match(/[a-z]+/g) ?? [];
    for (const word of words) counts.set(word, (counts.get(word) ?? 0) + 1);
    const order = [...counts].sort((a, b) => b[1] - a[1]);
    assert.equal(order[0][0], 'the');
    assert.ok(order[0][1] / words.length > 0.02 && order[0][1] / words.length < 0.12);
    assert.ok(order[0][1] > 3 * order[10][1]);
    assert.ok(order.filter(([, count]) => count === 1).length > 0.2 * order.length);
  });

  it('the pipeline finds terms without stop words, stemmed, and their n-grams', function () {
    this.timeout(20000); // natural takes a second and more to load
    const { rank } = require('../../bench/ranking/pipeline.js');
    const { terms, top, grams } = rank('The running dogs chased cats. Running dogs chased cats again!');
    assert.equal(terms, 8);
    assert.deepEqual(top.slice(0, 4), [
      ['cat', 2],
      ['chase', 2],
      ['dog', 2],
      ['run', 2],
    ]);
    assert.deepEqual(grams[4][0], ['run dog chase cat', 2]);
    assert.deepEqual(Object.keys(grams), ['2', '3', '4', '5']);
    assert.deepEqual(rank(''), { terms: 0, top: [], grams: { 2: [], 3: [], 4: [], 5: [] } });
  });
});
