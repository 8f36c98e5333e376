'use strict';

// fast-xml-parser 4 and 5: XML, parsed, built and validated.

/** @type {import('../lib/types').ShippedRecipe} */
module.exports = {
  package: 'fast-xml-parser',
  versions: ['4', '5'],
  files: ['./src/fxp.js'],
  evidence: [
    'XMLValidator.validate reads its arguments alone.',
    'XMLParser and XMLBuilder are classes. Their objects hold options, and the entities that addEntity was given, and stay where they were made.',
    'For parsing, what can move is a function in a file of your own that makes the parser and uses it.',
    'The module keeps no state.',
    'Read in src/validator.js, src/xmlparser and src/fxp.js; observed with 4.5.7 and 5.12.1.',
  ].join(' '),
  threads: true,
  ownFile: [
    "const { XMLParser } = require('fast-xml-parser');",
    '',
    '// Options with functions (tagValueProcessor, isArray) stand here too.',
    'exports.parse = (xml) => new XMLParser({ ignoreAttributes: false }).parse(xml);',
    '',
  ].join('\n'),
  pays: [
    { function: 'XMLValidator.validate', input: '64 kB', bytes: 67385, ms: 1.97, homeMs: 0.233, breakEven: '1 kB' },
    { function: 'parse (own file)', input: '64 kB', bytes: 67385, ms: 8.22, homeMs: 1.43, breakEven: '8 kB' },
  ],
  recipe: {
    state: 'none',
    functions: { 'XMLValidator.validate': { pure: true } },
  },
};
