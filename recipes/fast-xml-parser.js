'use strict';

// fast-xml-parser 4 and 5: XML, parsed, built and validated.

/** @type {import('../lib/types').ShippedRecipe} */
module.exports = {
  package: 'fast-xml-parser',
  versions: ['4', '5'],
  files: ['./src/fxp.js'],
  evidence: [
    'Read in src/validator.js, src/xmlparser and src/fxp.js, and observed with 4.5.7 and 5.12.1: XMLValidator.validate reads its arguments alone.',
    'XMLParser and XMLBuilder are classes; an object of them holds its options and the entities that addEntity gave it, and stays where it was made. The module keeps no state.',
    'What moves is a function of your own that makes the parser and uses it, in a file of its own.',
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
