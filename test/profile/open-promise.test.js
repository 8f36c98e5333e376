'use strict';

const assert = require('node:assert/strict');
const { isOpen } = require('../../lib/profile/open-promise');

describe('whether a promise is pending', () => {
  it('is told of each, whatever it has settled with', async () => {
    const rejected = Promise.reject(new Error('no'));
    await rejected.catch(() => {});
    assert.equal(isOpen(new Promise(() => {})), true);
    for (const settled of [Promise.resolve(1), Promise.resolve('Promise { <pending>'), rejected]) assert.equal(isOpen(settled), false);
  });

  it('is told of what has settled with something that cannot be shown', () => {
    const hidden = {
      get [Symbol.toStringTag]() {
        throw new Error('nobody may ask');
      },
    };
    assert.equal(isOpen(Promise.resolve(hidden)), false);
  });
});
