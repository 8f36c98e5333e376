'use strict';

// csv-parse 6 and 7, csv-parse/sync: CSV, whole texts.

/** @type {import('../lib/types').ShippedRecipe} */
module.exports = {
  package: 'csv-parse/sync',
  versions: ['6', '7'],
  files: ['./dist/cjs/sync.cjs', './lib/sync.js'],
  evidence: [
    'parse makes new options, state and buffers for each call, and changes nothing that it is given. The module has only constants.',
    'parse returns one object a row, or one array, which costs more to send than the text; so small texts do not pay.',
    'A call with functions in its options (cast, columns, on_record, on_skip) runs at home.',
    'With `cast_date`, dates are read in the time zone of the machine, which is the same in a replica.',
    'Read in dist/cjs/sync.cjs of 7: parse, normalize_options, and every variable of the module. 6 differs in how it looks up white space. Observed with 6.2.1 and 7.0.3.',
  ].join(' '),
  threads: true,
  pays: [{ function: 'parse', input: '1000 rows of 40 bytes', bytes: 41712, ms: 10, homeMs: 1.13, breakEven: '100 rows of 40 bytes' }],
  recipe: {
    state: 'none',
    functions: { parse: { pure: true } },
  },
};
