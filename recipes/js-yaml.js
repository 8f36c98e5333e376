'use strict';

// js-yaml 4 and 5: YAML, read and written.

/** @type {import('../lib/types').ShippedRecipe} */
module.exports = {
  package: 'js-yaml',
  versions: ['4', '5'],
  files: ['./dist/js-yaml.mjs'],
  evidence: [
    'Read in 5, dist/js-yaml.cjs.js, and 4, lib/loader.js (what the functions below begin with, and every variable of the module), and observed with 4.3.2 and 5.5.0: load, loadAll and dump make their state for each call, copy their options, and the module has only constants.',
    'What an alias refers to is one object in the answer, in a replica too, and so is one that dump is given twice.',
    'A schema is an object with functions, so a call that is given one runs at home, and so does one with functions in its options or arguments (sortKeys, transform, replacer, onWarning, the iterator of loadAll).',
    'Not listed: parseEvents, constructFromEvents, eventsToAst, jsToAst, visit and present, which hand over what would cost more to send.',
  ].join(' '),
  threads: true,
  pays: [
    { function: 'load', input: '200 services of 160 bytes', bytes: 39383, ms: 3.59, homeMs: 0.892, breakEven: '200 services of 160 bytes' },
    {
      function: 'loadAll',
      input: 'two documents of 200 services',
      bytes: 78759,
      ms: 5.3,
      homeMs: 1.05,
      breakEven: 'two documents of 20 services',
    },
    { function: 'dump', input: '200 services of 160 bytes', bytes: 28240, ms: 3.73, homeMs: 0.888, breakEven: '2 services of 160 bytes' },
  ],
  recipe: {
    state: 'none',
    functions: {
      load: { pure: true },
      loadAll: { pure: true },
      dump: { pure: true },
    },
  },
};
