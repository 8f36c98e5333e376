'use strict';

// A short piece of `npm run faults`, from a fixed seed: each part, for as long as it takes to strike a few times.

const assert = require('node:assert/strict');
const { PARTS } = require('./parts');
const { total } = require('./parts/play');
const { runPart } = require('./run');

const SEED = 1927;
const CALLS = 40;
const KILLS = 2;

describe('under faults', function () {
  this.timeout(300_000);

  for (const name of Object.keys(PARTS)) {
    it(`every call is accounted for: ${name}`, async () => {
      const { problems, counts, struck } = await runPart(name, { seed: SEED, ms: 0, calls: CALLS, kills: KILLS, meanMs: 200 });
      assert.deepEqual(problems, []);
      assert.ok(counts.calls >= CALLS && counts.downs >= KILLS && total(struck) > 0, JSON.stringify({ counts, struck }));
    });
  }
});
