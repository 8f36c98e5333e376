'use strict';

// A small part of `npm run soak`, in a process of its own: its figures are of a heap in which nothing else lives.

const assert = require('node:assert/strict');
const { execFile } = require('node:child_process');
const { promisify } = require('node:util');

const NOTHING = { 'home lent': 0, 'home held': 0, 'home twins': 0, 'replica lent': 0, 'replica held': 0, 'replica twins': 0 };
/** A heap of a few megabytes also grows by what the engine learns of the code; what a call leaves behind would be far more. */
const MOST_BYTES = 2 * 2 ** 20;
const PROGRAM = `
const { soak } = require(${JSON.stringify(require.resolve('../../bench/soak/run'))});
const [where, count] = process.argv.slice(1);
soak({ where, count: Number(count) }).then((result) => console.log(JSON.stringify(result)));
`;

describe('many calls of a module', function () {
  this.timeout(120000);

  for (const [where, count] of Object.entries({ thread: 2000, process: 1000 })) {
    it(`leave nothing behind (${count} in a ${where})`, async () => {
      const { stdout } = await promisify(execFile)(process.execPath, ['-e', PROGRAM, where, String(count)]);
      const { left, early, late } = JSON.parse(stdout);
      assert.deepEqual(left, NOTHING);
      assert.ok(late.home - early.home < MOST_BYTES && late.there - early.there < MOST_BYTES, stdout);
    });
  }
});
