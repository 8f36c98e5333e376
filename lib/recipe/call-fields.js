'use strict';

// Rows of the table of fields: those that say how single calls are treated, and how a module stands among others.
// In: nothing. Out: rows for fields.js. What two fields must not say together stands in contradictions.js.

const { wholeNumber } = require('../option-table.js');

/** @typedef {import('./fields.js').FieldRow} FieldRow */

/** @type {readonly FieldRow[]} */
const CALL_FIELDS = Object.freeze([
  {
    name: 'timeout',
    scope: ['module', 'function'],
    type: 'number',
    unit: 'ms',
    check: wholeNumber(1, 86400000),
    sentence:
      "How long a call may be in a replica without an answer; then it fails with IGNIS_CALL_TIMEOUT. The time it waits for a replica, or for one to start, does not count, and at home nothing is limited. The replica is not told and goes on with it; its answer is dropped. With `call: 'block'` the time for one answer, instead of the option `blockMs`.",
  },
]);

exports.CALL_FIELDS = CALL_FIELDS;
