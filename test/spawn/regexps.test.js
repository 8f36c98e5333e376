'use strict';

const assert = require('node:assert/strict');
const path = require('node:path');
const { Distributed } = require('../helpers/distributed');

const FIXTURE = path.join(__dirname, 'fixtures/regexps.js');

describe('regular expressions in a replica that is a process', function () {
  this.timeout(30_000);

  it('are compiled when they are executed for the first time, and not interpreted', async () => {
    const on = new Distributed(FIXTURE, { call: 'await', pure: true, copies: [0, 1] }, 'process');
    try {
      await on.set.resize(1);
      const ratios = await on.lib.firstToSecond(9);
      // Interpreted, each takes about six times as long; what else the machine does may prolong some of them, never shorten all.
      assert.ok(Math.min(...ratios) < 2, `first to second: ${ratios.map((ratio) => ratio.toFixed(1)).join(', ')}`);
    } finally {
      await on.close();
    }
  });
});
