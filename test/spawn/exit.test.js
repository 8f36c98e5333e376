'use strict';

const assert = require('node:assert/strict');
const { LastLines } = require('../../lib/session/last-lines');
const { exitOf, exitOfThread } = require('../../lib/spawn/exit');

/** @param {string} text */
function wrote(text) {
  const written = new LastLines();
  written.add(text);
  return written;
}

describe('how a replica ended', () => {
  it('is told by exit code or signal, and by what it wrote last', () => {
    assert.equal(exitOf(3, null).why, 'exit code 3');
    assert.equal(exitOf(null, 'SIGKILL').why, 'signal SIGKILL');
    const { why, stderr } = exitOf(
      1,
      null,
      wrote(
        'Error: no\n    at f (x.js:1:1)\n 1: 0xb7a940 node::Abort\n1: exports.f (/x.js:42:31)\n----- JavaScript stack trace -----\nlast\n',
      ),
    );
    assert.deepEqual([why, stderr], ['exit code 1; it last wrote: Error: no | last', ['Error: no', 'last']]);
  });

  it('is told of a thread by what it threw, which may be anything', () => {
    const why = (failure) => exitOfThread(1, failure).why.split('\n')[0];
    const thrown = [new Error('no'), 'text', null, undefined, { toString: 1, valueOf: 1 }, { __proto__: null }];
    assert.deepEqual(thrown.map(why), [
      'exit code 1: Error: no',
      'exit code 1: text',
      'exit code 1: null',
      'exit code 1',
      'exit code 1: what it threw cannot be shown',
      'exit code 1: what it threw cannot be shown',
    ]);
  });

  it('is harm where it crashed or ran out of memory, and nowhere else', () => {
    const FATAL = 'FATAL ERROR: Reached heap limit Allocation failed - JavaScript heap out of memory\n';
    const harms = [
      exitOf(null, 'SIGSEGV'),
      exitOf(134, null),
      exitOf(null, 'SIGABRT', wrote(FATAL)),
      exitOf(null, 'SIGTRAP', wrote(FATAL)),
      exitOf(1, null, wrote(FATAL)),
      exitOf(null, 'SIGKILL'),
      exitOf(0, null),
      exitOfThread(1, Object.assign(new Error('limit'), { code: 'ERR_WORKER_OUT_OF_MEMORY' })),
      exitOfThread(1, new Error('thrown')),
    ].map(({ harm }) => harm);
    assert.deepEqual(harms, ['crash', 'crash', 'memory', 'memory', '', '', '', 'memory', '']);
  });

  it('is told in words where it ran out of memory: what it wrote then is how much the engine collected, and when', () => {
    const GCS = '[1:0x2] 1675 ms: Mark-Compact 128.3 (161.6) -> 127.9 (161.6) MB, 19.12 / 0.00 ms allocation failure\n';
    const { why, stderr } = exitOf(null, 'SIGABRT', wrote(`${GCS}FATAL ERROR: Reached heap limit - JavaScript heap out of memory\n`));
    assert.equal(why, 'signal SIGABRT; it ran out of memory');
    assert.equal(stderr.length, 2);
  });

  it('is hardly the fault of a call where it came from outside', () => {
    assert.deepEqual(
      [exitOf(null, 'SIGKILL'), exitOf(null, 'SIGABRT'), exitOf(1, null)].map(({ blame }) => blame),
      [0.25, 1, 1],
    );
  });
});
