'use strict';

// Hundreds of calls a request, of a microsecond or two each: a call to a replica costs more than it saves.

const { ownWork } = require('../home.js');
const { escape } = require('../modules/escape.js');
const { steady } = require('../phases.js');

const FIELDS = 500;
const VARIANTS = 16;

/** @type {import('../app.js').Workload} */
module.exports = {
  phases: (seconds) => steady({ clients: 16 }, seconds),
  start: (seed, seen) => {
    const fields = Array.from({ length: FIELDS }, (_, field) => `<td title="${seed} & ${field}">it's field ${field} of ${FIELDS}</td>`);
    return async (index) => {
      const variant = index % VARIANTS;
      let length = 0;
      for (const field of fields) length += (await escape(field + variant)).length;
      seen.calls('./modules/escape.js', FIELDS);
      seen.answer(variant, length ^ ownWork(variant));
    };
  },
};
