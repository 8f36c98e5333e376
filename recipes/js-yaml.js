'use strict';

// js-yaml 4 and 5: YAML, read and written.

/** @type {import('../lib/types').ShippedRecipe} */
module.exports = {
  package: 'js-yaml',
  versions: ['4', '5'],
  files: ['./dist/js-yaml.mjs'],
  evidence: [
    'load, loadAll and dump make their state for each call and copy their options. The module has only constants.',
    'What several aliases refer to is one object in the result, in a replica too. An object that occurs twice in what dump is given also stays one.',
    'A call with functions in its options or arguments (sortKeys, transform, replacer, onWarning, the iterator of loadAll) runs at home. So does a call that is given a schema, because a schema is an object with functions.',
    'Not listed: parseEvents, constructFromEvents, eventsToAst, jsToAst, visit and present, whose arguments or results would cost more to send.',
    'Read in 5, dist/js-yaml.cjs.js, and 4, lib/loader.js: the beginnings of these functions, and every variable of the module. Observed with 4.3.2 and 5.5.0.',
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
