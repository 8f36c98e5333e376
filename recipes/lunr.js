'use strict';

// lunr 2.3: full-text search.

/** @type {import('../lib/types').ShippedRecipe} */
module.exports = {
  package: 'lunr',
  versions: ['2.3'],
  evidence: [
    'Read in lunr.js (lunr, Pipeline, Index.load, and every variable of the module): lunr calls the function that it is given before it returns, and gives an Index, an object with methods; both stay at home.',
    'The module keeps the functions that Pipeline.registerFunction was given, and lunr.tokenizer.separator, which a program may write, so nothing is said of its state.',
    'What blocks is building the index. A function in a file of your own can do that elsewhere and give it as a text, from which home makes it again.',
  ].join(' '),
  threads: true,
  ownFile: [
    "const lunr = require('lunr');",
    '',
    '/** At home: lunr.Index.load(JSON.parse(text)). */',
    'exports.build = (fields, documents) =>',
    '  JSON.stringify(',
    '    lunr((builder) => {',
    '      for (const field of fields) builder.field(field);',
    '      for (const one of documents) builder.add(one);',
    '    }),',
    '  );',
    '',
  ].join('\n'),
  pays: [{ function: 'build (own file)', input: '200 documents of 290 bytes', bytes: 65912, ms: 20.8, homeMs: 1.21, breakEven: 'always' }],
  recipe: {},
};
