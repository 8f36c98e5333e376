'use strict';

// A small part of `npm run soak`.

const assert = require('node:assert/strict');
const { soak } = require('../../bench/soak/run');

const NOTHING = { 'home lent': 0, 'home held': 0, 'home twins': 0, 'replica lent': 0, 'replica held': 0, 'replica twins': 0 };
/** A heap of a few megabytes also grows by what the engine learns of the code; what a call leaves behind would be far more. */
const MOST_BYTES = 2 * 2 ** 20;

describe('many calls of a module', function () {
  this.timeout(60000);

  for (const [where, count] of Object.entries({ thread: 2000, process: 1000 })) {
    it(`leave nothing behind (${count} in a ${where})`, async () => {
      const { left, early, late } = await soak({ where, count });
      assert.deepEqual(left, NOTHING);
      assert.ok(late.home - early.home < MOST_BYTES && late.there - early.there < MOST_BYTES, JSON.stringify({ early, late }));
    });
  }
});
