'use strict';

// lunr 2.3: full-text search.

/** @type {import('../lib/types').ShippedRecipe} */
module.exports = {
  package: 'lunr',
  versions: ['2.3'],
  evidence: [
    'Building the index is what blocks. A function in a file of your own can build it elsewhere and return it as text, from which home makes the index again.',
    'lunr itself stays at home: it calls the function that it is given before it returns, and returns an Index, an object with methods, which stays there too.',
    'The module keeps the functions that Pipeline.registerFunction was given, and lunr.tokenizer.separator, which a program may write. So the recipe says nothing of the state.',
    'Read in lunr.js: lunr, Pipeline, Index.load, and every variable of the module.',
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
