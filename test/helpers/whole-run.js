'use strict';

// A run of tests that ends in the middle has failed: mocha ends without a word, and with code 0, where what a failed test has left of the
// engine throws in mocha itself (an `Error.prepareStackTrace`), or where nothing is left to wait for. In: nothing. Out: hooks for mocha
// (.mocharc.json).

const { writeSync } = require('node:fs');

/** @type {string | null} the latest test; null: no run is under way */
let latest = null;
let hasFailed = false;

process.on('exit', () => {
  // Mocha says how many, behind this, unless it has ended where it was to show one: what a test got instead, or wanted, may be of a replica
  // that is gone by then.
  if (hasFailed) process.exitCode ||= 1;
  if (latest === null) return;
  process.exitCode ||= 1;
  writeSync(2, `the tests ended in the middle, with this one: ${latest}\n`);
});

exports.mochaHooks = {
  beforeAll() {
    latest = 'none yet';
  },
  /** @this {Mocha.Context} */
  beforeEach() {
    latest = /** @type {any} */ (this.currentTest).fullTitle();
  },
  /** @this {Mocha.Context} */
  afterEach() {
    hasFailed ||= /** @type {any} */ (this.currentTest).state === 'failed';
  },
  afterAll() {
    latest = null;
  },
};
