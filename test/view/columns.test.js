'use strict';

const assert = require('node:assert/strict');
const { bar, clip, cut, fit, fold, plain, speaksUnicode, widthOf } = require('../../lib/view/columns.js');
const { Random } = require('../helpers/random.js');

const TEXTS = [
  '',
  'a',
  './lib/links.js',
  '日本語.js',
  'e\u0301te\u0301',
  '😀👩‍👩‍👧',
  '🇩🇪',
  'ﾊﾝｶｸ',
  '한국어',
  '\u200bzero',
  'ｗｉｄｅ',
  '❤️',
  '①',
  'ק',
];

describe('columns of text', () => {
  it('are counted as a terminal shows them', () => {
    const widths = { a: 1, 日本: 4, 'e\u0301': 1, '😀': 2, '👩‍👩‍👧': 2, '🇩🇪': 2, 한: 2, ｗ: 2, ﾊ: 1, '\u200b': 0, 'a\u200bb': 2 };
    for (const [text, width] of Object.entries(widths)) assert.equal(widthOf(text), width, JSON.stringify(text));
  });

  it('are never too many when text is cut, and exactly as many when it is fitted, whatever stands in it', () => {
    const random = new Random(7);
    for (let i = 0; i < 2000; i++) {
      const text = plain(Array.from({ length: random.below(6) }, () => random.pick(TEXTS)).join(''));
      const width = random.below(20);
      const keepsEnd = random.below(2) === 0;
      assert.ok(widthOf(cut(text, width, { keepsEnd })) <= width, JSON.stringify([text, width]));
      assert.equal(widthOf(fit(text, width, { keepsEnd, isNumber: random.below(2) === 0 })), width, JSON.stringify([text, width]));
    }
  });

  it('keep the end of a path, and the start of a sentence', () => {
    assert.equal(cut('./lib/very/deep/links.js', 10, { keepsEnd: true }), '~/links.js');
    assert.equal(cut('a sentence', 6), 'a sen~');
  });

  it('keep all their colours where a painted line is cut', () => {
    const line = '\u001b[31mred\u001b[0m and \u001b[7m日本\u001b[0m';
    assert.equal(clip(line, 12), line);
    assert.equal(clip(line, 11), '\u001b[31mred\u001b[0m and \u001b[7m日\u001b[0m');
    assert.equal(clip(line, 2), '\u001b[31mre\u001b[0m\u001b[7m\u001b[0m');
  });

  it('hold nothing that a terminal acts on', () => {
    assert.equal(plain('a\u001b[31mb\nc\u009b2J\u202ed'), 'a [31mb c 2J d');
    assert.equal(plain(null), '');
  });

  it('are folded at words, and a word that is too long is cut', () => {
    assert.deepEqual(fold('one two three fourteenletters', 10), ['one two', 'three', 'fourteenl~']);
    assert.deepEqual(fold('日本 日本 日本', 10), ['日本 日本', '日本']);
  });

  it('make bars of eighths where the terminal can, and of signs where it cannot', () => {
    assert.deepEqual([bar(0, 4, true), bar(0.5, 4, true), bar(1, 4, true), bar(7, 4, true)], ['    ', '██  ', '████', '████']);
    assert.equal(bar(0.28, 4, true), '█▏  ');
    assert.deepEqual([bar(0.5, 4, false), bar(-1, 4, false)], ['##..', '....']);
    for (let part = 0; part < 1.1; part += 0.003) assert.equal(widthOf(bar(part, 9, true)), 9);
  });

  it('know from the environment whether a terminal shows more than ASCII', () => {
    const cases = [{ LANG: 'C.UTF-8' }, { LANG: 'C' }, { LC_ALL: 'POSIX', LANG: 'de_DE.utf8' }, { LANG: 'C.UTF-8', TERM: 'linux' }, {}];
    assert.deepEqual(cases.map(speaksUnicode), [true, false, false, false, false]);
  });
});
