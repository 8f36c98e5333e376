'use strict';

// ajv 8: JSON Schema.

/** @type {import('../lib/types').ShippedRecipe} */
module.exports = {
  package: 'ajv',
  versions: ['8'],
  evidence: [
    'No call was found to pay: a compiled schema checks data faster than the data can be sent.',
    'compile costs milliseconds, once. It returns a function, which cannot be sent.',
    'The export is a class, and validate is a method of an object that stays at home.',
    'A file of your own that holds a compiled schema is pure, unless it uses useDefaults, coerceTypes or removeAdditional, which change the data.',
    'Read in dist/ajv.js and dist/core.js.',
  ].join(' '),
  threads: true,
  ownFile: [
    "const Ajv = require('ajv');",
    '',
    'const check = new Ajv({ allErrors: true }).compile({',
    "  type: 'array',",
    '  items: {',
    "    type: 'object',",
    "    required: ['id', 'name', 'tags'],",
    "    properties: { id: { type: 'integer' }, name: { type: 'string', pattern: '^[a-z ]+$' }, tags: { type: 'array', uniqueItems: true } },",
    '  },',
    '});',
    '',
    'exports.errorsOf = (data) => (check(data) ? [] : check.errors);',
    '',
  ].join('\n'),
  pays: [{ function: 'errorsOf (own file)', input: '1000 records', bytes: 47044, ms: 0.0686, homeMs: 1.6, breakEven: 'never' }],
  recipe: {},
};
