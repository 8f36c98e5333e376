'use strict';

// lunr 2.3: full-text search.

/** @type {import('../lib/types').ShippedRecipe} */
module.exports = {
  package: 'lunr',
  versions: ['2.3'],
  evidence: [
    'Read whole (lunr.js): lunr calls the function that it is given before it returns, and gives an Index, an object with methods; both stay at home.',
    'The module keeps the functions that Pipeline.registerFunction was given, and lunr.tokenizer.separator, which a program may write, so nothing is said of its state.',
    'What blocks is building the index. A function of your own can do that elsewhere and give it as a text, from which home makes it again: lunr.Index.load(JSON.parse(text)). See wrap.',
  ].join(' '),
  threads: true,
  pays: [],
  wrap: {
    lines: [
      "const lunr = require('lunr');",
      'const fill = (builder, fields, documents) => (fields.forEach((name) => builder.field(name)), documents.forEach((one) => builder.add(one)));',
      'exports.build = (fields, documents) => JSON.stringify(lunr((builder) => fill(builder, fields, documents)));',
    ],
    recipe: { call: 'await', pure: true },
    pays: [],
  },
  recipe: {},
};
