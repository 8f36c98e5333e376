'use strict';

const assert = require('node:assert/strict');
const { shareEnvironment } = require('../../lib/object/environment');

describe('an environment that two sides share', () => {
  it('may be written to by who kept it when nobody shares it any more', () => {
    const told = [];
    const { leave } = shareEnvironment((name, value) => told.push([name, value]));
    const { env } = process;
    try {
      env.IGNIS_TEST_SHARED = 'before';
      leave();
      env.IGNIS_TEST_SHARED = 'after';
      assert.equal(process.env.IGNIS_TEST_SHARED, 'after');
      assert.deepEqual(told, [['IGNIS_TEST_SHARED', 'before']]);
    } finally {
      delete process.env.IGNIS_TEST_SHARED;
    }
  });
});
