'use strict';

const assert = require('node:assert/strict');
const { LastLines, wrote } = require('../../lib/session/last-lines');

describe('what a process wrote last', () => {
  it('keeps few lines, none of them long, however much was written', () => {
    const written = new LastLines();
    for (let i = 0; i < 1000; i++) written.add(`${i} ${'x'.repeat(1000)}\n`);
    const { lines, text } = written;
    assert.equal(lines.length, 10);
    assert.ok(lines.every((line) => line.length <= 300) && text.length <= 16384);
  });

  it('is what an error says, not where it was thrown, which is more', () => {
    const written = new LastLines();
    const error = new Error('Worker initialization failure: EAGAIN');
    error.stack += `\n    at begin (/${'long/'.repeat(30)}place.js:1:1)`.repeat(20);
    written.add(`node:internal/worker:1\n\n${error.stack} {\n  code: 'ERR_WORKER_INIT_FAILED'\n}\n\nNode.js v20.20.2\n`);
    assert.equal(
      wrote(written.lines),
      "; it last wrote: node:internal/worker:1 | Error: Worker initialization failure: EAGAIN |   code: 'ERR_WORKER_INIT_FAILED' | } | Node.js v20.20.2",
    );
    assert.equal(wrote([]), '');
  });
});
