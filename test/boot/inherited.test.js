'use strict';

const assert = require('node:assert/strict');
const { madeSince, madeSoFar, repeat, watchInherited } = require('../../lib/boot/inherited');

describe('what a process has of its parent', () => {
  it('is known where the program has set it since, the latest of each, and told to who listens, once', () => {
    /** @type {any[]} */
    const heard = [];
    const hear = (/** @type {any} */ made) => heard.push(made);
    watchInherited(hear);
    watchInherited(hear);
    const before = madeSoFar();
    const first = process.umask(0o77);
    try {
      assert.deepEqual(madeSince(before), [['umask', 0o77]]);
      assert.equal(process.umask('027'), 0o77);
      assert.throws(() => process.umask(/** @type {any} */ ('x')), { code: 'ERR_INVALID_ARG_VALUE' });
      assert.equal(process.umask(), 0o27);
      assert.deepEqual(madeSince(before), [['umask', 0o27]]);
      assert.deepEqual(madeSince(madeSoFar()), []);
    } finally {
      process.umask(first);
    }
    assert.deepEqual(heard, [
      ['umask', 0o77],
      ['umask', 0o27],
      ['umask', first],
    ]);
  });

  it('is made again in a replica, by calls of these names alone', () => {
    const first = process.umask();
    try {
      repeat('[["exit",1],["umask",7]]');
      assert.equal(process.umask(), 7);
    } finally {
      process.umask(first);
    }
  });
});
