'use strict';

// xml2js 0.6: XML to objects and back.

/** @type {import('../lib/types').ShippedRecipe} */
module.exports = {
  package: 'xml2js',
  versions: ['0.6'],
  evidence: [
    'Read in lib/parser.js, builder.js and defaults.js: parseStringPromise makes a Parser of its own for each call, and the module keeps no state.',
    'Not called pure because all calls begin with xml2js.defaults, which a program may write (replicas hear of that), and because of an option: normalizeTags puts a function into the list tagNameProcessors that it is given.',
    'A call with functions in its options (valueProcessors, validator) runs at home.',
    'parseString calls back before it returns, unless its option async is set, and stays at home; Parser and Builder are classes, whose objects stay where they were made.',
  ].join(' '),
  threads: true,
  mutates: [{ function: 'parseStringPromise', argument: 1, what: 'with normalizeTags, tagNameProcessors gets one more' }],
  pays: [{ function: 'parseStringPromise', input: '32 kB', bytes: 33455, ms: 4.92, homeMs: 0.779, breakEven: '8 kB' }],
  recipe: {
    state: 'none',
    functions: { parseStringPromise: { idempotent: true } },
  },
};
