'use strict';

const assert = require('node:assert/strict');
const { bare, wordsOf } = require('../../lib/boot/node-options');

describe('boot/node-options', () => {
  const read = (text) => wordsOf(text).map(bare);

  it('are words between spaces, of which parts may be quoted, as Node reads them', () => {
    assert.deepEqual(read(''), []);
    assert.deepEqual(read('  -r a.js   --import=b.mjs '), ['-r', 'a.js', '--import=b.mjs']);
    assert.deepEqual(read('"--import=./a b.mjs" --require="c d.js" -r "e"'), ['--import=./a b.mjs', '--require=c d.js', '-r', 'e']);
    assert.deepEqual(read('"a \\"b\\" \\\\c"'), ['a "b" \\c']);
  });

  it('stand as they are written until somebody reads them', () => {
    assert.deepEqual(wordsOf('"-r" a"b c"d'), ['"-r"', 'a"b c"d']);
  });

  it('are those of this process where nothing else is said', () => {
    const before = process.env.NODE_OPTIONS;
    process.env.NODE_OPTIONS = '"--no-warnings"';
    try {
      assert.deepEqual(wordsOf(), ['"--no-warnings"']);
      delete process.env.NODE_OPTIONS;
      assert.deepEqual(wordsOf(), []);
    } finally {
      if (before !== undefined) process.env.NODE_OPTIONS = before;
    }
  });
});
