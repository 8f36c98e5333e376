'use strict';

// Faults in the work of Ignis are warned of, and end no program: here they fail the test in which they happen. In: warnings of this
// process. Out: hooks for mocha (.mocharc.json), and the faults, for a test that makes some.

const assert = require('node:assert/strict');

/** @type {any[]} */
const faults = [];
process.on('warning', (/** @type {any} */ warning) => {
  if (warning.code === 'IGNIS_FAULT') faults.push(warning);
});

exports.faults = faults;
exports.mochaHooks = {
  afterEach() {
    assert.deepEqual(
      faults.splice(0).map(({ detail }) => detail),
      [],
    );
  },
};
