'use strict';

const assert = require('node:assert/strict');
const { execFileSync } = require('node:child_process');
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

  it('is that of one user after another where home has its own between them, and is given up for good where home gives it up so', function () {
    if (process.getuid?.() !== 0) this.skip();
    const steps = [
      [['setegid', 2001], ['seteuid', 1001]],
      [['setegid', 2002], ['seteuid', 1002]],
      [['setegid', 2003]],
      [['umask', 0o77]],
      [['setegid', 0], ['seteuid', 0]],
      [['setegid', 2004], ['setgid', 2005], ['setuid', 1003]],
      [['seteuid', 0]],
    ]; // prettier-ignore
    const program = `const { repeat } = require(${JSON.stringify(require.resolve('../../lib/boot/inherited'))});
      const seen = ${JSON.stringify(steps)}.map((step) => (repeat(JSON.stringify(step)), [process.geteuid(), process.getegid()]));
      console.log(JSON.stringify(seen));`;
    assert.deepEqual(JSON.parse(execFileSync(process.execPath, ['-e', program], { encoding: 'utf8' })), [
      [1001, 2001],
      [1002, 2002],
      [1002, 2003],
      [1002, 2003],
      [0, 0],
      [1003, 2005],
      [1003, 2005],
    ]);
  });
});
