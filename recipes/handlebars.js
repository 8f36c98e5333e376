'use strict';

// handlebars 4.7: templates.

/** @type {import('../lib/types').ShippedRecipe} */
module.exports = {
  package: 'handlebars',
  versions: ['4.7'],
  evidence: [
    'precompile of a text returns source code, and reads only its options: registered helpers and partials play no part in it.',
    'compile and template return functions, and parse returns nodes of its own class (SourceLocation); none of these can be sent.',
    'A file of your own that compiles and runs templates is pure, with the helpers and partials that it registers itself.',
    'Read in dist/cjs/handlebars/compiler.',
  ].join(' '),
  threads: true,
  ownFile: [
    "const Handlebars = require('handlebars');",
    '',
    '// Helpers and partials are registered here, so that every replica has the same.',
    "Handlebars.registerHelper('upper', (text) => String(text).toUpperCase());",
    '',
    'const compiled = new Map();',
    '',
    'exports.render = (template, data) => {',
    '  if (!compiled.has(template)) compiled.set(template, Handlebars.compile(template));',
    '  return compiled.get(template)(data);',
    '};',
    '',
  ].join('\n'),
  keeps: ['Helpers, partials and decorators, which registerHelper and the like change. The listed function does not read them.'],
  pays: [
    { function: 'precompile', input: '4 kB', bytes: 4183, ms: 8.29, homeMs: 0.591, breakEven: 'always' },
    { function: 'render (own file)', input: '1000 rows', bytes: 43039, ms: 1.41, homeMs: 0.672, breakEven: '1000 rows' },
  ],
  recipe: { functions: { precompile: { pure: true } } },
};
