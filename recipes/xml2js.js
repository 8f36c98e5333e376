'use strict';

// xml2js 0.6: XML to objects and back.

/** @type {import('../lib/types').ShippedRecipe} */
module.exports = {
  package: 'xml2js',
  versions: ['0.6'],
  evidence: [
    'parseStringPromise makes its own Parser for each call, and the module keeps no state.',
    'It is not called pure, for two reasons. All calls begin with xml2js.defaults, which a program may write (replicas get that), and the option normalizeTags puts a function into the list tagNameProcessors that the call is given.',
    'A call with functions in its options (valueProcessors, validator) runs at home.',
    'parseString stays at home: it calls back before it returns, unless its option async is set.',
    'Parser and Builder are classes, and their objects stay where they were made.',
    'Read in lib/parser.js, builder.js and defaults.js.',
  ].join(' '),
  threads: true,
  mutates: [{ function: 'parseStringPromise', argument: 1, what: 'with normalizeTags, the list tagNameProcessors gets one more function' }],
  pays: [{ function: 'parseStringPromise', input: '32 kB', bytes: 33455, ms: 4.92, homeMs: 0.779, breakEven: '8 kB' }],
  recipe: {
    state: 'none',
    functions: { parseStringPromise: { idempotent: true } },
  },
};
