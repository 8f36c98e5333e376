'use strict';

const assert = require('node:assert/strict');
const { maskNow, watchMask } = require('../../lib/boot/mask');

describe('the mask of new files', () => {
  it('is known where the program has set it, and told to who listens, once', () => {
    const heard = [];
    const hear = () => heard.push(maskNow());
    watchMask(hear);
    watchMask(hear);
    const first = process.umask(0o77);
    try {
      assert.deepEqual([maskNow(), process.umask('027'), maskNow()], [0o77, 0o77, 0o27]);
      assert.throws(() => process.umask(/** @type {any} */ ('x')), { code: 'ERR_INVALID_ARG_VALUE' });
      assert.deepEqual([maskNow(), process.umask()], [0o27, 0o27]);
    } finally {
      process.umask(first);
    }
    assert.deepEqual(heard, [0o77, 0o27, first]);
  });
});
